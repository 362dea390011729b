/** Time and chance, so that tests need not wait for either. */
export interface Clock {
  /** Milliseconds that only ever grow, whatever happens to the machine's date. */
  now(): number;
  /** Milliseconds since 1970, to compare with dates that a server names. */
  date(): number;
  /** From 0 up to 1. */
  random(): number;
  /** Runs `callback` once after `ms`; the function returned prevents it. */
  after(ms: number, callback: () => void): () => void;
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
