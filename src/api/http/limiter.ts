import { type Clock, systemClock } from './clock';
import { onAbort } from './signals';

/** How much of one origin a limiter takes. */
interface Bounds {
  /** Requests at once. */
  concurrent: number;
  /** Requests that begin in a window. */
  startsPerWindow: number;
}

/** Of everything but terminals. */
const usual: Bounds = { concurrent: 4, startsPerWindow: 8 };
/** Of terminals: a key and its echo are three or four requests, and 12 keys a second are fast typing. */
const ofTerminals: Bounds = { concurrent: 4, startsPerWindow: 48 };
/** Of quiet terminals: each has one request that waits up to a minute. */
const ofWaiting: Bounds = { concurrent: 16, startsPerWindow: 8 };

/**
 * The window is a little longer than the second that is promised,
 * so that a first request held up on its way does not arrive as the ninth of a second.
 */
const windowMs = 1_100;

/** Holds requests back so that one origin never sees more than its bounds: usually 4 at once, 8 started in any second. */
export interface Limiter {
  /**
   * Waits for a turn, first come first served. Resolves to the function that gives the turn back, to be called once.
   * Rejects with the signal's reason if it’s aborted first.
   */
  enter(signal?: AbortSignal): Promise<() => void>;
}

/** Makes a limiter that shares its turns with no other. */
export const createLimiter = (clock: Clock = systemClock, bounds: Bounds = usual): Limiter =>
  sharing(clock, bounds)();

/** Makes limiters that share their turns: those of the first come before all others, and so on. */
function sharing(clock: Clock, { concurrent, startsPerWindow }: Bounds): () => Limiter {
  const queues: Set<() => void>[] = [];
  const starts: number[] = [];
  let active = 0;
  let cancelWake: (() => void) | undefined;

  const pump = () => {
    cancelWake?.();
    cancelWake = undefined;
    for (;;) {
      const queue = queues.find(({ size }) => size > 0);
      const start = queue?.values().next().value;
      if (!start) return;
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

  return () => {
    const queue = new Set<() => void>();
    queues.push(queue);
    return {
      enter: (signal) =>
        new Promise((resolve, reject) => {
          let leaveSignal: (() => void) | undefined;
          const end = () => {
            queue.delete(start);
            pump();
            reject(signal?.reason as Error);
          };
          const start = () => {
            leaveSignal?.();
            resolve(leave);
          };
          if (signal?.aborted === true) {
            reject(signal.reason as Error);
            return;
          }
          queue.add(start);
          pump();
          if (signal && queue.has(start)) leaveSignal = onAbort(signal, end);
        }),
    };
  };
}

const limiters = new Map<string, Limiter>();

/** The limiter that all clients of an origin in this process share. */
export function limiterFor(origin: string): Limiter {
  const limiter = limiters.get(origin) ?? createLimiter();
  limiters.set(origin, limiter);
  return limiter;
}

/** The turns of terminals in sandboxes. */
export interface TerminalLimiters {
  /** For what is typed: before all else. */
  keys: Limiter;
  /** For what is on screen. */
  output: Limiter;
  /** For requests that wait until there is output: they keep nobody from typing. */
  waiting: Limiter;
}

const terminals = new Map<string, TerminalLimiters>();

/**
 * What all terminals of an origin share. Their turns are beside those of its other requests, whose queue would make
 * people wait for each letter: 4 at once and 48 started in any second, keys before output; and up to 16 that wait, 8 of
 * which start in any second.
 */
export function terminalLimitersFor(origin: string): TerminalLimiters {
  const limiters = terminals.get(origin) ?? createTerminalLimiters();
  terminals.set(origin, limiters);
  return limiters;
}

/** Makes limiters that share their turns with no other terminals. */
export function createTerminalLimiters(clock: Clock = systemClock): TerminalLimiters {
  const next = sharing(clock, ofTerminals);
  const keys = next();
  return { keys, output: next(), waiting: createLimiter(clock, ofWaiting) };
}
