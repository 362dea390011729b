import { type Clock, systemClock } from './clock';

/** The most simultaneous requests to one origin. */
const concurrent = 4;

/**
 * At most `startsPerWindow` requests begin in a window. The window is a little longer than the second that is promised,
 * so that a first request held up on its way does not arrive as the ninth of a second.
 */
const startsPerWindow = 8;
const windowMs = 1_100;

/** Holds requests back so that one origin never sees more than 4 at once and 8 started in any second. */
export interface Limiter {
  /**
   * Waits for a turn, first come first served. Resolves to the function that gives the turn back, to be called once.
   * Rejects with the signal's reason if it’s aborted first.
   */
  enter(signal?: AbortSignal): Promise<() => void>;
}

/** Makes a limiter that shares its turns with no other. */
export function createLimiter(clock: Clock = systemClock): Limiter {
  const queue = new Set<() => void>();
  const starts: number[] = [];
  let active = 0;
  let cancelWake: (() => void) | undefined;

  const pump = () => {
    cancelWake?.();
    cancelWake = undefined;
    for (const start of queue) {
      if (active >= concurrent) return;
      const oldest = starts.length < startsPerWindow ? undefined : starts[0];
      const wait = oldest === undefined ? 0 : oldest + windowMs - clock.now();
      if (wait > 0) {
        cancelWake = clock.after(Math.ceil(wait), pump);
        return;
      }
      if (oldest !== undefined) starts.shift();
      starts.push(clock.now());
      active += 1;
      queue.delete(start);
      start();
    }
  };

  const leave = () => {
    active -= 1;
    pump();
  };

  return {
    enter: (signal) =>
      new Promise((resolve, reject) => {
        const onAbort = () => {
          queue.delete(start);
          pump();
          reject(signal?.reason as Error);
        };
        const start = () => {
          signal?.removeEventListener('abort', onAbort);
          resolve(leave);
        };
        if (signal?.aborted === true) {
          reject(signal.reason as Error);
          return;
        }
        queue.add(start);
        pump();
        if (queue.has(start)) signal?.addEventListener('abort', onAbort, { once: true });
      }),
  };
}

const limiters = new Map<string, Limiter>();

/** The limiter that all clients of an origin in this process share. */
export function limiterFor(origin: string): Limiter {
  const known = limiters.get(origin);
  if (known !== undefined) return known;
  const limiter = createLimiter();
  limiters.set(origin, limiter);
  return limiter;
}
