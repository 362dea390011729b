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
}

const doubtOf = ({ kind, mayAct, waits }: AgentEvent): Doubt => {
  const isItself = kind === 'unread' || mayAct !== undefined;
  return { isUnclear: isItself ? mayAct === 'unclear' : true, waits: isItself ? undefined : waits };
};

/** Whether an action is among these events, by its ID or its call’s. */
export function knownActions(events: readonly AgentEvent[]): (id: string) => boolean {
  const ids = new Set(events.flatMap((event) => (event.kind === 'action' ? [event.id, event.callId] : [])));
  return (id) => id !== '' && ids.has(id);
}

const isAnswer = ({ kind }: AgentEvent): boolean => kind === 'observation' || kind === 'rejection';

/**
 * The events of an agent server that may be actions although they aren’t read as such. Actions are answered together, so
 * an answer that comes later in the server’s log, whatever its time, settles those that are unclear.
 */
export class Doubts {
  /** By id. */
  private readonly open = new Map<string, Doubt>();
  private readonly settled = new Set<string>();
  /** An answer is newer than the events that are read next on the way to the start. */
  private isAnswered = false;

  /**
   * Whether nothing has settled one of them. A state belongs to no branch.
   * @param isOpen whether an action would wait, by its ID
   * @param isKnown whether an action is known, by its ID or its call’s
   */
  remain(isOpen: (id: string) => boolean, isKnown: (id: string) => boolean): boolean {
    return [...this.open].some(([id, { waits }]) => (waits ? !waits.every(isKnown) : isOpen(id)));
  }

  /** Reading begins again at the end of the log. */
  restart(): void {
    this.isAnswered = false;
  }

  /** @param events newest first, and older than all that were read since the start */
  older(events: readonly AgentEvent[]): void {
    this.isAnswered = this.look(events, this.isAnswered, isAnswer);
  }

  /**
   * @param events oldest first, up to the end of the log
   * @param isKnown whether the server told of this event before
   */
  newer(events: readonly AgentEvent[], isKnown: (id: string) => boolean): void {
    const earlier = new Set(this.open.keys());
    for (const { id } of events) earlier.delete(id);
    const isNews = (event: AgentEvent) => isAnswer(event) && !isKnown(event.id);
    if (!this.look(events.toReversed(), false, isNews)) return;
    for (const id of earlier) this.settle(id);
    this.isAnswered = true;
  }

  /** What the server sent on its own. */
  heard(event: AgentEvent): void {
    if (event.waits) this.open.set(event.id, doubtOf(event));
  }

  /** @param events newest first; resolves to whether an answer is among them, or was before. */
  private look(
    events: readonly AgentEvent[],
    wasAnswered: boolean,
    answers: (event: AgentEvent) => boolean,
  ): boolean {
    let isAnswered = wasAnswered;
    for (const event of events) {
      if (mayBeAction(event) && !this.settled.has(event.id)) this.open.set(event.id, doubtOf(event));
      if (isAnswered) this.settle(event.id);
      if (answers(event)) isAnswered = true;
    }
    return isAnswered;
  }

  private settle(id: string): void {
    if (!this.open.get(id)?.isUnclear) return;
    this.open.delete(id);
    this.settled.add(id);
  }
}
