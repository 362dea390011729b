import type { SandboxObserver } from '../../../api/service/sandboxes';
import { Emitter } from '../../../core/basics/emitter';
import { settledAfterMs } from '../../../core/lists/status';

/** The sandboxes that this window started, resumed, or started a conversation in. */
export class UsedSandboxes {
  /** When each was last used, in milliseconds since the epoch. */
  private readonly byBaseUrl = new Map<string, Map<string, number>>();
  private readonly used = new Emitter<undefined>();
  /** Fires when a sandbox or a conversation was started from here. */
  readonly onDidUse = this.used.event;

  /**
   * @param now milliseconds since the epoch
   * @param ran called after each try to run one more sandbox, with its error if it failed
   * @param asked called before a sandbox is paused or resumed
   */
  constructor(
    private readonly now: () => number = Date.now,
    private readonly ran: (service: string, error?: unknown) => void = () => undefined,
    private readonly asked: (service: string, id: string) => void = () => undefined,
  ) {}

  /** The ids of the sandboxes on one connection. */
  at(baseUrl: string): readonly string[] {
    return [...(this.byBaseUrl.get(baseUrl)?.keys() ?? [])];
  }

  /** Whether a read that began at `readAt` is late enough to show a sandbox’s state after its last use. */
  isSettled(baseUrl: string, id: string, readAt: number): boolean {
    return readAt - (this.byBaseUrl.get(baseUrl)?.get(id) ?? -Infinity) >= settledAfterMs;
  }

  /** Records what the clients of a service do to its sandboxes. */
  of(baseUrl: string): SandboxObserver {
    const ids = this.byBaseUrl.get(baseUrl) ?? new Map<string, number>();
    this.byBaseUrl.set(baseUrl, ids);
    const used = (id: string) => void ids.set(id, this.now());
    return {
      asked: (id) => this.asked(baseUrl, id),
      ran: (error) => this.ran(baseUrl, error),
      used,
      started: (id) => {
        if (id) used(id);
        this.used.fire(undefined);
      },
      paused: (id) => void ids.delete(id),
    };
  }
}
