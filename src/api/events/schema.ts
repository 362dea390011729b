import * as z from 'zod/mini';
import { recordId } from '../lenient';
import type { AgentEvent } from './event';
import { kinds } from './kinds';

/** Seconds, fraction, and zone. */
const time = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(\.\d{1,9})?(Z|[+-]\d\d:?\d\d)?$/;

const common = z.looseObject({
  id: recordId,
  kind: z.catch(z.string(), ''),
  timestamp: z.string().check(z.regex(time)),
  source: z.catch(z.string(), ''),
});

/**
 * An event as both servers tell it. Unknown kinds, and known ones of an unknown shape, are of kind `other`. An event
 * without an id or a time is refused.
 */
export const eventSchema: z.ZodMiniType<AgentEvent> = z.pipe(
  common,
  z.transform((event): AgentEvent => {
    const { id, source, kind: name } = event;
    const timestamp = inUtc(event.timestamp);
    const particulars = kinds.get(name)?.safeParse(event).data ?? { kind: 'other', name };
    return { id, timestamp, source, ...particulars };
  }),
);

/** A time without its zone, in UTC if it names one. The fraction stays exact. */
function inUtc(text: string): string {
  const [, seconds = '', fraction = '', zone = 'Z'] = time.exec(text) ?? [];
  const utc = Date.parse(seconds + zone);
  return (Number.isNaN(utc) ? seconds : new Date(utc).toISOString().slice(0, 19)) + fraction;
}

/** Milliseconds since the epoch of an event, if the sandbox’s clock shows UTC, as containers’ clocks do. */
export function timeOf({ timestamp }: Pick<AgentEvent, 'timestamp'>): number {
  return Date.parse(`${timestamp.slice(0, 23)}Z`);
}

/** Compares events by time, then by id: within one second, the service's answers aren't sorted. */
export function byTime(one: AgentEvent, other: AgentEvent): number {
  if (one.timestamp !== other.timestamp) return one.timestamp < other.timestamp ? -1 : 1;
  return one.id === other.id ? 0 : one.id < other.id ? -1 : 1;
}

/** The events by time, in the direction asked for. */
export function sorted(events: readonly AgentEvent[], newestFirst: boolean): AgentEvent[] {
  const oldestFirst = events.toSorted(byTime);
  return newestFirst ? oldestFirst.reverse() : oldestFirst;
}
