import { ApiError } from '../../api/http/errors';
import { InOrder } from '../basics/inOrder';
import type { Hold, WindowLock } from './safeguards';

/** The tasks of each origin. */
const tasks = new InOrder();

/**
 * Runs `task` when every earlier task for the same service has ended: two changes that each read, merge and post would
 * undo each other. Other windows on this computer wait as well. Other computers and programs don't: what they store
 * between a save's reading and its post (one round trip) is overwritten, because the service offers nothing to prevent
 * it.
 *
 * Rejects with ApiError `canceled` as soon as `signal` is aborted before the task's turn; after that, the task itself
 * handles the signal. Rejects with ApiError `busy` if another window keeps its turn.
 */
export function inTurn<T>(
  origin: string,
  lock: WindowLock,
  task: (hold: Hold) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  const canceled = () => new ApiError('canceled', 'POST', '/api/settings');
  let begun = false;
  const run = tasks.run(origin, async () => {
    if (signal?.aborted) throw canceled();
    const hold = await lock.take(origin, signal);
    if (hold === undefined) throw busy();
    begun = true;
    try {
      return await task(hold);
    } finally {
      hold.release();
    }
  });
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (!begun) reject(canceled());
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    run.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });
}

/** To call right before a post: throws ApiError `busy` when another window has taken this one's turn. */
export function assertHeld(hold: Hold): void {
  if (!hold.isHeld()) throw busy();
}

/** GET: it is about the reading before the post, so nothing was sent. */
const busy = () => new ApiError('busy', 'GET', '/api/settings');
