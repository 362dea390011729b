import { Refusal } from '../basics/refusal';
import type { ConversationModel } from './model';
import { cannotReach } from './words';

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
  const holder = model.keepCurrent();
  try {
    await new Promise<void>((resolve) => {
      const check = () => {
        if (!end.aborted && model.readings <= before) return;
        following.dispose();
        end.removeEventListener('abort', check);
        resolve();
      };
      const following = model.onDidChange(check);
      end.addEventListener('abort', check);
      check();
    });
    return end.aborted ? undefined : await act();
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
