import type { Entry, StepEntry } from '../../shared/transcript';

export const filters = ['all', 'messages', 'errors'] as const;
export type Filter = (typeof filters)[number];

/** What the transcript is drawn as, from top to bottom. */
export type Item =
  | { kind: 'day'; key: string; at: number }
  /** Steps in a row that only look around, as one line; below it, its entries if it's open. */
  | { kind: 'fold'; key: string; steps: readonly StepEntry[]; open: boolean }
  | { kind: 'entry'; key: string; entry: Entry };

const passes: Readonly<Record<Filter, (entry: Entry) => boolean>> = {
  all: () => true,
  messages: (entry) => entry.kind === 'message' || (entry.kind === 'step' && entry.detail.step === 'finish'),
  errors: (entry) => entry.kind === 'error' || (entry.kind === 'step' && entry.problem !== ''),
};

function looksAround(entry: Entry): entry is StepEntry {
  if (entry.kind !== 'step' || entry.state !== 'done' || entry.problem !== '') return false;
  return entry.detail.step === 'read' || entry.detail.step === 'browser';
}

/**
 * The items for these entries.
 *
 * @param open keys of the folds that are open
 */
export function itemsOf(entries: readonly Entry[], filter: Filter, open: ReadonlySet<string>): Item[] {
  const shown = entries.filter(passes[filter]);
  const items: Item[] = [];
  let day: string | undefined;
  for (const run of runsOf(shown)) {
    const [first] = run;
    const present = dayOf(first.at);
    if (present !== day) items.push({ kind: 'day', key: `day:${first.id}`, at: first.at });
    day = present;
    const steps = run.filter(looksAround);
    const isFold = steps.length > 1;
    const key = `fold:${first.id}`;
    const isOpen = open.has(key);
    if (isFold) items.push({ kind: 'fold', key, steps, open: isOpen });
    if (!isFold || isOpen) items.push(...run.map((entry): Item => ({ kind: 'entry', key: entry.id, entry })));
  }
  return items;
}

/** The day of a time where the user is. */
function dayOf(at: number): string {
  return new Date(at).toDateString();
}

/** Entries of a day that only look around, in a row; any other entry by itself. */
function runsOf(entries: readonly Entry[]): [Entry, ...Entry[]][] {
  const runs: [Entry, ...Entry[]][] = [];
  for (const entry of entries) {
    const last = runs.at(-1);
    const continues =
      last && looksAround(entry) && looksAround(last[0]) && dayOf(last[0].at) === dayOf(entry.at);
    if (continues) last.push(entry);
    else runs.push([entry]);
  }
  return runs;
}

/** The index of the item that shows an entry, or folds it; -1 if none does. */
export function indexOfEntry(items: readonly Item[], id: string): number {
  const own = items.findIndex(({ key }) => key === id);
  if (own >= 0) return own;
  return items.findIndex((item) => item.kind === 'fold' && item.steps.some((step) => step.id === id));
}
