import type { Limit } from '../../../shared/transcript';
import { Refusal } from '../../../core/basics/refusal';
import type { ConversationModel } from './model';
import { cannotReach } from '../../transcript';

/**
 * Runs work on a conversation that was just read, and keeps it current until the work ends: nothing is sent to an agent
 * whose state isn’t known.
 *
 * @returns undefined if the signal or the end of the connection ends the wait
 */
export async function onceRead<T>(
  model: ConversationModel,
  signal: AbortSignal,
  act: () => Promise<T>,
): Promise<T | undefined> {
  const end = AbortSignal.any([signal, model.signal]);
  const before = model.isCurrent ? 0 : model.readings;
  return once(
    model,
    end,
    () => model.readings > before,
    async () => (end.aborted ? undefined : act()),
  );
}

/** Milliseconds after which a conversation without entries is shown empty. */
const fillingMs = 4_000;

/** Limits that may be gone in a moment, so that there are entries. */
const filling: ReadonlySet<Limit> = new Set(['none', 'stored', 'busy']);

/**
 * Acts once a new conversation has its first entry, or once waiting for it is pointless; keeps it current until then.
 */
export function onceFilled(
  model: ConversationModel,
  signal: AbortSignal,
  act: () => Promise<void> | void,
): Promise<void> {
  const end = AbortSignal.any([signal, model.signal, AbortSignal.timeout(fillingMs)]);
  const isFilled = () => model.entries.length > 0 || (model.readings > 0 && !filling.has(model.head.limit));
  return once(model, end, isFilled, async () => act());
}

/**
 * Keeps a conversation current until what the caller waits for has happened, or the signal was aborted, and `act` has
 * ended.
 */
async function once<T>(
  model: ConversationModel,
  end: AbortSignal,
  hasHappened: () => boolean,
  act: () => Promise<T>,
): Promise<T> {
  const holder = model.keepCurrent();
  try {
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!end.aborted && !hasHappened()) return;
        following.dispose();
        end.removeEventListener('abort', check);
        resolve();
      };
      const following = model.onDidChange(check);
      end.addEventListener('abort', check);
      check();
    });
    return await act();
  } finally {
    holder.dispose();
  }
}

/**
 * Reads all events of a conversation, however few are held. Ends with the signal; throws a Refusal if some are
 * unreadable.
 */
export async function allRead(model: ConversationModel, signal: AbortSignal): Promise<void> {
  await onceRead(model, signal, () => model.loadAll(signal));
  const { readAt, hasOlder, problem } = model.head;
  if (!signal.aborted && (readAt === null || hasOlder)) throw new Refusal(problem || cannotReach.none());
}
