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
  const ends = [signal, model.signal];
  const isOver = () => ends.some(({ aborted }) => aborted);
  const before = model.isCurrent ? 0 : model.readings;
  const isRead = () => isOver() || model.readings > before;
  const holder = model.keepCurrent();
  try {
    await new Promise<void>((resolve) => {
      if (isRead()) {
        resolve();
        return;
      }
      const check = () => {
        if (!isRead()) return;
        following.dispose();
        for (const end of ends) end.removeEventListener('abort', check);
        resolve();
      };
      const following = model.onDidChange(check);
      for (const end of ends) end.addEventListener('abort', check);
    });
    return isOver() ? undefined : await act();
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
