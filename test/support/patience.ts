/** Milliseconds that tests of windows wait for what they expect: only a failure takes that long, and computers are busy. */
export const patienceMs = 60_000;

/** Likewise, for a whole test. */
export const testMs = 240_000;
