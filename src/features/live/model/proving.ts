import type { AgentClient } from '../../../api/agent/client';
import type { AgentEvent } from '../../../api/events/event';
import type { Proof } from '../../../shared/transcript';

/** What was read from an agent server, and how to read the rest. */
interface Reading {
  /** How many events the server told. */
  size: () => number;
  /** Whether pages left something out. */
  isSkipped: () => boolean;
  /** Reads what is older than the list; resolves to whether that was possible. */
  toStart: (agent: AgentClient, signal?: AbortSignal) => Promise<boolean>;
  /** Reads everything again; resolves to whether that was possible. */
  all: (agent: AgentClient, signal?: AbortSignal) => Promise<boolean>;
}

/** Compares what was read with the server’s own count, and reads more if necessary. */
export class Counting {
  /** The server’s count of events that a complete read didn’t match, and how many events were read. */
  private mismatch: { count: number; size: number } | undefined;
  private isTooLong = false;

  constructor(private readonly reading: Reading) {}

  /** Proves that nothing is missing, after new events were read. */
  async prove(agent: AgentClient, signal?: AbortSignal): Promise<Proof> {
    const { reading } = this;
    const matches = async () => {
      const count = await agent.countEvents(signal);
      return { count, isSame: count === reading.size() && !reading.isSkipped() };
    };
    const first = await matches();
    if (first.isSame) return 'whole';
    const { mismatch } = this;
    if (mismatch && mismatch.count === first.count && mismatch.size === reading.size()) return 'missing';
    this.isTooLong ||= !(await reading.toStart(agent, signal));
    if (this.isTooLong) return 'tooLong';
    if (first.count === undefined) return reading.isSkipped() ? 'missing' : 'whole';
    let { count, isSame } = await matches();
    for (let tries = 0; tries < 2 && !isSame; tries += 1) {
      // Events arrived in between, or some aren’t in the order of their times.
      this.isTooLong ||= !(await reading.all(agent, signal));
      if (this.isTooLong) return 'tooLong';
      ({ count, isSame } = await matches());
    }
    this.mismatch = isSame || count === undefined ? undefined : { count, size: reading.size() };
    return isSame ? 'whole' : 'missing';
  }
}

const mayBeAction = (event: AgentEvent): boolean =>
  event.kind === 'unread' ? !event.isNoAction : (event.mayAct ?? event.waits) !== undefined;

/** An event that may be an action, or tell of one that isn’t known. */
interface Doubt {
  /** A later answer settles it. */
  isUnclear: boolean;
  /** The actions that it tells of; undefined if it may be one itself. */
  waits: readonly string[] | undefined;
  /** Its place if the server’s log doesn’t have it. */
  place: number;
}

/**
 * What is known of an agent server’s log: the places of the events that it answered with, and those that may be actions
 * although they aren’t read as such. Actions are answered together, so the first answer of an action, where it comes
 * later in the log, whatever its time, settles those that are unclear. An answer of anything else says nothing.
 */
export class ServerLog {
  private readonly places = new Map<string, number>();
  /** By id. */
  private readonly doubts = new Map<string, Doubt>();
  private newest: number;
  private oldest: number;

  /** @param before what was known until it’s read again: what it no longer has may be the newest */
  constructor(before?: ServerLog) {
    this.newest = before?.newest ?? 0;
    this.oldest = this.newest + 1;
    for (const [id, doubt] of before?.doubts ?? []) this.doubts.set(id, { ...doubt, place: this.newest });
  }

  get size(): number {
    return this.places.size;
  }

  has(id: string): boolean {
    return this.places.has(id);
  }

  /** Before all others if the log doesn’t have it. */
  placeOf({ id }: { id: string }): number {
    return this.places.get(id) ?? -Infinity;
  }

  /** @param isNewer whether they come after all others, the oldest first, instead of before them, the newest first */
  add(events: readonly AgentEvent[], isNewer: boolean): void {
    for (const event of events) {
      if (!this.has(event.id)) this.places.set(event.id, isNewer ? (this.newest += 1) : (this.oldest -= 1));
      this.doubt(event);
    }
  }

  /** @param events the end of the log, the oldest first */
  end(events: readonly AgentEvent[]): void {
    for (const { id } of events) this.places.set(id, (this.newest += 1));
  }

  /** Keeps what may be an action, or tells of one. */
  doubt(event: AgentEvent): void {
    const { id, kind, mayAct, waits } = event;
    if (!mayBeAction(event)) return;
    const isItself = kind === 'unread' || mayAct !== undefined;
    const isUnclear = !isItself || mayAct === 'unclear';
    this.doubts.set(id, { isUnclear, waits: isItself ? undefined : waits, place: this.newest });
  }

  /**
   * Whether nothing has settled one of those that may be actions. A state belongs to no branch.
   * @param waits ids of the actions, or of their calls, that the server itself says wait
   * @param told the events of the log
   * @param answersOf what answers an action
   * @param isLeft whether an event was left on another branch
   */
  hasDoubts(
    waits: readonly string[],
    told: readonly AgentEvent[],
    answersOf: (action: { id: string }) => readonly AgentEvent[],
    isLeft: (event: { id: string }) => boolean,
  ): boolean {
    if (this.doubts.size + waits.length === 0) return false;
    const ids = new Set(told.flatMap((event) => (event.kind === 'action' ? [event.id, event.callId] : [])));
    const areKnown = (all: readonly string[]) => all.every((id) => id !== '' && ids.has(id));
    let answered = -Infinity;
    for (const event of told) {
      const places = event.kind === 'action' || event.mayAct === true ? answersOf(event) : [];
      if (places.length > 0)
        answered = Math.max(answered, Math.min(...places.map((answer) => this.placeOf(answer))));
    }
    const isOpen = ([id, doubt]: [string, Doubt]) => {
      if (doubt.isUnclear && (this.places.get(id) ?? doubt.place) < answered) return false;
      return doubt.waits ? !areKnown(doubt.waits) : answersOf({ id }).length === 0 && !isLeft({ id });
    };
    return !areKnown(waits) || [...this.doubts].some(isOpen);
  }
}
