import { isDecision } from '../../../shared/entryTitles';
import type { Entry } from '../../../shared/transcript';

/** What a turn folds, and what stays on screen of it: errors, and the agent’s answer at its end. */
export interface Turn {
  /** All of it: from the user’s message, if that is here, to the end of the answer. */
  entries: readonly Entry[];
  /** What is between the message and the answer. */
  work: readonly [Entry, ...Entry[]];
  /** That of it which stays on screen. */
  stays: readonly Entry[];
}

/** Turns that fold less than this aren’t folded: their line would take nearly as much room. */
const fewest = 5;

export const isUser = (entry: Entry | undefined): boolean =>
  entry?.kind === 'message' && entry.from === 'user';

/** Errors, and steps with one. */
export const isProblem = (entry: Entry): boolean =>
  entry.kind === 'error' || (entry.kind === 'step' && entry.problem.text !== '');

/** What a fold must not hide. */
const isNeverFolded = (entry: Entry): boolean =>
  isProblem(entry) ||
  (entry.kind === 'separator' && (entry.what === 'gap' || entry.what === 'listening' || isDecision(entry))) ||
  (entry.kind === 'step' && (entry.hooks?.some(({ outcome }) => outcome !== 'passed') ?? false));

const isAnswer = (entry: Entry): boolean =>
  (entry.kind === 'message' && entry.from === 'agent') ||
  (entry.kind === 'step' && entry.detail.step === 'finish');

/** What says nothing about whether the agent is done. */
const isAside = (entry: Entry | undefined): boolean =>
  entry?.kind === 'separator' || (entry?.kind === 'message' && entry.from === 'environment');

/** Indexes at which turns begin, with the first entry’s. */
function startsOf(entries: readonly Entry[]): number[] {
  return entries.flatMap((entry, index) => (index === 0 || isUser(entry) ? [index] : []));
}

/**
 * The index of the first turn that may continue: the last one while the agent works or has given no answer, and those
 * before it that were answered together with it.
 */
export function openFrom(entries: readonly Entry[], isWorking: boolean): number {
  let [end, isOpen] = [entries.length, isWorking];
  while (end > 0) {
    let start = end - 1;
    while (start > 0 && !isUser(entries[start])) start -= 1;
    if (!isOpen && hasEnded(entries, start, end)) return end;
    [end, isOpen] = [start, false];
  }
  return 0;
}

function hasEnded(entries: readonly Entry[], start: number, end: number): boolean {
  for (let index = end - 1; index >= start; index -= 1) {
    const entry = entries[index];
    if (entry && !isAside(entry)) return isAnswer(entry) || entry.kind === 'error';
  }
  return false;
}

/** The entries in order, apart from each other where a turn that’s over folds. */
export function partsOf(entries: readonly Entry[], open: number): (readonly Entry[] | Turn)[] {
  const starts = startsOf(entries);
  return starts.flatMap((start, at) => {
    const turn = entries.slice(start, starts[at + 1] ?? entries.length);
    const from = isUser(turn[0]) ? 1 : 0;
    let to = turn.findLastIndex((entry) => !isLast(entry)) + 1;
    while (isAside(turn[to])) to += 1;
    const [first, ...others] = turn.slice(from, to);
    const stays = turn.slice(from, to).filter(isNeverFolded);
    if (start >= open || !first || to - from - stays.length < fewest) return [turn];
    return [turn.slice(0, from), { entries: turn, work: [first, ...others], stays }, turn.slice(to)];
  });
}

/** What can come at the end of a turn after its steps. */
const isLast = (entry: Entry): boolean => isAnswer(entry) || isAside(entry) || entry.kind === 'error';

/** What the line of a folded turn says. */
export interface TurnFacts {
  steps: number;
  files: number;
  added: number;
  removed: number;
  errors: number;
  /** Milliseconds of work, without those spent waiting for a person; null if unknown. */
  took: number | null;
}

export function turnFacts({ entries }: Turn): TurnFacts {
  const steps = entries.filter((entry) => entry.kind === 'step');
  const edits = steps.flatMap(({ state, detail }) =>
    state === 'done' && detail.step === 'edit' ? [detail] : [],
  );
  const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
  const isError = (entry: Entry) =>
    isProblem(entry) && !(entry.kind === 'step' && entry.state === 'rejected');
  return {
    steps: steps.filter(({ detail }) => detail.step !== 'finish').length,
    files: new Set(edits.map(({ path }) => path)).size + sum(edits.map(({ files = 1 }) => files - 1)),
    added: sum(edits.map(({ added }) => added)),
    removed: sum(edits.map(({ removed }) => removed)),
    errors: entries.filter(isError).length,
    took: workOf(entries),
  };
}

/** How long the agent worked. What waits at the same time is counted once. */
function workOf(entries: readonly Entry[]): number | null {
  const [from, to] = [entries[0], entries.findLast((entry) => !isAside(entry))];
  if (!from || !to) return null;
  let [work, counted] = [to.at - from.at, from.at];
  for (const [index, entry] of entries.entries()) {
    const end = waitEnd(entry, entries[index + 1]);
    if (end === null) return null;
    work -= Math.max(0, Math.min(end, to.at) - Math.max(entry.at, counted));
    counted = Math.max(counted, end);
  }
  return Math.max(0, work);
}

/** When the wait for a person that began with this entry ended; null if unknown. */
function waitEnd(entry: Entry, next: Entry | undefined): number | null {
  if (entry.kind === 'step' && entry.waited !== undefined)
    return entry.waited === null ? null : entry.at + entry.waited;
  const isStop = entry.kind === 'separator' && (entry.what === 'paused' || entry.what === 'interrupted');
  return isStop && next ? next.at : entry.at;
}
