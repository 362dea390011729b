/** The values of a schedule’s fields, each in order. */
export interface Cron {
  minutes: readonly number[];
  hours: readonly number[];
  /** Whether it runs on a day, given as midnight UTC. */
  fits: (day: Date) => boolean;
}

const dayMs = 24 * 60 * 60_000;
/** Longer than from one February 29 to the next, also over the end of a century. */
const mostDays = 9 * 366;

/** Least and most of each field, and the names that it may have in place of numbers. */
const fieldsOf: readonly (readonly [least: number, most: number, names?: string])[] = [
  [0, 59],
  [0, 23],
  [1, 31],
  [1, 12, '   janfebmaraprmayjunjulaugsepoctnovdec'],
  [0, 7, 'sunmontuewedthufrisat'],
];

/** A schedule in cron’s form with five fields; undefined for any other, and for what only some servers know. */
export function parseCron(schedule: string): Cron | undefined {
  const fields = schedule.trim().toLowerCase().split(/\s+/);
  if (fields.length !== fieldsOf.length) return undefined;
  const values = fields.map((field, index) => valuesOf(field, ...(fieldsOf[index] ?? [0, 0])));
  const [minutes, hours, days, months, weekdays] = values;
  if (!minutes || !hours || !days || !months || !weekdays) return undefined;
  const onWeekdays = new Set(weekdays.map((day) => day % 7));
  // If both are given, either will do.
  const isEither = days.length < 31 && onWeekdays.size < 7;
  return {
    minutes,
    hours,
    fits: (day) => {
      if (!months.includes(day.getUTCMonth() + 1)) return false;
      const [isDay, isWeekday] = [days.includes(day.getUTCDate()), onWeekdays.has(day.getUTCDay())];
      return isEither ? isDay || isWeekday : isDay && isWeekday;
    },
  };
}

function valuesOf(field: string, least: number, most: number, names = ''): number[] | undefined {
  const values = new Set<number>();
  for (const part of field.split(',')) {
    const numbers = part.replace(/[a-z]{3}/g, (name) => {
      const at = names.indexOf(name);
      return at % 3 === 0 ? String(at / 3) : name;
    });
    const match = /^(?:\*|(\d{1,2})(?:-(\d{1,2}))?)(?:\/(\d{1,2}))?$/.exec(numbers);
    if (!match) return undefined;
    const [, from, to, step] = match;
    const first = Number(from ?? least);
    const last = Number(to ?? (from === undefined || step !== undefined ? most : from));
    const by = Number(step ?? 1);
    if (first < least || last > most || first > last || by < 1) return undefined;
    for (let value = first; value <= last; value += by) values.add(value);
  }
  return [...values].sort((a, b) => a - b);
}

/** More schedules and time zones than anybody has. */
const mostKnown = 500;
/** What was found last for a schedule in a time zone: it holds from then until it’s due. */
const found = new Map<string, { from: number; due: number | undefined }>();

/**
 * When a schedule is due next, in milliseconds since the epoch; undefined if that isn’t known.
 * @param timezone by its name in the time zone database; UTC if there’s none
 */
export function nextRun(
  schedule: string | null | undefined,
  timezone: string | null | undefined,
  after: number,
): number | undefined {
  const zone = timezone === '' ? 'UTC' : (timezone ?? 'UTC');
  const key = `${zone} ${schedule ?? ''}`;
  const known = found.get(key);
  if (known && known.from <= after && (known.due ?? Infinity) > after) return known.due;
  const due = findNext(schedule ?? '', zone, after);
  if (found.size >= mostKnown) found.clear();
  found.set(key, { from: after, due });
  return due;
}

function findNext(schedule: string, zone: string, after: number): number | undefined {
  const cron = parseCron(schedule);
  const wallAt = cron && wallClock(zone);
  if (!wallAt) return undefined;
  const now = wallAt(after);
  for (let count = 0, day = now - (now % dayMs); count < mostDays; count += 1, day += dayMs) {
    if (!cron.fits(new Date(day))) continue;
    for (const hour of cron.hours)
      for (const minute of cron.minutes) {
        const wall = day + (hour * 60 + minute) * 60_000;
        if (wall <= now) continue;
        // The clock may be changed between now and then.
        const guess = wall - (wallAt(wall) - wall);
        const near = wall - (wallAt(guess) - guess);
        // A time that the clock skips that day is as much later as the clock is set forward.
        const due = wallAt(near) === wall ? near : Math.max(near, guess);
        if (due > after) return due;
      }
  }
  return undefined;
}

/** A schedule at a time of day, such as “9:00”, on `days`, its last three fields; undefined for anything else. */
export function atTime(text: string, days: string): string | undefined {
  const [, hour, minute] = /^\s*([01]?\d|2[0-3]):([0-5]\d)\s*$/.exec(text) ?? [];
  return hour === undefined ? undefined : `${Number(minute)} ${Number(hour)} ${days}`;
}

/** Whether a schedule is due so often that it’s worth a warning. */
export function isOften(schedule: string, timezone: string, now: number): boolean {
  const first = nextRun(schedule, timezone, now);
  const second = first === undefined ? undefined : nextRun(schedule, timezone, first);
  return first !== undefined && second !== undefined && second - first < 15 * 60_000;
}

/** What clocks show in a time zone, as if it were UTC; undefined for an unknown one. */
function wallClock(timeZone: string): ((at: number) => number) | undefined {
  try {
    const format = new Intl.DateTimeFormat('en', {
      ...{ timeZone, hourCycle: 'h23', year: 'numeric', month: 'numeric', day: 'numeric' },
      ...{ hour: 'numeric', minute: 'numeric', second: 'numeric' },
    });
    return (at) => {
      const parts = new Map(format.formatToParts(at).map(({ type, value }) => [type, Number(value)]));
      const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0;
      return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'), of('second'));
    };
  } catch {
    return undefined;
  }
}
