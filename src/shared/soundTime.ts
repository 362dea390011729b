/** How far the clocks of two windows may differ, in milliseconds. */
const clockLeeway = 24 * 60 * 60 * 1_000;

/** A stored time in milliseconds since the epoch; 0 for one that no working clock gave, which nothing later could exceed. */
export function soundTime(time: number): number {
  return time >= 0 && time <= Date.now() + clockLeeway ? time : 0;
}

/** The time of a change that is made now, later than that of the change before, whatever the clock shows. */
export function nextRevision(before: number): number {
  return Math.max(soundTime(before) + 1, Date.now());
}
