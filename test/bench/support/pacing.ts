import { systemClock } from '../../../src/api/http/clock';
import { createLimiter, type Limiter } from '../../../src/api/http/limiter';

/** The client's own limiter, doing all its work, on a clock so fast that no request ever waits for its turn. */
export function hastyLimiter(): Limiter {
  let now = 0;
  return createLimiter({ ...systemClock, now: () => (now += 10_000) });
}

/** Time that `work` takes, in milliseconds. */
export async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

/** The longest time that the event loop was blocked while `work` ran, in milliseconds. */
export async function longestBlock(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  let last = performance.now();
  let next: NodeJS.Immediate;
  const turn = (): void => {
    const now = performance.now();
    longest = Math.max(longest, now - last);
    last = now;
    next = setImmediate(turn);
  };
  next = setImmediate(turn);
  await work();
  // Work left for the next turn counts, too.
  for (let turns = 0; turns < 2; turns += 1) await new Promise((resolve) => setImmediate(resolve));
  clearImmediate(next);
  return longest;
}

/** Measures two ways of doing the same thing, `runs` times each, alternating which goes first. */
export async function alternately(
  runs: number,
  ours: () => Promise<number>,
  beside: () => Promise<number>,
): Promise<{ ours: number; beside: number }[]> {
  const pairs = [];
  for (let index = 0; index < runs; index += 1) {
    if (index % 2 === 0) {
      const own = await ours();
      pairs.push({ ours: own, beside: await beside() });
    } else {
      const other = await beside();
      pairs.push({ ours: await ours(), beside: other });
    }
  }
  return pairs;
}
