const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/** Each unit, and where the next one begins. */
const units = [
  { letter: 'm', ms: minute, end: hour },
  { letter: 'h', ms: hour, end: day },
  { letter: 'd', ms: day, end: week },
  { letter: 'w', ms: week, end: 10 * week },
] as const;

/**
 * How long ago `iso` (ISO 8601) was, in the two characters that the editor shows beside a row: “5m”, “3h”, “2d”, “6w”.
 * Undefined without a valid date, and where that takes more characters, such as for 15 minutes.
 */
export function shortAge(iso: string | null | undefined, now: number): string | undefined {
  const then = iso ? Date.parse(iso) : NaN;
  if (Number.isNaN(then)) return undefined;
  const ms = Math.max(minute, now - then);
  const unit = units.find(({ end }) => ms < end);
  if (!unit) return undefined;
  const count = Math.floor(ms / unit.ms);
  return count < 10 ? `${count}${unit.letter}` : undefined;
}
