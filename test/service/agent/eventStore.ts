import type { Clock } from '../clock';
import type { AgentConversation } from './conversation';
import type { AgentEventRecord } from './eventLog';

/** Events reach the store once this many are queued, or this long after the first of them. */
const queueLength = 5;
const longestWaitMs = 30_000;

/** The events of a conversation that have reached the service. */
export class EventStore {
  private stored: number;
  private planned = false;

  /** @param conversation its events so far count as delivered */
  constructor(
    private readonly conversation: AgentConversation,
    private readonly clock: Clock,
  ) {
    this.stored = conversation.log.all.length;
    conversation.log.onEvent(() => this.queue());
  }

  get events(): readonly AgentEventRecord[] {
    return this.conversation.log.all.slice(0, this.stored);
  }

  private queue(): void {
    if (this.conversation.log.all.length - this.stored >= queueLength) {
      this.deliver();
    } else if (!this.planned) {
      this.planned = true;
      this.clock.after(longestWaitMs, () => {
        this.planned = false;
        this.deliver();
      });
    }
  }

  private deliver(): void {
    this.stored = this.conversation.log.all.length;
  }
}
