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
  /** Its place in the server’s log, as far as that is known. */
  place: number;
}

const doubtOf = ({ kind, mayAct, waits }: AgentEvent, place: number): Doubt => {
  const isItself = kind === 'unread' || mayAct !== undefined;
  return { isUnclear: isItself ? mayAct === 'unclear' : true, waits: isItself ? undefined : waits, place };
};

/** Whether an action is among these events, by its ID or its call’s. */
export function knownActions(events: readonly AgentEvent[]): (id: string) => boolean {
  const ids = new Set(events.flatMap((event) => (event.kind === 'action' ? [event.id, event.callId] : [])));
  return (id) => id !== '' && ids.has(id);
}

/**
 * The events of an agent server that may be actions although they aren’t read as such. Actions are answered together, so
 * the first answer of an action, where it comes later in the server’s log, whatever its time, settles those that are
 * unclear. An answer of an action that isn’t there says nothing about others.
 */
export class Doubts {
  /** By id. */
  private readonly open = new Map<string, Doubt>();
  /** The place of the first answer of each action, by the action’s ID. */
  private readonly answers = new Map<string, number>();
  /** The places of the oldest and the newest event. */
  private oldest = 0;
  private newest = 0;

  /**
   * Whether nothing has settled one of them. A state belongs to no branch.
   * @param isOpen whether an action would wait, by its ID
   * @param isKnown whether an action is known, by its ID or its call’s
   */
  remain(isOpen: (id: string) => boolean, isKnown: (id: string) => boolean): boolean {
    if (this.open.size === 0) return false;
    const isThere = (id: string) => isKnown(id) || this.open.has(id);
    let answered = -Infinity;
    for (const [id, place] of this.answers) if (place > answered && isThere(id)) answered = place;
    return [...this.open].some(([id, { waits, isUnclear, place }]) => {
      if (isUnclear && place < answered) return false;
      return waits ? !waits.every(isKnown) : isOpen(id);
    });
  }

  /** Reading begins again at the end of the log; until an event is read again, it may be the newest. */
  restart(): void {
    for (const doubt of this.open.values()) doubt.place = this.newest;
    this.answers.clear();
    this.oldest = this.newest;
  }

  /** @param events newest first, and older than all that were read since the start */
  older(events: readonly AgentEvent[]): void {
    for (const event of events) {
      this.oldest -= 1;
      this.doubt(event, this.oldest);
      this.answer(event, this.oldest);
    }
  }

  /**
   * @param events oldest first, up to the end of the log
   * @param isKnown whether the server told of this event before
   */
  newer(events: readonly AgentEvent[], isKnown: (id: string) => boolean): void {
    for (const event of events) {
      const isNews = !isKnown(event.id);
      this.newest += 1;
      const known = isNews ? undefined : this.open.get(event.id);
      this.doubt(event, known?.place ?? this.newest);
      const answered = 'actionId' in event ? this.answers.get(event.actionId) : undefined;
      if (isNews && answered === undefined) this.answer(event, this.newest);
    }
  }

  /** What the server sent on its own. */
  heard(event: AgentEvent): void {
    if (event.waits) this.doubt(event, this.newest);
  }

  private doubt(event: AgentEvent, place: number): void {
    if (mayBeAction(event)) this.open.set(event.id, doubtOf(event, place));
  }

  private answer(event: AgentEvent, place: number): void {
    if (event.kind === 'observation' || event.kind === 'rejection') this.answers.set(event.actionId, place);
  }
}
