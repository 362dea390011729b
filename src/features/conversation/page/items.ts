import { commonEnds } from '../shared/commonEnds';
import type { Entry, StepEntry, Written } from '../../../shared/transcript';
import { isProblem, isUser, openFrom, partsOf, type Turn } from './turns';

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
  | { kind: 'fold'; steps: readonly [StepEntry, ...StepEntry[]]; open: boolean }
  /** A turn that’s over, as one line; below it, its entries if it’s open, else only its errors. */
  | { kind: 'turn'; turn: Turn; isPart: boolean; open: boolean }
  | { kind: 'entry'; entry: Entry; isBeingWritten?: true }
);

/** Whether a filter shows an entry. */
export const filterPasses: Readonly<Record<Filter, (entry: Entry) => boolean>> = {
  all: () => true,
  messages: (entry) => entry.kind === 'message' || (entry.kind === 'step' && entry.detail.step === 'finish'),
  errors: isProblem,
};

function looksAround(entry: Entry): entry is StepEntry {
  if (entry.kind !== 'step' || entry.state !== 'done' || entry.problem.text !== '') return false;
  return entry.detail.step === 'read' || entry.detail.step === 'browser';
}

/** How entries are shown. */
export interface View {
  filter: Filter;
  /** Keys of the folds and turns that are open. */
  open: ReadonlySet<string>;
  /** Whether the agent works on the last turn. */
  isWorking: boolean;
  /** Whether there are entries before these. */
  hasOlder: boolean;
}

/** The items for these entries. */
export function itemsOf(entries: readonly Entry[], view: View): Item[] {
  return itemsBetween(entries, view, { turnsTo: openFrom(entries, view.isWorking) });
}

/** A time of the day of an item, of which it’s the first one’s: the others may be folded. */
function timeOf(item: Item): number {
  if (item.kind === 'day') return item.at;
  if (item.kind === 'entry') return item.entry.at;
  return item.kind === 'turn' ? item.turn.work[0].at : item.steps[0].at;
}

/** A part of the entries: how many of it may be folded to turns, and what is shown before it. */
interface Part {
  turnsTo: number;
  before?: Item | undefined;
}

function itemsBetween(
  entries: readonly Entry[],
  { filter, open, hasOlder }: View,
  { turnsTo, before }: Part,
): Item[] {
  const items: Item[] = [];
  let day = before && dayOf(timeOf(before));
  const begin = ({ id, at }: Entry) => {
    if (!isIn(day, at)) items.push({ kind: 'day', key: `day:${id}`, at });
    day = dayOf(at, day);
  };
  const add = (shown: readonly Entry[]) => {
    for (const run of runsOf(shown)) {
      const [first] = run;
      begin(first);
      const [step, ...more] = run.filter(looksAround);
      const key = `fold:${first.id}`;
      const isOpen = open.has(key);
      const isFold = step !== undefined && more.length > 0;
      if (isFold) items.push({ kind: 'fold', key, steps: [step, ...more], open: isOpen });
      if (!isFold || isOpen)
        items.push(...run.map((entry): Item => ({ kind: 'entry', key: entry.id, entry })));
    }
  };
  if (filter !== 'all') {
    add(entries.filter(filterPasses[filter]));
    return items;
  }
  for (const part of partsOf(entries, turnsTo)) {
    if (!('work' in part)) {
      add(part);
      continue;
    }
    // Earlier entries may still be added to its beginning.
    const key = `turn:${part.work.at(-1)?.id}`;
    const isPart = hasOlder && !before && part.entries[0] === entries[0] && !isUser(entries[0]);
    begin(part.work[0]);
    items.push({ kind: 'turn', key, turn: part, isPart, open: open.has(key) });
    add(open.has(key) ? part.work : part.stays);
  }
  return items;
}

/** The items with what the agent is writing below them, until the entry that has all of it is there. */
export function withWritten(
  items: readonly Item[],
  entries: readonly Entry[],
  filter: Filter,
  written: Written | null | undefined,
): readonly Item[] {
  if (!written || filter === 'errors') return items;
  const { id, text } = written;
  if (entries.findLast((entry) => entry.id === id)) return items;
  const said = { text: { text, length: text.length }, images: 0, thought: '' };
  const entry: Entry = { kind: 'message', from: 'agent', id, at: entries.at(-1)?.at ?? 0, ...said };
  return [...items, { kind: 'entry', key: id, entry, isBeingWritten: true }];
}

interface Made {
  entries: readonly Entry[];
  view: View;
  /** Keys of the open folds and turns. */
  folds: string;
  /** From where on turns aren’t over. */
  turnsTo: number;
  items: Item[];
}

/**
 * Makes the items after each change and keeps what hasn't changed, so a long transcript costs no more than a short one.
 */
export class ItemMaker {
  private made: Made | undefined;

  itemsOf(entries: readonly Entry[], view: View): Item[] {
    const { made } = this;
    const folds = [...view.open].filter((key) => /^(?:fold|turn):/.test(key)).join(' ');
    const turnsTo = openFrom(entries, view.isWorking);
    const isSame =
      made?.folds === folds &&
      (['filter', 'isWorking', 'hasOlder'] as const).every((name) => made.view[name] === view[name]);
    if (isSame && made.entries === entries) return made.items;
    const items = isSame ? spliced(made, entries, view, turnsTo) : itemsBetween(entries, view, { turnsTo });
    this.made = { entries, view, folds, turnsTo, items };
    return items;
  }
}

/** The items after entries were added, replaced, or removed somewhere. */
function spliced(made: Made, now: readonly Entry[], view: View, turnsTo: number): Item[] {
  const { entries: old, items } = made;
  const [start, same] = commonEnds(old, now);
  const isAmongOpen = start > turnsTo && turnsTo === made.turnsTo;
  return view.filter !== 'all' || isAmongOpen
    ? splicedEntries(made, now, view, [start, same])
    : splicedTurns(items, [old, now], view, [Math.min(start, turnsTo, made.turnsTo), same, turnsTo]);
}

function splicedEntries(
  { entries: old, items }: Made,
  now: readonly Entry[],
  view: View,
  [start, same]: [number, number],
): Item[] {
  // An entry that's shown by itself separates the entries before it from those after it.
  const isApart = (entry: Entry | undefined) =>
    entry !== undefined && filterPasses[view.filter](entry) && !looksAround(entry);
  while (start > 0 && !isApart(old[start - 1])) start -= 1;
  while (same > 0 && !isApart(old[old.length - same])) same -= 1;
  const [before, after] = [old[start - 1], old[old.length - same]];
  const keptBefore = before ? items.findLastIndex(({ key }) => key === before.id) + 1 : 0;
  const keptAfter = same > 0 && after ? items.findLastIndex(({ key }) => key === after.id) + 1 : items.length;
  const changed = now.slice(start, now.length - same + (same > 0 ? 1 : 0));
  return items
    .slice(0, keptBefore)
    .concat(
      itemsBetween(changed, view, { turnsTo: 0, before: items[keptBefore - 1] }),
      items.slice(keptAfter),
    );
}

/** The items with whole turns replaced, where entries are folded by turn. */
function splicedTurns(
  items: readonly Item[],
  [old, now]: [readonly Entry[], readonly Entry[]],
  view: View,
  [start, same, turnsTo]: [number, number, number],
): Item[] {
  const begins = (entries: readonly Entry[], index: number) =>
    index === entries.length || isUser(entries[index]);
  while (start > 0 && !(begins(old, start) && begins(now, start))) start -= 1;
  while (same > 0 && !isUser(old[old.length - same])) same -= 1;
  // What changes is mostly near the end.
  const placeOf = (entry: Entry | undefined) =>
    entry ? items.findLastIndex(({ key }) => key === entry.id) : items.length;
  const first = placeOf(old[start]);
  const keptBefore = start === 0 ? 0 : items[first - 1]?.kind === 'day' ? first - 1 : first;
  const keptAfter = same > 0 ? placeOf(old[old.length - same]) + 1 : items.length;
  const changed = now.slice(start, now.length - same + (same > 0 ? 1 : 0));
  const made = itemsBetween(changed, view, { turnsTo: turnsTo - start, before: items[keptBefore - 1] });
  return items.slice(0, keptBefore).concat(made, items.slice(keptAfter));
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

/** The item that folds an entry out of sight. */
export function foldOf(items: readonly Item[], id: string): Item | undefined {
  return items.find((item) => 'open' in item && !item.open && foldsEntry(item, id));
}

/** Whether an item folds an entry. */
export function foldsEntry(item: Item, id: string): boolean {
  const has = (entries: readonly Entry[]) => entries.some((entry) => entry.id === id);
  if (item.kind === 'fold') return has(item.steps);
  return item.kind === 'turn' && has(item.turn.work) && !has(item.turn.stays);
}

/** The id of the entry that an item shows or is named after. */
export const entryOf = (key: string): string => key.replace(/^(?:day|fold|turn):/, '');
