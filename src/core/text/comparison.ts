import { diffArrays } from 'diff';
import type { Steps } from '../basics/steps';
import type { Hunk } from './hunk';

/**
 * Comparisons of two lines, beside a few for each line: 25 ms, or so. The first number is for parts of the texts; the
 * number of all grows with the square of the differences in a part.
 */
const most = { part: 10_000, all: 60_000 };
/** Differences in a part that has no lines to hold on to. */
const mostDifferences = 500;
/** Parts, and lines, of one step. */
const partsOfStep = 300;
const linesOfStep = 20_000;

/** Lines of both texts, from a start to before an end. */
interface Part {
  start: number;
  end: number;
  nowStart: number;
  nowEnd: number;
}

class Exhausted extends Error {}

/**
 * A comparison of two texts by lines. Few differences are found exactly; many are looked for between the lines that both
 * texts have once, in the same order.
 */
export class Comparison {
  private readonly found: Hunk[] = [];
  private left: number;
  private parts = 0;

  constructor(
    private readonly old: readonly string[],
    private readonly now: readonly string[],
    private readonly equal: (a: string, b: string) => boolean,
  ) {
    this.left = most.all + 2 * (old.length + now.length);
  }

  /** Finds the differences in order, never touching each other. */
  *hunks(): Steps<Hunk[]> {
    yield* this.compare({ start: 0, end: this.old.length, nowStart: 0, nowEnd: this.now.length });
    return this.found;
  }

  private *compare(whole: Part): Steps<void> {
    const part = this.withoutEnds(whole);
    const { start, end, nowStart, nowEnd } = part;
    if (start === end && nowStart === nowEnd) return;
    if (start === end || nowStart === nowEnd) {
      this.add(part);
      return;
    }
    const size = end - start + (nowEnd - nowStart);
    // The most common difference takes no search.
    if (size === 2) {
      this.add(part);
      return;
    }
    if (this.tryExactly(part, size + most.part, mostDifferences)) return;
    yield;
    const anchors = yield* this.anchors(part);
    yield;
    if (anchors.length === 0) {
      if (!this.tryExactly(part, this.left, mostDifferences)) this.add(part);
      return;
    }
    let from: Pick<Part, 'start' | 'nowStart'> = { start, nowStart };
    for (const [at, nowAt] of [...anchors, [end, nowEnd] as const]) {
      if (at > from.start || nowAt > from.nowStart) yield* this.compare({ ...from, end: at, nowEnd: nowAt });
      from = { start: at + 1, nowStart: nowAt + 1 };
      if ((this.parts += 1) % partsOfStep === 0) yield;
    }
  }

  private withoutEnds(part: Part): Part {
    let { start, end, nowStart, nowEnd } = part;
    for (; start < end && nowStart < nowEnd && this.old[start] === this.now[nowStart]; start += 1)
      nowStart += 1;
    for (; start < end && nowStart < nowEnd && this.old[end - 1] === this.now[nowEnd - 1]; end -= 1)
      nowEnd -= 1;
    return { start, end, nowStart, nowEnd };
  }

  /** Finds the shortest way from one part to the other, if that takes no more comparisons than this. */
  private tryExactly(
    { start, end, nowStart, nowEnd }: Part,
    comparisons: number,
    differences: number,
  ): boolean {
    let own = Math.min(comparisons, this.left);
    const comparator = (a: string, b: string) => {
      own -= 1;
      this.left -= 1;
      if (own < 0) throw new Exhausted();
      return this.equal(a, b);
    };
    const [old, now] = [this.old.slice(start, end), this.now.slice(nowStart, nowEnd)];
    const parts = attempt(() => diffArrays(old, now, { maxEditLength: differences, comparator }));
    if (!parts) return false;
    let [line, nowLine] = [start, nowStart];
    for (const { added, removed, value } of parts) {
      const [ofOld, ofNow] = [added ? 0 : value.length, removed ? 0 : value.length];
      if (added || removed)
        this.add({ start: line, end: line + ofOld, nowStart: nowLine, nowEnd: nowLine + ofNow });
      [line, nowLine] = [line + ofOld, nowLine + ofNow];
    }
    return true;
  }

  /** Adds a difference, to the last one if they touch. */
  private add({ start, end, nowStart, nowEnd }: Part): void {
    const last = this.found.at(-1);
    const lines = this.now.slice(nowStart, nowEnd);
    if (last?.end === start) {
      last.end = end;
      last.lines = last.lines.concat(lines);
    } else this.found.push({ start, end, lines });
  }

  /** The most lines that each part has once, in the same order in both. */
  private *anchors({ start, end, nowStart, nowEnd }: Part): Steps<Pair[]> {
    const known = yield* places(this.now, nowStart, nowEnd);
    const seen = yield* places(this.old, start, end);
    const common: Pair[] = [];
    for (const [line, at] of seen) {
      const nowAt = at < 0 ? -1 : (known.get(line) ?? -1);
      if (nowAt >= 0) common.push([at, nowAt]);
    }
    yield;
    return longestRising(common);
  }
}

/** Where each line is; −1 for those that are there more than once. */
function* places(lines: readonly string[], start: number, end: number): Steps<Map<string, number>> {
  const found = new Map<string, number>();
  for (let at = start; at < end; at += 1) {
    const line = lines[at] ?? '';
    found.set(line, found.has(line) ? -1 : at);
    if ((at - start) % linesOfStep === linesOfStep - 1) yield;
  }
  return found;
}

type Pair = readonly [at: number, nowAt: number];

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch (error) {
    if (error instanceof Exhausted) return undefined;
    throw error;
  }
}

/** The longest series of pairs whose second numbers rise; their first ones do. */
function longestRising(pairs: readonly Pair[]): Pair[] {
  /** For each length of a series: the pair with the smallest end, and each pair’s predecessor. */
  const ends: number[] = [];
  const before: number[] = [];
  for (const [index, [, value]] of pairs.entries()) {
    let [low, high] = [0, ends.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((pairs[ends[middle] ?? 0]?.[1] ?? 0) < value) low = middle + 1;
      else high = middle;
    }
    before[index] = ends[low - 1] ?? -1;
    ends[low] = index;
  }
  const series: Pair[] = [];
  for (let index = ends.at(-1) ?? -1; index >= 0; index = before[index] ?? -1) {
    const pair = pairs[index];
    if (pair) series.push(pair);
  }
  return series.reverse();
}
