import type { AgentEvent } from '../../../api/events/event';
import { byTime, timeOf } from '../../../api/events/schema';
import { SharedFiles } from './compact';

/**
 * Events that people see, and milliseconds, to ask for again along with new ones, and the most events: servers don’t
 * write events strictly in order of time.
 */
const overlap = { events: 10, ms: 5_000, most: 100 };

/** Milliseconds that an event may be late before the server’s clock counts as set back. */
const lateMs = 30_000;

/** The events of a conversation from all sources: one list, by id, in order of time. */
export class EventList {
  /** A new array after each change. */
  events: readonly AgentEvent[] = [];
  /** By id, how many were added before. */
  private readonly places = new Map<string, number>();
  private files = new SharedFiles();

  has(id: string): boolean {
    return this.places.has(id);
  }

  /** The event with this ID. */
  find(id: string): AgentEvent | undefined {
    return this.places.has(id) ? this.events.findLast((event) => event.id === id) : undefined;
  }

  /** The events at this time or later. */
  since(time: string): readonly AgentEvent[] {
    return this.events.slice(this.events.findLastIndex(({ timestamp }) => timestamp < time) + 1);
  }

  /** How many events were added before this one. */
  placeOf(id: string): number {
    return this.places.get(id) ?? this.places.size;
  }

  /** The server’s clock was set back, or shows another zone’s time. */
  isFarBehind(event: AgentEvent): boolean {
    const newest = this.events.at(-1);
    return newest !== undefined && timeOf(event) < timeOf(newest) - lateMs;
  }

  /** Adds those that aren’t there yet; returns them. */
  add(events: readonly AgentEvent[]): AgentEvent[] {
    const fresh = events.flatMap((event) => {
      if (this.places.has(event.id)) return [];
      this.places.set(event.id, this.places.size);
      return [this.files.share(event)];
    });
    if (fresh.length > 0) this.events = merged(this.events, fresh.toSorted(byTime));
    return fresh;
  }

  /** Puts these in place of the events with their ids. */
  replace(events: ReadonlyMap<string, AgentEvent>): void {
    if (events.size === 0) return;
    this.events = this.events.map((event) => events.get(event.id) ?? event);
    // What was masked since isn't to stay; actions are only shortened.
    if ([...events.values()].some(({ kind }) => kind !== 'action')) this.files = new SharedFiles();
  }

  /** Time of the newest event; empty without any. */
  get newest(): string {
    return this.events.at(-1)?.timestamp ?? '';
  }

  /**
   * Time from which to continue asking, so that late events with an earlier time aren’t missed; undefined without
   * events.
   * @param among has the ids of the only events that count
   */
  resumeFrom(among?: Pick<ReadonlySet<string>, 'has'>): string | undefined {
    let [left, from, until, asked] = [overlap.events, '', NaN, 0];
    for (let at = this.events.length - 1; at >= 0; at -= 1) {
      const event = this.events[at];
      if (!event || (among && !among.has(event.id))) continue;
      if (from === '') until = timeOf(event) - overlap.ms;
      from = event.timestamp;
      asked += 1;
      if (event.kind !== 'hidden') left -= 1;
      // Not by comparing alone: a time may not be one.
      if (asked === overlap.most || (left <= 0 && !(timeOf(event) > until))) break;
    }
    return from === '' ? undefined : from;
  }
}

/** Both, sorted; events usually come all after or all before the known ones. */
function merged(known: readonly AgentEvent[], fresh: readonly AgentEvent[]): AgentEvent[] {
  const isAfter = (one: readonly AgentEvent[], other: readonly AgentEvent[]) => {
    const [last, first] = [other.at(-1), one[0]];
    return !last || !first || byTime(last, first) <= 0;
  };
  if (isAfter(fresh, known)) return known.concat(fresh);
  if (isAfter(known, fresh)) return fresh.concat(known);
  return known.concat(fresh).sort(byTime);
}
