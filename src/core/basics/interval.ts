/** Milliseconds of an interval that a setting has in seconds: at least 1 s and at most an hour; 0 means never. */
export function intervalOf(seconds: unknown, otherwise: number): number {
  if (typeof seconds !== 'number' || !(seconds >= 0)) return otherwise;
  return seconds === 0 ? 0 : Math.min(Math.max(seconds, 1), 3_600) * 1_000;
}
