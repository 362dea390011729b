/** Time and randomness, replaceable in tests. */
export interface Clock {
  /** Milliseconds that only increase, even if the system clock changes. */
  now: () => number;
  /** Milliseconds since 1970, to compare with a server's dates. */
  date: () => number;
  /** From 0 up to 1. */
  random: () => number;
  /** Runs `callback` once after `ms`; the returned function cancels it. */
  after: (ms: number, callback: () => void) => () => void;
}

/** The time of the computer. */
export const systemClock: Clock = {
  now: () => performance.now(),
  date: () => Date.now(),
  random: () => Math.random(),
  after: (ms, callback) => {
    const timer = setTimeout(callback, ms);
    return () => clearTimeout(timer);
  },
};
