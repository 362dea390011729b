const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

/** Each unit with how many of it are the next one. */
const units = [
  { letter: 'm', ms: minute, of: hour },
  { letter: 'h', ms: hour, of: day },
  { letter: 'd', ms: day, of: 7 * day },
  { letter: 'w', ms: 7 * day, of: 364 * day },
] as const;
const fractions = ['¼', '½', '¾'] as const;

/**
 * How long ago `iso` (ISO 8601) was, in two characters, which is what the editor shows beside a row: “5m”, “½h”, “3h”,
 * “2d”, “6w”, “¾y”. Undefined without a valid date, or after nine years.
 */
export function shortAge(iso: string | null | undefined, now: number): string | undefined {
  const then = iso ? Date.parse(iso) : NaN;
  if (Number.isNaN(then)) return undefined;
  const ms = Math.max(minute, now - then);
  for (const [index, { letter, ms: unit, of }] of units.entries()) {
    const count = Math.floor(ms / unit);
    if (count < 10 && ms < of) return `${count}${letter}`;
    const next = units[index + 1]?.letter ?? 'y';
    const quarters = Math.round((4 * ms) / of);
    if (quarters < 4) return `${fractions[Math.max(1, quarters) - 1]}${next}`;
    if (ms < of) return `1${next}`;
  }
  const years = Math.floor(ms / (365 * day));
  return years < 10 ? `${Math.max(1, years)}y` : undefined;
}
