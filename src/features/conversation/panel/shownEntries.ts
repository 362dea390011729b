import { commonEnds } from '../shared/commonEnds';
import type { Entry } from '../../../shared/transcript';
import { entryText } from '../../transcript';

/** Replaces `removed` entries from index `at` on by `added`. */
export interface Splice {
  readonly at: number;
  readonly removed: number;
  readonly added: readonly Entry[];
}

/** How many entries the page gets at once. */
export const pageLength = 200;

/** Characters of the first ones together; fewer entries are enough to fill a window. */
const mostAtFirst = 2_000_000;
const fewest = 20;

/** The end of the transcript that the page has: a few hundred entries at first, more on request. */
export class ShownEntries {
  private entries: readonly Entry[] = [];

  /** The index in `all` of the first entry that the page has or gets next. */
  from(all: readonly Entry[]): number {
    const [first] = this.entries;
    // Sought from the end, since the page has the newest.
    const index = first ? all.findLastIndex(({ id }) => id === first.id) : -1;
    if (index >= 0) return index;
    const { length } = this.entries;
    return Math.max(length === 0 ? firstWithin(all) : 0, all.length - Math.max(pageLength, length));
  }

  /** What the page has to change to show `all` from index `from` on; undefined if nothing. */
  update(all: readonly Entry[], from = this.from(all)): Splice | undefined {
    const next = all.slice(from);
    const splice = spliceBetween(this.entries, next);
    this.entries = next;
    return splice;
  }

  /** Forgets what the page has, because it was loaded again. */
  clear(): void {
    this.entries = [];
  }
}

/** The index of the first of the newest entries that are sent at first, by their texts alone. */
function firstWithin(all: readonly Entry[]): number {
  let left = mostAtFirst;
  let from = all.length;
  while (from > 0 && all.length - from < pageLength) {
    const entry = all[from - 1];
    left -= entry ? entryText(entry).length : 0;
    if (left < 0 && all.length - from >= fewest) break;
    from -= 1;
  }
  return all.length - from < pageLength ? from : 0;
}

/** The shortest change that leads from one list to the other; undefined if they are the same. */
function spliceBetween(before: readonly Entry[], after: readonly Entry[]): Splice | undefined {
  const [at, same] = commonEnds(before, after);
  if (at === before.length && at === after.length) return undefined;
  return { at, removed: before.length - at - same, added: after.slice(at, after.length - same) };
}

type Separator = Extract<Entry, { kind: 'separator' }>;

/** The lines of a transcript that say on which ports programs of the agent began to listen. */
export class PortLines {
  private readonly lines = new Map<string, Separator[]>();
  private drawn: { entries: readonly Entry[]; all: readonly Entry[] } | undefined;

  /** @param after the entry that the line comes after */
  add(port: number, { id, at }: Pick<Entry, 'id' | 'at'>): void {
    const line: Separator = { kind: 'separator', id: `port-${port}`, at, what: 'listening', text: '', port };
    this.lines.set(id, [...(this.lines.get(id) ?? []), line]);
    this.drawn = undefined;
  }

  /** The port that a line is about. */
  portOf(id: string): number | undefined {
    return [...this.lines.values()].flat().find((line) => line.id === id)?.port;
  }

  /** The entries with these lines. The same ones have the same answer. */
  among(entries: readonly Entry[]): readonly Entry[] {
    if (this.lines.size === 0) return entries;
    if (this.drawn?.entries !== entries)
      this.drawn = {
        entries,
        all: entries.flatMap((entry) => [entry, ...(this.lines.get(entry.id) ?? [])]),
      };
    return this.drawn.all;
  }
}
