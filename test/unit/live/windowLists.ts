import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { Emitter } from '../../../src/core/basics/emitter';
import type { Lists } from '../../../src/features/live/model/listed';

/** The lists of a window, read whenever a test says so. */
export class WindowLists implements Lists {
  private listed: { conversation?: Conversation; status?: string | null } = {};
  readonly conversations = { get: () => this.listed.conversation, state: { readAt: 0 } };
  readonly sandboxes = { get: () => this.sandbox, state: { readAt: 0 } };
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = (listener: () => void) => this.changed.event(listener);

  /** @param now the service's record of the conversation */
  constructor(
    private readonly now: () => Conversation,
    private readonly clock: { now(): number },
  ) {}

  private get sandbox() {
    const { status } = this.listed;
    return status === undefined ? undefined : { status };
  }

  /** The list of conversations is read; the reading began at `readAt`, and found `record`. */
  readConversations(record = this.now(), readAt = this.clock.now()): void {
    this.listed.conversation = record;
    this.conversations.state.readAt = readAt;
    this.changed.fire(undefined);
  }

  readSandboxes(): void {
    this.listed.status = this.now().sandbox_status ?? null;
    this.sandboxes.state.readAt = this.clock.now();
    this.changed.fire(undefined);
  }
}
