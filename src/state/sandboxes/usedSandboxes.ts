import type { ApiClient } from '../../api/service/client';
import { Emitter } from '../basics/emitter';

/** The sandboxes that this window started, resumed, or started a conversation in. */
export class UsedSandboxes {
  private readonly byBaseUrl = new Map<string, Set<string>>();
  private readonly used = new Emitter<undefined>();
  /** Fires when a sandbox or a conversation was started from here. */
  readonly onDidUse = this.used.event;

  /** The ids of the sandboxes on one connection. */
  at(baseUrl: string): readonly string[] {
    return [...(this.byBaseUrl.get(baseUrl) ?? [])];
  }

  /** Wraps a client to record the sandboxes that it uses. */
  noting(client: ApiClient): ApiClient {
    const ids = this.byBaseUrl.get(client.baseUrl) ?? new Set<string>();
    this.byBaseUrl.set(client.baseUrl, ids);
    const note = (id: string | null | undefined) => {
      if (id) ids.add(id);
      this.used.fire(undefined);
    };
    return {
      ...client,
      startSandbox: async (...args) => {
        const sandbox = await client.startSandbox(...args);
        note(sandbox.id);
        return sandbox;
      },
      resumeSandbox: async (id, signal) => {
        await client.resumeSandbox(id, signal);
        ids.add(id);
      },
      pauseSandbox: async (id, signal) => {
        await client.pauseSandbox(id, signal);
        ids.delete(id);
      },
      createConversation: async (request, signal) => {
        const created = await client.createConversation(request, signal);
        const { sandbox_id } = created.kind === 'task' ? created.task : created.conversation;
        note(sandbox_id ?? request.sandbox_id);
        return created;
      },
      getStartTask: async (id, signal) => {
        const task = await client.getStartTask(id, signal);
        // A new sandbox is known only once it exists.
        if (task?.sandbox_id) ids.add(task.sandbox_id);
        return task;
      },
    };
  }
}
