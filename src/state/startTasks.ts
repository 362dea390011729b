import * as z from 'zod/mini';
import type { ApiClient } from '../api/client';
import { ApiError } from '../api/errors';
import { Emitter } from './emitter';
import {
  followTask,
  startConversation,
  type FollowOptions,
  type StartOptions,
  type StartStep,
} from './startConversation';

/** A conversation that is being started, or could not be. Immutable: every change is a new object. */
export interface Start {
  /** Unique on this computer. */
  readonly id: string;
  /** `baseUrl` of the service. */
  readonly service: string;
  /** The title, or the beginning of the message; may be empty. */
  readonly label: string;
  /** What was to be sent, so that a failure does not lose it. */
  readonly message: string;
  /** The service's task, once it has taken the request. */
  readonly taskId: string | undefined;
  readonly step: StartStep;
  /** Why it ended without a conversation. */
  readonly failure: string | undefined;
  /** True for a failure after which the service may have begun it all the same. */
  readonly unknown: boolean;
}

/** What is kept for the window's next life: starts that the service works on, and failed ones that nobody dismissed. */
const storedSchema = z.array(
  z.object({
    id: z.string(),
    service: z.string(),
    label: z.string(),
    message: z.string(),
    taskId: z.optional(z.string()),
    failure: z.optional(z.string()),
    unknown: z._default(z.boolean(), false),
  }),
);

export interface StartTasksDependencies {
  /** Reads what `write` kept, whatever it is by now. */
  read: () => unknown;
  write: (value: unknown) => void;
  newId: () => string;
  wait: FollowOptions['wait'];
  /** One line for an error that ended a start. */
  describe: (error: unknown) => string;
}

/** A start as the one who began it sees it. */
export interface BegunStart {
  readonly id: string;
  /** Resolves to the conversation's id; rejects with what ended the start, or when it was given up. */
  readonly ended: Promise<string>;
  /**
   * Gives up waiting. A start that the service has taken `goesOn`, here and there. One that has not been sent has
   * `ended` with this; of one on its way that is `unknown`.
   */
  giveUp(): 'goesOn' | 'ended' | 'unknown';
}

export type BeginOptions = Pick<StartOptions, 'client' | 'request' | 'place'> & {
  label: string;
  message: string;
  /** Called at every step. */
  report?: ((step: StartStep) => void) | undefined;
  /** Called when the service has taken the request. */
  accepted?: (() => void) | undefined;
};

/** The starts of this window: followed until they end, whether or not anybody waits, and after a reload too. */
export class StartTasks {
  private starts: readonly Start[];
  private readonly followed = new Map<string, AbortController>();
  /** The client that was last handed over for a service: one with a newer key follows what a former one began. */
  private readonly clients = new Map<string, ApiClient>();
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: StartTasksDependencies) {
    const stored = storedSchema.safeParse(dependencies.read()).data ?? [];
    this.starts = stored.map(({ taskId, failure, ...start }) => ({
      ...start,
      taskId,
      failure,
      step: { kind: 'task', status: '', detail: undefined },
    }));
  }

  /** The starts at one service, the newest first. */
  of(service: string | undefined): readonly Start[] {
    return this.starts.filter((start) => start.service === service);
  }

  get(id: string): Start | undefined {
    return this.starts.find((start) => start.id === id);
  }

  /** Starts a conversation and shows it as going on until it ends. */
  begin({ client, label, message, report, accepted, ...rest }: BeginOptions): BegunStart {
    const id = this.dependencies.newId();
    const step: StartStep = { kind: 'waitingForSandbox' };
    this.set([
      {
        id,
        service: client.baseUrl,
        label,
        message,
        taskId: undefined,
        step,
        failure: undefined,
        unknown: false,
      },
      ...this.starts,
    ]);
    let taken = false;
    const ended = this.follow(id, client, (options) =>
      startConversation({
        ...options,
        ...rest,
        client,
        report: (next) => {
          options.report(next);
          report?.(next);
        },
        accepted: (taskId) => {
          taken = true;
          this.change(id, { taskId });
          accepted?.();
        },
      }),
    );
    // Nobody has to wait for it: a failure is in the list.
    ended.catch(() => undefined);
    return {
      id,
      ended,
      giveUp: () => {
        if (taken) return 'goesOn';
        const sent = this.get(id)?.step.kind === 'creating';
        this.dismiss(id);
        return sent ? 'unknown' : 'ended';
      },
    };
  }

  /** Follows what a former life of this window began at the client's service. Resolves, at their end, to whether there were any. */
  async resume(client: ApiClient): Promise<boolean> {
    this.clients.set(client.baseUrl, client);
    const left = this.of(client.baseUrl).flatMap(({ id, taskId, failure }) =>
      taskId === undefined || failure !== undefined || this.followed.has(id) ? [] : [{ id, taskId }],
    );
    await Promise.allSettled(
      left.map(({ id, taskId }) => this.follow(id, client, (options) => followTask(options, taskId))),
    );
    return left.length > 0;
  }

  /** Takes a start out of the list and follows it no more; what the service has begun goes on there. */
  dismiss(id: string): void {
    this.set(this.starts.filter((start) => start.id !== id));
    this.followed.get(id)?.abort();
  }

  private async follow(
    id: string,
    client: ApiClient,
    work: (options: FollowOptions) => Promise<string>,
  ): Promise<string> {
    const controller = new AbortController();
    this.clients.set(client.baseUrl, client);
    this.followed.set(id, controller);
    try {
      const conversation = await work({
        getStartTask: (...task) => (this.clients.get(client.baseUrl) ?? client).getStartTask(...task),
        signal: controller.signal,
        wait: this.dependencies.wait,
        report: (step) => this.change(id, { step }),
      });
      this.set(this.starts.filter((start) => start.id !== id));
      return conversation;
    } catch (error) {
      // One that was dismissed is not in the list any more.
      this.change(id, {
        failure: this.dependencies.describe(error),
        unknown: error instanceof ApiError && error.outcomeUnknown,
      });
      throw error;
    } finally {
      this.followed.delete(id);
    }
  }

  private change(id: string, values: Partial<Start>): void {
    this.set(this.starts.map((start) => (start.id === id ? { ...start, ...values } : start)));
  }

  private set(starts: readonly Start[]): void {
    this.starts = starts;
    const kept = starts.filter(({ taskId, failure }) => taskId !== undefined || failure !== undefined);
    this.dependencies.write(kept.map(({ step: _, ...start }) => start));
    this.changed.fire(undefined);
  }
}
