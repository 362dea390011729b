const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Each unit, and how many of it there are at most. */
const units = [
  { letter: 'm', ms: minute, most: 9 },
  { letter: 'h', ms: hour, most: 9 },
  { letter: 'd', ms: day, most: 6 },
  { letter: 'w', ms: 7 * day, most: 9 },
  { letter: 'y', ms: 365 * day, most: 9 },
] as const;

/** For what is too much of a unit and not yet one of the next. */
const quarters = ['¼', '½', '¾'];

/**
 * About how long ago `iso` (ISO 8601) was, in the two characters that the editor shows beside a row: “5m”, “½h”, “3h”, “2d”.
 * Undefined without a valid date.
 */
export function shortAge(iso: string | null | undefined, now: number): string | undefined {
  const then = iso ? Date.parse(iso) : NaN;
  if (Number.isNaN(then)) return undefined;
  const ms = Math.max(minute, now - then);
  const unit = units.find((one) => ms < (one.most + 1) * one.ms) ?? units[4];
  const count = Math.min(unit.most, Math.floor(ms / unit.ms));
  const quarter = Math.max(1, Math.round((4 * ms) / unit.ms));
  return `${count > 0 ? count : (quarters[quarter - 1] ?? 1)}${unit.letter}`;
}
