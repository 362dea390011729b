import type { AgentConversation } from '../../../api/agent/schemas/conversation';
import type { AgentEvent } from '../../../api/events/event';
import type { Leaf } from '../../transcript';

/** An agent’s state: as last read, and updated by its events since. */
export class KnownStatus {
  current: AgentConversation = {
    execution: 'unknown',
    policy: 'unknown',
    usage: null,
    workingDir: null,
    leaf: null,
    waits: [],
    updatedAt: null,
  };
  /** When the last reading began. */
  readAt = -Infinity;
  /** How many events were known then. */
  private known = 0;
  /** Times of the latest events: not all come in order. */
  private readonly latest = { status: '', usage: '' };

  get isWorking(): boolean {
    return this.current.execution === 'running';
  }

  /** The event from which the agent continues, as last read. */
  get leaf(): Leaf {
    return { leaf: this.current.leaf, size: this.known };
  }

  /** @param known how many events were known when the reading began */
  read(status: AgentConversation, began: number, known: number): void {
    this.current = status;
    this.readAt = began;
    this.known = known;
  }

  /** @param events the agent server’s latest: the store lags behind what it says */
  hear(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'status' && event.kind !== 'usage') continue;
      if (event.timestamp <= this.latest[event.kind]) continue;
      this.latest[event.kind] = event.timestamp;
      const change = event.kind === 'usage' ? { usage: event.usage } : { execution: event.status };
      this.current = { ...this.current, ...change };
    }
  }

  /** Whether an event reports an earlier state than one that was already heard. */
  isBefore({ kind, timestamp }: AgentEvent): boolean {
    return kind === 'status' && timestamp < this.latest.status;
  }

  /** The agent's state is unknown from now on. */
  lose(): void {
    this.current = { ...this.current, execution: 'unknown' };
  }
}
