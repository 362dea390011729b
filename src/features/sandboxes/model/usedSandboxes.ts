import { ApiError } from '../../../api/http/errors';
import type { SandboxCalls } from '../../../api/service/appServer';
import { type ApiClient, extended } from '../../../api/service/client';
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
   */
  constructor(
    private readonly now: () => number = Date.now,
    private readonly ran: (service: string, error?: unknown) => void = () => undefined,
  ) {}

  /** The ids of the sandboxes on one connection. */
  at(baseUrl: string): readonly string[] {
    return [...(this.byBaseUrl.get(baseUrl)?.keys() ?? [])];
  }

  /** Whether a read that began at `readAt` is late enough to show a sandbox’s state after its last use. */
  isSettled(baseUrl: string, id: string, readAt: number): boolean {
    return readAt - (this.byBaseUrl.get(baseUrl)?.get(id) ?? -Infinity) >= settledAfterMs;
  }

  /** Wraps a client to record the sandboxes that it uses. */
  noting(client: ApiClient): ApiClient {
    const ids = this.byBaseUrl.get(client.baseUrl) ?? new Map<string, number>();
    this.byBaseUrl.set(client.baseUrl, ids);
    const add = (id: string) => ids.set(id, this.now());
    const note = (id: string | null | undefined) => {
      if (id) add(id);
      this.used.fire(undefined);
    };
    const noteIfUnknown =
      (id: string | null | undefined) =>
      (error: unknown): never => {
        if (id && error instanceof ApiError && error.outcomeUnknown) add(id);
        throw error;
      };
    const running = async <T>(run: Promise<T>): Promise<T> => {
      try {
        const result = await run;
        this.ran(client.baseUrl);
        return result;
      } catch (error) {
        this.ran(client.baseUrl, error);
        throw error;
      }
    };
    const noting = (own: SandboxCalls): SandboxCalls => ({
      ...own,
      startSandbox: async (...args) => {
        const sandbox = await running(own.startSandbox(...args));
        note(sandbox.id);
        return sandbox;
      },
      resumeSandbox: async (id, signal) => {
        await running(own.resumeSandbox(id, signal)).catch(noteIfUnknown(id));
        add(id);
      },
      pauseSandbox: async (id, signal) => {
        await own.pauseSandbox(id, signal);
        ids.delete(id);
      },
      createConversation: async (request, signal) => {
        const created = await own
          .createConversation(request, signal)
          .catch(noteIfUnknown(request.sandbox_id));
        const { sandbox_id } = created.kind === 'task' ? created.task : created.conversation;
        note(sandbox_id ?? request.sandbox_id);
        return created;
      },
      getStartTask: async (id, signal) => {
        const task = await own.getStartTask(id, signal);
        // A new sandbox is known only once it exists.
        if (task?.sandbox_id) add(task.sandbox_id);
        return task;
      },
    });
    return extended(client, {
      get sandboxes() {
        return client.sandboxes && noting(client.sandboxes);
      },
    });
  }
}
