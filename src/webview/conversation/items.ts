import { commonEnds } from '../../shared/commonEnds';
import type { Entry, StepEntry } from '../../shared/transcript';

export const filters = ['all', 'messages', 'errors'] as const;
export type Filter = (typeof filters)[number];

/** What the transcript is drawn as, from top to bottom. */
export type Item = {
  key: string;
  /** In pixels, once it was drawn; null if it wasn't. */
  height?: number | null;
} & (
  | { kind: 'day'; at: number }
  /** Steps in a row that only look around, as one line; below it, its entries if it's open. */
  | { kind: 'fold'; steps: readonly StepEntry[]; open: boolean }
  | { kind: 'entry'; entry: Entry }
);

/** Whether a filter shows an entry. */
export const passes: Readonly<Record<Filter, (entry: Entry) => boolean>> = {
  all: () => true,
  messages: (entry) => entry.kind === 'message' || (entry.kind === 'step' && entry.detail.step === 'finish'),
  errors: (entry) => entry.kind === 'error' || (entry.kind === 'step' && entry.problem.text !== ''),
};

function looksAround(entry: Entry): entry is StepEntry {
  if (entry.kind !== 'step' || entry.state !== 'done' || entry.problem.text !== '') return false;
  return entry.detail.step === 'read' || entry.detail.step === 'browser';
}

/**
 * The items for these entries.
 *
 * @param open keys of the folds that are open
 * @param before the entry that is shown before them
 */
export function itemsOf(
  entries: readonly Entry[],
  filter: Filter,
  open: ReadonlySet<string>,
  before?: Entry,
): Item[] {
  const shown = entries.filter(passes[filter]);
  const items: Item[] = [];
  let day = before && dayOf(before.at);
  for (const run of runsOf(shown)) {
    const [first] = run;
    if (!isIn(day, first.at)) items.push({ kind: 'day', key: `day:${first.id}`, at: first.at });
    day = dayOf(first.at, day);
    const steps = run.filter(looksAround);
    const isFold = steps.length > 1;
    const key = `fold:${first.id}`;
    const isOpen = open.has(key);
    if (isFold) items.push({ kind: 'fold', key, steps, open: isOpen });
    if (!isFold || isOpen) items.push(...run.map((entry): Item => ({ kind: 'entry', key: entry.id, entry })));
  }
  return items;
}

interface Made {
  entries: readonly Entry[];
  filter: Filter;
  /** Keys of the open folds. */
  folds: string;
  items: Item[];
}

/**
 * Makes the items after each change and keeps what hasn't changed, so a long transcript costs no more than a short one.
 */
export class ItemMaker {
  private made: Made = { entries: [], filter: 'all', folds: '', items: [] };

  itemsOf(entries: readonly Entry[], filter: Filter, open: ReadonlySet<string>): Item[] {
    const { made } = this;
    const folds = [...open].filter((key) => key.startsWith('fold:')).join(' ');
    const isSame = made.filter === filter && made.folds === folds;
    if (isSame && made.entries === entries) return made.items;
    const items = isSame ? spliced(made, entries, open) : itemsOf(entries, filter, open);
    this.made = { entries, filter, folds, items };
    return items;
  }
}

/** The items after entries were added, replaced, or removed somewhere. */
function spliced(
  { entries: old, filter, items }: Made,
  now: readonly Entry[],
  open: ReadonlySet<string>,
): Item[] {
  let [start, same] = commonEnds(old, now);
  // An entry that's shown by itself separates the entries before it from those after it.
  const isApart = (entry: Entry | undefined) =>
    entry !== undefined && passes[filter](entry) && !looksAround(entry);
  while (start > 0 && !isApart(old[start - 1])) start -= 1;
  while (same > 0 && !isApart(old[old.length - same])) same -= 1;
  const [before, after] = [old[start - 1], old[old.length - same]];
  const keptBefore = before ? items.findLastIndex(({ key }) => key === before.id) + 1 : 0;
  const keptAfter = same > 0 && after ? items.findIndex(({ key }) => key === after.id) + 1 : items.length;
  const fresh = itemsOf(now.slice(start, now.length - same + (same > 0 ? 1 : 0)), filter, open, before);
  return items.slice(0, keptBefore).concat(fresh, items.slice(keptAfter));
}

/** A day where the user is: from its first millisecond to the one after its last. */
interface Day {
  from: number;
  to: number;
}

const isIn = (day: Day | undefined, at: number) => day !== undefined && at >= day.from && at < day.to;

/** The day of a time; `known` if that is it. */
function dayOf(at: number, known?: Day): Day {
  if (known && isIn(known, at)) return known;
  const date = new Date(at);
  const [year, month, day] = [date.getFullYear(), date.getMonth(), date.getDate()];
  return { from: new Date(year, month, day).getTime(), to: new Date(year, month, day + 1).getTime() };
}

/** Entries of a day that only look around, in a row; any other entry by itself. */
function runsOf(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const runs: [Entry, ...Entry[]][] = [];
  let day: Day | undefined;
  for (const entry of entries) {
    const last = runs.at(-1);
    const continues = last && looksAround(entry) && looksAround(last[0]) && isIn(day, entry.at);
    if (continues) last.push(entry);
    else runs.push([entry]);
    day = dayOf(entry.at, day);
  }
  return runs;
}

/** The index of the item with this key, which is probably near `about`; -1 if there is none. */
export function indexOfKey(items: readonly Item[], key: string, about: number): number {
  const most = Math.max(about, items.length - about);
  for (let away = 0; away <= most; away += 1) {
    if (items[about + away]?.key === key) return about + away;
    if (items[about - away]?.key === key) return about - away;
  }
  return -1;
}

/** The index of the item that shows an entry, or folds it; -1 if none does. */
export function indexOfEntry(items: readonly Item[], id: string): number {
  const own = items.findIndex(({ key }) => key === id);
  if (own >= 0) return own;
  return items.findIndex((item) => item.kind === 'fold' && item.steps.some((step) => step.id === id));
}
