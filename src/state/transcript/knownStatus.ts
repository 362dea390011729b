import type { AgentConversation } from '../../api/agent/schemas/conversation';
import type { AgentEvent } from '../../api/events/event';

/** An agent’s state: as last read, and updated by its events since. */
export class KnownStatus {
  present: AgentConversation = { execution: 'unknown', policy: 'unknown', usage: null, workingDir: null };
  /** When the last reading began. */
  readAt = -Infinity;
  private latestEvent = '';

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
      if (event.kind === 'usage') this.present = { ...this.present, usage: event.usage };
      if (event.kind !== 'status' || event.timestamp <= this.latestEvent) continue;
      this.latestEvent = event.timestamp;
      this.present = { ...this.present, execution: event.status };
    }
  }

  /** The agent's state is unknown from now on. */
  lose(): void {
    this.present = { ...this.present, execution: 'unknown' };
  }
}
