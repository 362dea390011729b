import * as z from 'zod/mini';
import { type ApiClient, needed } from '../../../api/service/client';
import { bareId } from '../../../api/http/ids';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { ApiError } from '../../../api/http/errors';
import { plainText } from '../../../shared/plainText';
import { Emitter } from '../../../core/basics/emitter';
import { membersOf } from '../../../shared/membersOf';
import { StoredList } from '../../../core/basics/storedList';
import { startOnAgentServer } from './agentStart';
import { type Attempt, attemptSchema, attemptTags } from './attempts';
import { choiceSchema, requestOf, type ConversationChoice } from './choice';
import {
  followTask,
  longestReason,
  startConversation,
  type FollowOptions,
  type StartStep,
} from './startConversation';
import { conversationsOf } from './startMatch';
import { StartedTitles } from './startedTitle';
import { interrupted, startNotSent, stepWords } from './startWords';
import { limitIn, ToldLimits } from './toldLimits';

/** What survives a reload, of a start that was sent or a failed one that wasn't dismissed. */
const storedSchema = z.object({
  /** Unique on this computer. */
  id: z.string(),
  /** `baseUrl` of the service. */
  service: z.string(),
  /** The title or the beginning of the message. May be empty. */
  label: z.string(),
  /** What was to be sent, so that a failure doesn't lose it. */
  message: z.string(),
  /** When it began, in milliseconds since the epoch. */
  begunAt: z._default(z.number(), 0),
  /** The service's task, once the service has accepted the request. */
  taskId: z.optional(z.string()),
  /** What was selected for it; earlier versions didn't store it. */
  choice: z.optional(choiceSchema),
  /** The message isn't in the request, but sent once the sandbox is ready for it. */
  isMessageLater: z._default(z.boolean(), false),
  /** What makes it one of several. */
  attempt: z.optional(attemptSchema),
  /** The ID of its conversation on an agent server, if it isn’t that of the start. */
  ownId: z.optional(z.string()),
  /** Why it ended without a conversation. */
  failure: z.optional(z.string()),
  /** Whether the conversation may have started before it failed, also before it was tried again. */
  unknown: z._default(z.boolean(), false),
  /** True for a failure that pausing a sandbox helps against: the service runs no more of them. */
  overLimit: z._default(z.boolean(), false),
});

/** A conversation that is starting or couldn't be started. Immutable: every change is a new object. */
export type Start = Readonly<z.infer<typeof storedSchema>> & {
  readonly step: StartStep;
  /** The steps so far, the current one last. */
  readonly course: readonly TimedStep[];
};

/** A step, and when it began, in milliseconds since the epoch. */
interface TimedStep {
  readonly step: StartStep;
  readonly at: number;
}

/** A start that succeeded: its conversation is called by its label until the service has a title. */
const endedSchema = z.object({
  conversationId: z.string(),
  label: z.string(),
  startId: z.optional(z.string()),
});
type EndedStart = z.infer<typeof endedSchema>;
/** How many successful starts to remember. */
const endedAtMost = 20;

/** How many steps of a start to remember. */
const mostSteps = 50;

const none = { taskId: undefined, failure: undefined, unknown: false, overLimit: false };
const notBegun = { ...none, step: { kind: 'waitingForSandbox' }, course: [] } as const;
const accepted: StartStep = { kind: 'task', status: '', detail: undefined };

export interface StartTasksDependencies {
  /** Reads what `write` stored; the value may be invalid. */
  read: () => unknown;
  write: (value: unknown) => void;
  newId: () => string;
  /** Milliseconds since the epoch. */
  now: () => number;
  wait: FollowOptions['wait'];
  /** Called when an attempt has led to a conversation that has no tags to say so. */
  attempted?: (service: string, conversationId: string, attempt: Attempt) => void;
  /** Called when the service doesn't take the title that was chosen. */
  titleRefused?: (title: string) => void;
  /** One line for an error that ended a start. */
  describe: (error: unknown) => string;
}

/** Whether the request is on its way, perhaps for another time. */
const isBeingSent = ({ step: { kind } }: Pick<Start, 'step'>) => kind === 'creating' || kind === 'unanswered';

/** The session key was cleared or replaced during a start; `StartTasks.resume` follows the start again. */
export class NotFollowed extends Error {}

/** The user removed the start from the list, and knows its outcome. */
export class Dismissed extends Error {}

/**
 * What happens to a start that nobody waits for anymore: it `goesOn` if the service has accepted it, has `ended` if it
 * wasn't sent, and is `unknown` if it was just being sent.
 */
export type LeftStart = 'goesOn' | 'ended' | 'unknown';

/** True for an error after which the service may have started the conversation anyway. */
export function mayHaveStarted(error: unknown): boolean {
  return error instanceof ApiError && error.outcomeUnknown && error.route.endsWith('conversations');
}

/** A start, for the code that began it. */
export interface BegunStart {
  readonly id: string;
  /** Resolves to the conversation's id. Rejects with what ended the start, with `NotFollowed`, or with `Dismissed`. */
  readonly ended: Promise<string>;
  /** Stops waiting. A start that `goesOn` is still followed, any other is dismissed. */
  giveUp(): LeftStart;
}

export interface BeginOptions {
  client: ApiClient;
  choice: ConversationChoice;
  label: string;
  message: string;
  /** The message isn't part of the request, but sent once the conversation is there. */
  isMessageLater?: boolean | undefined;
  /** What makes it one of several. */
  attempt?: Attempt | undefined;
  /** Called at every step. */
  report?: ((step: StartStep) => void) | undefined;
  /** Called when the service has accepted the request. */
  accepted?: (() => void) | undefined;
}

/** The starts of this window. They're followed until they end, even if nobody is waiting, and also after a reload. */
export class StartTasks {
  private readonly stored: ReturnType<typeof storedStarts>;
  private starts: readonly Start[];
  private ended: readonly EndedStart[];
  private readonly followed = new Map<string, AbortController>();
  /** The latest client of each service. After a change of key, it follows what an earlier client began. */
  private readonly clients = new Map<string, ApiClient>();
  /** The titles that were chosen for conversations which this window started. */
  readonly titles = new StartedTitles();
  readonly limits = new ToldLimits();
  private readonly changed = new Emitter<undefined>();
  readonly onDidChange = this.changed.event;

  constructor(private readonly dependencies: StartTasksDependencies) {
    this.stored = storedStarts(dependencies);
    this.ended = this.stored.ended.all;
    this.starts = this.stored.starts.all.map((start) => ({
      ...start,
      failure: start.failure === undefined ? undefined : plainText(start.failure, longestReason),
      step: accepted,
      course: [{ step: accepted, at: start.begunAt }],
    }));
  }

  /** The starts on one service, newest first. */
  of(service: string | undefined): readonly Start[] {
    return this.starts.filter((start) => start.service === service);
  }

  /** How many of the attempts in some groups couldn’t start. */
  notStarted(service: string | undefined, groups: readonly (string | undefined)[]): number {
    return this.of(service).filter(
      ({ attempt, failure, unknown }) =>
        attempt && groups.includes(attempt.group) && failure !== undefined && !unknown,
    ).length;
  }

  /** The ids of those of `conversations` that starts in progress on this service create. */
  underWay(service: string | undefined, conversations: readonly Conversation[]): ReadonlySet<string> {
    const ended = new Set(this.ended.map(({ conversationId }) => bareId(conversationId)));
    return conversationsOf(this.of(service), conversations, ended);
  }

  /** The name of a conversation when it was started: its title or the beginning of its message. */
  startedAs(conversationId: string): string | undefined {
    const id = bareId(conversationId);
    const label = this.ended.find((ended) => bareId(ended.conversationId) === id)?.label;
    return label === '' ? undefined : label;
  }

  /** The conversation that a start led to; undefined if it hasn’t ended, or ended long ago. */
  conversationOf(startId: string): string | undefined {
    return this.ended.find((ended) => ended.startId === startId)?.conversationId;
  }

  get(id: string): Start | undefined {
    return this.starts.find((start) => start.id === id);
  }

  /** Starts a conversation and lists it until it can be opened. */
  begin({ client, isMessageLater = false, report, accepted, ...about }: BeginOptions): BegunStart {
    const id = this.dependencies.newId();
    const begunAt = this.dependencies.now();
    const { baseUrl: service } = client;
    this.set([{ id, service, ...about, isMessageLater, begunAt, ...notBegun }, ...this.starts]);
    const { choice, message } = about;
    return this.run(id, client, { choice, message: isMessageLater ? '' : message, report, accepted });
  }

  /**
   * Starts a conversation again that couldn't be started, with the same options. Undefined if it isn't such a start, or
   * its options aren't known.
   */
  retry(id: string, client: ApiClient, message: string): BegunStart | undefined {
    const { failure, choice, service, isMessageLater, unknown, message: before } = this.get(id) ?? {};
    if (failure === undefined || !choice || service !== client.baseUrl) return undefined;
    const begunAt = this.dependencies.now();
    this.change(id, { message, begunAt, ...notBegun });
    // What may have started has the message from before.
    if (unknown)
      this.change(
        id,
        isMessageLater || message === before ? { unknown } : { ownId: this.dependencies.newId() },
      );
    return this.run(id, client, { choice, message: isMessageLater ? '' : message });
  }

  private run(
    id: string,
    client: ApiClient,
    { choice, message, report, accepted }: Pick<BeginOptions, 'choice' | 'message' | 'report' | 'accepted'>,
  ): BegunStart {
    let taken = false;
    let hasTask = false;
    const ended = this.follow(id, client, (options) => {
      const { agent, place } = choice;
      const tell = (next: StartStep) => {
        options.report(next);
        report?.(next);
      };
      if (agent && client.agents) {
        const { agents: server } = client;
        const { attempt, ownId = id } = this.get(id) ?? {};
        const tags = attempt && attemptTags(attempt);
        return startOnAgentServer({
          ...{ ...options, client, server, id: ownId, choice: agent, message, tags },
          held: (error) => this.limits.hold(client.baseUrl, id, error),
          report: tell,
        });
      }
      return startConversation({
        ...options,
        client,
        request: requestOf(message, choice),
        place,
        report: tell,
        accepted: (taskId) => {
          taken = true;
          hasTask = taskId !== undefined;
          this.change(id, { taskId });
          accepted?.();
        },
      });
    });
    const { title } = choice;
    // Nobody has to wait for this: a failure is in the list.
    ended.then(
      (conversation) => {
        // A service without tasks follows the specification and uses the title in the request.
        if (title === undefined || title === '' || !hasTask) return;
        const { wait } = this.dependencies;
        const keeping = { client, id: conversation, title, hasMessage: message !== '', wait };
        void this.titles.keep(keeping).then((isKept) => isKept || this.dependencies.titleRefused?.(title));
      },
      () => undefined,
    );
    return {
      id,
      ended,
      giveUp: () => (taken ? 'goesOn' : this.dismiss(id)),
    };
  }

  /**
   * Follows the starts that this window began on the client's service before a reload. When all have ended, resolves to
   * whether there were any.
   */
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

  /** Takes a start out of the list and stops following it. The service continues what it has begun. */
  dismiss(id: string): LeftStart {
    const start = this.get(id);
    this.set(this.starts.filter((start) => start.id !== id));
    this.followed.get(id)?.abort();
    if (start?.taskId !== undefined) return 'goesOn';
    return start && (start.unknown || isBeingSent(start)) ? 'unknown' : 'ended';
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
        getStartTask: (...task) =>
          needed((this.clients.get(client.baseUrl) ?? client).sandboxes).getStartTask(...task),
        signal: controller.signal,
        wait: this.dependencies.wait,
        report: (step) => this.reached(id, step),
      });
      const { label = '', attempt, choice } = this.get(id) ?? {};
      // An agent server was told with the start.
      if (attempt && !choice?.agent) this.dependencies.attempted?.(client.baseUrl, conversation, attempt);
      this.limits.started(client.baseUrl, id);
      const own = { conversationId: conversation, label, startId: id };
      this.ended = [own, ...this.ended].slice(0, endedAtMost);
      this.set(this.starts.filter((start) => start.id !== id));
      return conversation;
    } catch (error) {
      if (controller.signal.aborted) throw new Dismissed();
      const isRevoked = error instanceof ApiError && error.reason === 'keyRevoked';
      // The service continues the start, which can be followed again with a new key.
      if (isRevoked && this.get(id)?.taskId !== undefined) throw new NotFollowed();
      this.limits.note(client.baseUrl, error);
      this.change(id, {
        failure: plainText(this.dependencies.describe(error), longestReason),
        unknown: this.get(id)?.unknown === true || mayHaveStarted(error),
        overLimit: client.sandboxes !== undefined && limitIn(error) !== undefined,
      });
      throw error;
    } finally {
      this.followed.delete(id);
    }
  }

  private reached(id: string, step: StartStep): void {
    const course = this.get(id)?.course ?? [];
    const isNew = stepWords(step) !== stepWords(course.at(-1)?.step ?? step) || course.length === 0;
    const added = { step, at: this.dependencies.now() };
    this.change(id, { step, ...(isNew && { course: [...course, added].slice(-mostSteps) }) });
  }

  private change(id: string, values: Partial<Start>): void {
    this.set(this.starts.map((start) => (start.id === id ? { ...start, ...values } : start)));
  }

  private set(starts: readonly Start[]): void {
    this.starts = starts;
    const kept = starts.map(({ step, course: _course, ...start }) => {
      if (start.taskId !== undefined || start.failure !== undefined) return start;
      // After a reload, nobody receives the service's answer, or sends the request.
      const unknown = start.unknown || isBeingSent({ step });
      return { ...start, failure: unknown ? interrupted() : startNotSent(), unknown };
    });
    this.stored.write({ starts: kept, ended: this.ended });
    this.changed.fire(undefined);
  }
}

/** The stored starts and successful starts; an earlier version stored only the starts, as a list. */
function storedStarts({ read, write }: Pick<StartTasksDependencies, 'read' | 'write'>) {
  const file = () => {
    const stored = read();
    return membersOf(Array.isArray(stored) ? { starts: stored } : stored);
  };
  const listOf = <T extends object>(schema: z.ZodMiniType<T>, name: string, idOf: (one: T) => string) =>
    new StoredList(schema, { read: () => file()[name], write: () => undefined }, idOf);
  const starts = listOf(storedSchema, 'starts', ({ id }) => id);
  const ended = listOf(endedSchema, 'ended', ({ conversationId }) => conversationId);
  return {
    starts,
    ended,
    write: (all: { starts: z.infer<typeof storedSchema>[]; ended: readonly EndedStart[] }) =>
      write({
        ...file(),
        starts: starts.withUnreadable(all.starts),
        ended: ended.withUnreadable(all.ended),
      }),
  };
}
