import { Heights, rangeAround, type Range } from './window';
import { indexOfKey, type Item } from './items';

/** Pixels from an edge within which more is drawn, or the end counts as reached. */
const drawAhead = 600;
const atEnd = 8;

/** An item and where it is, in pixels below the top of the view. */
interface Anchor {
  key: string;
  offset: number;
}

/**
 * Scrolls through the items and draws only those near the view. When items are added, removed or resized, the item at
 * the top of the view stays in place, or the end stays in view if it was.
 */
export class Feed {
  items: readonly Item[] = [];
  range: Range = { start: 0, end: 0, above: 0, below: 0 };
  /** True while the view is at the end of the transcript, and stays there. */
  isFollowing = true;
  private readonly heights = new Heights();
  private anchor: Anchor | undefined;
  /** The scroll position when it was last read. */
  private scrollTop = 0;

  constructor(
    private readonly scroller: () => HTMLElement | null,
    private readonly draw: () => void,
  ) {}

  /** Selects what to draw of these items. */
  prepare(items: readonly Item[]): void {
    this.catchUp();
    const index = this.isFollowing || !this.anchor ? items.length - 1 : this.indexIn(items, this.anchor);
    this.items = items;
    this.range = rangeAround(items, index, this.heights);
  }

  /** The index of the anchor in new items, or of the first item after it that is still there. */
  private indexIn(items: readonly Item[], anchor: Anchor): number {
    const same = indexOfKey(items, anchor.key, this.range.start);
    if (same >= 0) return same;
    const indexes = new Map(items.map(({ key }, index) => [key, index]));
    const before = this.items.findIndex(({ key }) => key === anchor.key);
    const after = this.items.findIndex(({ key }, index) => index > before && indexes.has(key));
    const kept = before < 0 ? undefined : this.items[after]?.key;
    if (kept === undefined) return items.length - 1;
    this.anchor = { key: kept, offset: anchor.offset + this.heights.between(this.items, before, after) };
    return indexes.get(kept) ?? 0;
  }

  /** Measures what was drawn, and puts the view where it was. */
  settle(): void {
    const scroller = this.scroller();
    if (!scroller) return;
    for (const [index, element] of elementsIn(scroller).entries()) {
      const item = this.items[this.range.start + index];
      if (item?.key === keyOf(element)) this.heights.set(item, element.getBoundingClientRect().height);
    }
    this.hold();
  }

  /** Puts the view back to the end or the anchor. */
  hold(): void {
    const scroller = this.scroller();
    if (!scroller) return;
    if (this.isFollowing) {
      scroller.scrollTop = scroller.scrollHeight;
      this.scrollTop = scroller.scrollTop;
      return;
    }
    const { anchor } = this;
    const element = anchor && elementsIn(scroller).find((one) => keyOf(one) === anchor.key);
    if (!element) return;
    const moved = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top - anchor.offset;
    // Fractions would add up.
    if (Math.abs(moved) >= 1) scroller.scrollTop += moved;
    this.scrollTop = scroller.scrollTop;
  }

  /** Notes where the user has scrolled to if the scroll event is still to come. */
  private catchUp(): void {
    const scroller = this.scroller();
    if (scroller && Math.abs(scroller.scrollTop - this.scrollTop) > 1) this.look(scroller);
  }

  /** Notes where the user has scrolled to. */
  private look(scroller: HTMLElement): void {
    this.scrollTop = scroller.scrollTop;
    this.isFollowing = scroller.scrollTop + scroller.clientHeight >= scroller.scrollHeight - atEnd;
    this.anchor = this.topItem() ?? this.itemAt(scroller.scrollTop);
  }

  /** Stops following, because something is to open where the user looks. */
  stay(): void {
    this.isFollowing = false;
    this.anchor = this.topItem() ?? this.anchor;
  }

  /** Follows the user's scrolling; draws more where that's needed. */
  scrolled(): void {
    const scroller = this.scroller();
    if (!scroller) return;
    this.look(scroller);
    const view = scroller.getBoundingClientRect();
    const elements = elementsIn(scroller);
    const top = elements[0]?.getBoundingClientRect().top ?? Infinity;
    const bottom = elements.at(-1)?.getBoundingClientRect().bottom ?? -Infinity;
    const { start, end } = this.range;
    const needsAbove = start > 0 && top > view.top - drawAhead;
    const needsBelow = end < this.items.length && bottom < view.bottom + drawAhead;
    if (needsAbove || needsBelow) this.draw();
  }

  /** True when the beginning of the items is about to come into view. */
  get isNearTop(): boolean {
    const scroller = this.scroller();
    return scroller !== null && this.range.start === 0 && scroller.scrollTop < drawAhead;
  }

  /** Brings an item into view, `offset` pixels below its top. */
  reveal(key: string, offset?: number): void {
    const height = this.scroller()?.clientHeight ?? 0;
    this.isFollowing = false;
    this.anchor = { key, offset: offset ?? Math.round(height / 4) };
    this.draw();
  }

  toEnd(): void {
    this.isFollowing = true;
    this.draw();
  }

  /** Keys of what somebody reads: what is on screen further up; at the end, what has the focus or is selected. */
  get read(): string[] {
    const scroller = this.scroller();
    if (!scroller) return [];
    this.catchUp();
    const selection = getSelection();
    const used = [document.activeElement, selection?.isCollapsed === false ? selection.anchorNode : null];
    const isRead = (element: HTMLElement) =>
      this.isFollowing ? used.some((one) => one && element.contains(one)) : this.isOnScreen(element);
    return elementsIn(scroller).filter(isRead).map(keyOf);
  }

  isOnScreen(element: HTMLElement): boolean {
    const view = this.scroller()?.getBoundingClientRect();
    const { top, bottom } = element.getBoundingClientRect();
    return view !== undefined && bottom > view.top && top < view.bottom;
  }

  /** Where the view is; null at the end. */
  get place(): { id: string; offset: number } | null {
    return this.isFollowing || !this.anchor ? null : { id: this.anchor.key, offset: this.anchor.offset };
  }

  private topItem(): Anchor | undefined {
    const scroller = this.scroller();
    if (!scroller) return undefined;
    const element = elementsIn(scroller).find((one) => this.isOnScreen(one));
    if (!element) return undefined;
    const offset = element.getBoundingClientRect().top - scroller.getBoundingClientRect().top;
    return { key: keyOf(element), offset };
  }

  /** The item at a place that isn't drawn. */
  private itemAt(scrollTop: number): Anchor | undefined {
    const index = this.heights.indexAt(this.items, scrollTop);
    const item = this.items[index];
    return item && { key: item.key, offset: this.heights.between(this.items, 0, index) - scrollTop };
  }
}

function elementsIn(scroller: HTMLElement): HTMLElement[] {
  return [...scroller.querySelectorAll<HTMLElement>('[data-key]')];
}

export function keyOf(element: HTMLElement): string {
  return element.dataset['key'] ?? '';
}
