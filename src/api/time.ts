/** Day, time of day, fraction, and zone. */
const time = /^(\d{4}-\d\d-\d\d)[T ](\d\d:\d\d(?::\d\d)?)(?:[.,](\d+))?(Z|[+-]\d\d(?::?\d\d)?)?$/i;

/** Digits of a fraction that are kept: paging continues from an event’s own time, and servers read no more digits. */
const mostDigits = 9;

/**
 * A time without its zone, in UTC if it names one. The fraction stays exact. Undefined for a time that doesn’t exist.
 * Numbers count from the epoch, in seconds or a fraction of them.
 */
export function readTime(value: unknown): string | undefined {
  if (typeof value === 'number') return fromEpoch(value);
  if (typeof value !== 'string') return undefined;
  const text = value.trim();
  if (/^\d{9,19}(?:\.\d+)?$/.test(text)) return fromEpoch(Number(text));
  const [, day, second, fraction, zone = 'Z'] = time.exec(text) ?? [];
  if (day === undefined || second === undefined) return undefined;
  // A leap second isn't in everybody's calendar.
  const local = `${day}T${second.replace(/^(..:..):60$/, '$1:59')}`;
  const moments = [zone.length === 3 ? `${zone}:00` : zone.toUpperCase(), 'Z'].map(
    (one) => new Date(local + one),
  );
  const utc = moments.map(inYears).find((moment) => moment !== undefined);
  if (utc === undefined) return undefined;
  return utc.slice(0, 19) + (fraction === undefined ? '' : `.${fraction.slice(0, mostDigits)}`);
}

function fromEpoch(number: number): string | undefined {
  // What is later than the year 5000 in one unit is in this century in the next.
  const seconds = [1, 1e3, 1e6, 1e9].map((unit) => number / unit).find((one) => Math.abs(one) < 1e11);
  return inYears(new Date((seconds ?? NaN) * 1_000))?.slice(0, -1);
}

/** As text that sorts: a zone can move the last hours of the year 9999 into a year of five digits. */
function inYears(moment: Date): string | undefined {
  const text = Number.isNaN(moment.getTime()) ? '' : moment.toISOString();
  return /^\d{4}-/.test(text) ? text : undefined;
}

/** A time with a zone that `Date` understands. */
const zoned = /(?:Z|[+-]\d\d:\d\d)$/;

/**
 * A record’s time as the service writes it, in UTC if it has no zone or an odd one: `Date` would take that for this
 * computer’s own. Text that isn’t a time stays; null for anything else.
 */
export function recordTime(value: unknown): string | null {
  const isText = typeof value === 'string';
  if (isText && zoned.test(value)) return value;
  const time = readTime(value);
  if (time !== undefined) return `${time}Z`;
  return isText ? value : null;
}
