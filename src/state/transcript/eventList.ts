import type { AgentEvent } from '../../api/events/event';
import { byTime } from '../../api/events/schema';

/** Known events to ask for again along with new ones: servers don’t write them strictly in order of time. */
const overlap = 10;

/** The events of a conversation, from wherever they came: one list, by id, in order of time. */
export class EventList {
  /** A new array after each change. */
  events: readonly AgentEvent[] = [];
  private readonly ids = new Set<string>();

  has(id: string): boolean {
    return this.ids.has(id);
  }

  /** Adds those that aren’t there yet; returns them. */
  add(events: readonly AgentEvent[]): AgentEvent[] {
    const fresh = events.filter(({ id }) => {
      if (this.ids.has(id)) return false;
      this.ids.add(id);
      return true;
    });
    if (fresh.length > 0) this.events = merged(this.events, fresh.toSorted(byTime));
    return fresh;
  }

  /** Puts these in place of the events with their ids. */
  replace(events: ReadonlyMap<string, AgentEvent>): void {
    if (events.size > 0) this.events = this.events.map((event) => events.get(event.id) ?? event);
  }

  /** Time of the newest event; empty without any. */
  get newest(): string {
    return this.events.at(-1)?.timestamp ?? '';
  }

  /**
   * Time from which to continue asking, so that late events with an earlier time aren’t missed; undefined without
   * events.
   */
  get resumeFrom(): string | undefined {
    return this.events.at(-overlap)?.timestamp ?? this.events[0]?.timestamp;
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
