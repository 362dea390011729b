import { ApiError } from '../../api/errors';
import { whileAlone } from './windowLock';

/** The last task of each origin that has one under way; never rejects. */
const tails = new Map<string, Promise<void>>();

/**
 * Runs `task` when every task given before for the same service has ended: two changes that each read, merge and post
 * would otherwise undo each other. Other windows on this computer wait as well. Other computers and programs do not: what
 * they store between a save's reading and its post (one round trip) is overwritten, because the service offers nothing to
 * prevent that.
 *
 * Rejects at once with ApiError `cancelled` when `signal` is aborted before the task's turn; after that the signal is
 * the task's own affair.
 */
export function inTurn<T>(origin: string, task: () => Promise<T>, signal?: AbortSignal): Promise<T> {
  const cancelled = () => new ApiError('cancelled', 'POST', '/api/settings');
  let begun = false;
  const run = (tails.get(origin) ?? Promise.resolve()).then(() => {
    if (signal?.aborted) throw cancelled();
    const begin = () => {
      begun = true;
      return task();
    };
    return whileAlone(origin, begin, signal);
  });
  const tail: Promise<void> = run.then(noop, noop).then(() => {
    if (tails.get(origin) === tail) tails.delete(origin);
  });
  tails.set(origin, tail);
  return new Promise((resolve, reject) => {
    const abort = () => {
      if (!begun) reject(cancelled());
    };
    signal?.addEventListener('abort', abort, { once: true });
    if (signal?.aborted) abort();
    run.then(resolve, reject).finally(() => signal?.removeEventListener('abort', abort));
  });
}

const noop = () => undefined;
