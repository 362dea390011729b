import { ApiError } from '../../api/http/errors';
import { InOrder } from '../basics/inOrder';
import type { Hold, SettingsLock } from './safeguards';

/** The tasks of each origin. */
const tasks = new InOrder();

/**
 * Runs `task` when every earlier task for the same service has ended: two changes that each read, merge and post would
 * undo each other. Other windows on this computer wait as well. Other computers and programs don't: what they store
 * between a save's reading and its post (one round trip) is overwritten, because the service offers nothing to prevent
 * it.
 *
 * Rejects with ApiError `busy` if another window keeps its turn.
 */
export function inTurn<T>(origin: string, lock: SettingsLock, task: (hold: Hold) => Promise<T>): Promise<T> {
  return tasks.run(origin, async () => {
    const hold = await lock.take(origin);
    if (hold === undefined) throw busy();
    try {
      return await task(hold);
    } finally {
      hold.release();
    }
  });
}

/** To call right before a post: throws ApiError `busy` when another window has taken this one's turn. */
export function assertHeld(hold: Hold): void {
  if (!hold.isHeld()) throw busy();
}

/** GET: it is about the reading before the post, so nothing was sent. */
const busy = () => new ApiError('busy', 'GET', '/api/settings');
