import type { Entry, Head } from '../../shared/transcript';
import type { Disposable } from '../basics/emitter';
import type { LiveChange, LiveSource } from './liveStates';

/** A conversation that may be followed. */
export interface Telling {
  readonly id: string;
  readonly head: Head;
  readonly entries: readonly Entry[];
  /** Whether what it says was read since somebody began to look. */
  readonly isFresh: boolean;
  lookAgain(): void;
}

/** The outcome of an agent’s work on the last message. */
export interface WorkResult {
  /** Lines that its edits added and removed. */
  added: number;
  removed: number;
  /** What the agent said last; empty if nothing. */
  lastWords: string;
}

interface Lists {
  hear(id: string, change: LiveChange, source: LiveSource): void;
  took(id: string, result: WorkResult): void;
}

/** Tells the lists what open conversations say, whenever they say it; costs no request. */
export function tellLists(
  models: { onDidTell(listener: (model: Telling) => void): Disposable },
  lists: Lists,
): Disposable {
  return models.onDidTell((model) => {
    const change = changeOf(model);
    if (!change) return;
    const result = model.head.execution === 'finished' ? resultOf(model) : undefined;
    if (result && !isEmpty(result)) lists.took(model.id, result);
    lists.hear(model.id, change, {
      follows: () => changeOf(model) !== undefined,
      lookAgain: () => model.lookAgain(),
    });
  });
}

const isEmpty = ({ added, removed, lastWords }: WorkResult) => added + removed === 0 && lastWords === '';

/** What a conversation says about itself; undefined while others know as much. */
function changeOf({ head, isFresh }: Telling): LiveChange | undefined {
  const { limit, execution, problem } = head;
  if (!isFresh || problem !== '') return undefined;
  if (limit === 'asleep') return { execution_status: null, sandbox_status: 'PAUSED' };
  if (limit === 'gone') return { execution_status: null, sandbox_status: 'MISSING' };
  if (execution === 'unknown' || (limit !== 'none' && limit !== 'busy')) return undefined;
  const { cost, tokens } = head;
  return {
    execution_status: execution,
    ...((cost !== null || tokens !== null) && { used: { cost, tokens } }),
    isUninterruptible: execution === 'running' && !head.canInterrupt,
  };
}

/** The outcome of the work since the user’s last message; undefined if not all of it is known. */
export function resultOf({ entries, head }: Pick<Telling, 'entries' | 'head'>): WorkResult | undefined {
  const asked = entries.findLastIndex((entry) => entry.kind === 'message' && entry.from === 'user');
  if (asked < 0 && head.hasOlder) return undefined;
  const result: WorkResult = { added: 0, removed: 0, lastWords: '' };
  for (const entry of entries.slice(asked + 1)) {
    if (entry.kind === 'message' && entry.from === 'agent') result.lastWords = entry.text.text;
    if (entry.kind !== 'step' || entry.state !== 'done') continue;
    const { detail } = entry;
    if (detail.step === 'finish' && detail.text !== '') result.lastWords = detail.text;
    if (detail.step !== 'edit') continue;
    result.added += detail.added;
    result.removed += detail.removed;
  }
  return result;
}
