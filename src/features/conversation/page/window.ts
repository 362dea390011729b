import type { Item } from './items';

/** The most items that are drawn at once, and how many of them are above what is on screen. */
export const mostDrawn = 160;
const drawnAbove = 50;

/** The items that are drawn, and the height of what is above and below them, in pixels. */
export interface Range {
  start: number;
  end: number;
  above: number;
  below: number;
}

/** Heights of items, in pixels: as measured, or about as high as others. */
export class Heights {
  private readonly known = new Map<string, number>();
  private sum = 0;

  set(item: Item, height: number): void {
    this.sum += height - (this.known.get(item.key) ?? 0);
    this.known.set(item.key, height);
    item.height = height;
  }

  of(item: Item): number {
    return this.measured(item) ?? this.average;
  }

  /** Of items from index `start` up to but not including `end`. */
  between(items: readonly Item[], start: number, end: number): number {
    const { average } = this;
    let sum = 0;
    for (let index = start; index < end; index += 1) sum += this.measured(items[index]) ?? average;
    return sum;
  }

  /** The item that is `top` pixels below the first one's beginning. */
  indexAt(items: readonly Item[], top: number): number {
    const { average } = this;
    let below = top;
    const index = items.findIndex((item) => (below -= this.measured(item) ?? average) < 0);
    return index < 0 ? Math.max(0, items.length - 1) : index;
  }

  private get average(): number {
    return this.known.size > 0 ? this.sum / this.known.size : 40;
  }

  private measured(item: Item | undefined): number | null {
    // Looked up once for each item: there may be many thousands.
    if (item?.height === undefined) return (item && (item.height = this.known.get(item.key) ?? null)) ?? null;
    return item.height;
  }
}

/** The items to draw around the one at `index`, which is at the top of the screen. */
export function rangeAround(items: readonly Item[], index: number, heights: Heights): Range {
  const start = Math.max(0, Math.min(index - drawnAbove, items.length - mostDrawn));
  const end = Math.min(items.length, start + mostDrawn);
  return {
    start,
    end,
    above: heights.between(items, 0, start),
    below: heights.between(items, end, items.length),
  };
}
