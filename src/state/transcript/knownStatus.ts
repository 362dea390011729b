import type { AgentConversation } from '../../api/agent/schemas/conversation';
import type { AgentEvent } from '../../api/events/event';

/** An agent’s state: as last read, and updated by its events since. */
export class KnownStatus {
  present: AgentConversation = { execution: 'unknown', policy: 'unknown', usage: null, workingDir: null };
  /** When the last reading began. */
  readAt = -Infinity;
  /** Times of the latest events: not all come in order. */
  private readonly latest = { status: '', usage: '' };

  get isWorking(): boolean {
    return this.present.execution === 'running';
  }

  read(status: AgentConversation, began: number): void {
    this.present = status;
    this.readAt = began;
  }

  /** @param events the agent server’s latest: the store lags behind what it says */
  hear(events: readonly AgentEvent[]): void {
    for (const event of events) {
      if (event.kind !== 'status' && event.kind !== 'usage') continue;
      if (event.timestamp <= this.latest[event.kind]) continue;
      this.latest[event.kind] = event.timestamp;
      const change = event.kind === 'usage' ? { usage: event.usage } : { execution: event.status };
      this.present = { ...this.present, ...change };
    }
  }

  /** The agent's state is unknown from now on. */
  lose(): void {
    this.present = { ...this.present, execution: 'unknown' };
  }
}
