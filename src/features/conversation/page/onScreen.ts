import type { ConversationApp } from './app';
import { markOf } from '../../../shared/actionMark';

/**
 * Milliseconds that all of it stays on screen before it can be approved: an earlier click was meant for something else.
 */
const settlingMs = 500;

/** Part of what fits that is scrolled at once, so that something stays on screen to go by. */
const mostAtOnce = 0.85;

/** What must be seen of an action, and how much of it was. */
interface Shown {
  element: HTMLElement;
  coverage: Coverage;
  isSeen: boolean;
}

/** Which parts of something were on screen, as pixels from its top. */
export class Coverage {
  private parts: { from: number; to: number }[] = [];

  add(from: number, to: number): void {
    if (to <= from) return;
    const apart = this.parts.filter((part) => part.to < from || part.from > to);
    const joined = this.parts.filter((part) => !apart.includes(part));
    this.parts = [
      ...apart,
      {
        from: Math.min(from, ...joined.map((part) => part.from)),
        to: Math.max(to, ...joined.map((part) => part.to)),
      },
    ];
  }

  /** Up to where it was on screen from its top without a gap; fractions of a pixel don't count. */
  get end(): number {
    return this.first?.to ?? 0;
  }

  /** True if all of it was on screen. */
  covers(height: number): boolean {
    return this.first !== undefined && this.end >= height - 1;
  }

  private get first() {
    return this.parts.find(({ from }) => from <= 1);
  }
}

/** Notices when all of the pending actions were on screen. */
export class OnScreen {
  private signature = '';
  private width = 0;
  private marks: string[] = [];
  private coverages = new Map<string, Coverage>();
  private settling: ReturnType<typeof setTimeout> | undefined;

  constructor(private readonly app: ConversationApp) {}

  /** Notes what is on screen now. */
  look(): void {
    const { card } = this.app.state;
    const box = document.querySelector('.actions');
    if (card.signature === '' || card.seen || !box || document.visibilityState !== 'visible') return;
    const clip = clipOf(box);
    const shown = this.shownIn(box);
    for (const { element, coverage } of shown) {
      const { top, bottom } = element.getBoundingClientRect();
      coverage.add(Math.max(top, clip.top) - top, Math.min(bottom, clip.bottom) - top);
    }
    const seen = this.marks.filter((_mark, index) => isDone(shown[index]));
    const isNew = seen.some((mark) => !card.seenActions.includes(mark));
    if (shown.length === 0 || shown.length > seen.length) {
      if (isNew || !card.hasRest) this.app.setCard({ seenActions: seen, hasRest: true });
      return;
    }
    this.app.setCard({ seenActions: seen, seen: true });
    clearTimeout(this.settling);
    this.settling = setTimeout(() => this.settle(card.signature), settlingMs);
  }

  private shownIn(box: Element): Shown[] {
    const { card, head, reviewed } = this.app.state;
    const { width } = box.getBoundingClientRect();
    const isOther = card.signature !== this.signature;
    // At another width, lines break in other places.
    if (isOther || width !== this.width) this.coverages = new Map();
    if (isOther) this.marks = head?.pending.map(markOf) ?? [];
    this.signature = card.signature;
    this.width = width;
    return [...box.querySelectorAll<HTMLElement>('[data-action]')].map((element, index) => {
      const id = element.dataset['action'] ?? '';
      // Without its diff, an action is shorter.
      const key = `${reviewed.has(id) ? 'reviewed' : 'whole'} ${id}`;
      const coverage = this.coverages.get(key) ?? new Coverage();
      this.coverages.set(key, coverage);
      return { element, coverage, isSeen: card.seenActions.includes(this.marks[index] ?? '') };
    });
  }

  /** Scrolls to the first part that wasn't on screen. */
  showRest(): void {
    const box = document.querySelector('.actions');
    const rest = box && this.shownIn(box).find((one) => !isDone(one));
    if (!rest) return;
    const { top, bottom } = clipOf(box);
    const { element, coverage } = rest;
    const from = element.getBoundingClientRect().top + coverage.end;
    scroll(box, from - top - (bottom - top) * (1 - mostAtOnce));
  }

  /** Scrolls to the end, past everything on the way. */
  passToEnd(): void {
    const box = document.querySelector('.actions');
    if (!box) return;
    this.look();
    const { top, bottom } = clipOf(box);
    const rest = box.getBoundingClientRect().bottom - bottom;
    const all = box.scrollHeight - box.clientHeight - box.scrollTop + Math.max(0, rest);
    if (!scroll(box, Math.min(all, (bottom - top) * mostAtOnce))) return;
    requestAnimationFrame(() => this.passToEnd());
  }

  private settle(signature: string): void {
    const { card } = this.app.state;
    if (card.signature === signature && card.seen) this.app.setCard({ settled: true });
  }
}

const isDone = (shown: Shown | undefined): boolean =>
  shown !== undefined &&
  (shown.isSeen || shown.coverage.covers(shown.element.getBoundingClientRect().height));

/** Scrolls whatever scrolls a box; returns whether anything moved. */
function scroll(box: Element, by: number): boolean {
  let left = by;
  for (let element: Element | null = box; element; element = element.parentElement) {
    if (!/auto|scroll/.test(getComputedStyle(element).overflowY)) continue;
    const before = element.scrollTop;
    element.scrollTop += left;
    left -= element.scrollTop - before;
  }
  return Math.abs(by - left) >= 1;
}

/** The part of the window in which the content of an element can be seen. */
function clipOf(box: Element): { top: number; bottom: number } {
  // The buttons may lie upon it.
  const buttons = box.parentElement?.querySelector('.card-buttons')?.getBoundingClientRect().top;
  let [top, bottom] = [0, Math.min(window.innerHeight, buttons ?? Infinity)];
  for (let element: Element | null = box; element; element = element.parentElement) {
    if (getComputedStyle(element).overflowY === 'visible') continue;
    const edges = element.getBoundingClientRect();
    top = Math.max(top, edges.top);
    bottom = Math.min(bottom, edges.bottom);
  }
  return { top, bottom };
}
