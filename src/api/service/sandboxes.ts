import { isJsonObject } from '../../shared/json';
import { ApiError } from '../http/errors';
import { type PageQuery, searchParams } from '../http/query';
import type { Call, Transport } from '../http/transport';
import type { Page } from '../page';
import { checked, readList, readOne, record } from './calls';
import {
  type Conversation,
  type ConversationRequest,
  conversationRequestSchema,
  conversationSchema,
} from './schemas/conversation';
import { type Sandbox, sandboxSchema } from './schemas/sandbox';
import { type SandboxSpec, sandboxSpecSchema } from './schemas/sandboxSpec';
import { isStartTask, type StartTask, startTaskSchema } from './schemas/startTask';

/** What `POST /api/v1/app-conversations` answers: usually a task to follow, else the conversation itself. */
type CreatedConversation =
  { kind: 'task'; task: StartTask } | { kind: 'conversation'; conversation: Conversation };

/** Sandboxes, and conversations that start in them. */
export interface SandboxCalls {
  /** `GET /api/v1/sandboxes/search`. */
  searchSandboxes(query?: PageQuery, signal?: AbortSignal): Promise<Page<Sandbox>>;
  /** `POST /api/v1/sandboxes`: may take two minutes; without a spec the service's default one. */
  startSandbox(specId?: string, signal?: AbortSignal): Promise<Sandbox>;
  /** `POST /api/v1/sandboxes/<sandbox_id>/pause`: the state follows later. */
  pauseSandbox(id: string, signal?: AbortSignal): Promise<void>;
  /** `POST /api/v1/sandboxes/<sandbox_id>/resume`: the state follows later. */
  resumeSandbox(id: string, signal?: AbortSignal): Promise<void>;
  /** `DELETE /api/v1/sandboxes/<id>`, on services that can: with everything in it. */
  deleteSandbox(id: string, signal?: AbortSignal): Promise<void>;
  /** `GET /api/v1/sandbox-specs/search`. */
  searchSandboxSpecs(query?: PageQuery, signal?: AbortSignal): Promise<Page<SandboxSpec>>;
  /** `POST /api/v1/app-conversations`. */
  createConversation(request: ConversationRequest, signal?: AbortSignal): Promise<CreatedConversation>;
  /** `GET /api/v1/app-conversations/start-tasks`; null when there is no such task. */
  getStartTask(id: string, signal?: AbortSignal): Promise<StartTask | null>;
}

/** Hears what calls do to the sandboxes of a service. */
export interface SandboxObserver {
  /** A sandbox is about to be paused or resumed. */
  asked(id: string): void;
  /** One more sandbox runs, or couldn’t for this error. */
  ran(error?: unknown): void;
  /** A sandbox, or a conversation in a sandbox, was started. The id may not be known yet. */
  started(id: string | null | undefined): void;
  /** A sandbox is in use, or may be. */
  used(id: string): void;
  /** A sandbox is being paused. */
  paused(id: string): void;
}

/** The service answers only after starting a sandbox, and sometimes only after creating a conversation. */
const startTimeoutMs = 180_000;

/** Where conversations are created, and listed by services that follow the specification. */
export const conversationsRoute = '/api/v1/app-conversations';

/** The calls for sandboxes of an app server. */
export function sandboxCalls(transport: Transport, observer?: SandboxObserver): SandboxCalls {
  const running = async <T>(run: Promise<T>): Promise<T> => {
    try {
      const result = await run;
      observer?.ran();
      return result;
    } catch (error) {
      observer?.ran(error);
      throw error;
    }
  };
  const mayBeUsed =
    (id: string | null | undefined) =>
    (error: unknown): never => {
      if (id && error instanceof ApiError && error.outcomeUnknown) observer?.used(id);
      throw error;
    };

  return {
    searchSandboxes: async (query, signal) =>
      readList(transport, '/api/v1/sandboxes/search', sandboxSchema, query, signal),

    startSandbox: async (specId, signal) => {
      const request = transport.request(
        {
          method: 'POST',
          route: '/api/v1/sandboxes',
          query: searchParams({ sandbox_spec_id: specId }),
          timeoutMs: startTimeoutMs,
          read: record(sandboxSchema),
        },
        signal,
      );
      const sandbox = await running(request);
      observer?.started(sandbox.id);
      return sandbox;
    },

    pauseSandbox: async (id, signal) => {
      observer?.asked(id);
      await transport.request({ method: 'POST', route: '/api/v1/sandboxes/{id}/pause', id }, signal);
      observer?.paused(id);
    },

    resumeSandbox: async (id, signal) => {
      observer?.asked(id);
      const request = transport.request(
        { method: 'POST', route: '/api/v1/sandboxes/{id}/resume', id },
        signal,
      );
      await running(request).catch(mayBeUsed(id));
      observer?.used(id);
    },

    deleteSandbox: (id, signal) =>
      transport.request(
        { method: 'DELETE', route: '/api/v1/sandboxes/{id}', id, query: searchParams({ sandbox_id: id }) },
        signal,
      ),

    searchSandboxSpecs: async (query, signal) =>
      readList(transport, '/api/v1/sandbox-specs/search', sandboxSpecSchema, query, signal),

    createConversation: async (request, signal) => {
      const call: Call<CreatedConversation> = {
        method: 'POST',
        route: conversationsRoute,
        body: checked(conversationRequestSchema, request, conversationsRoute),
        timeoutMs: startTimeoutMs,
        read: createdConversation,
      };
      const created = await transport.request(call, signal).catch(mayBeUsed(request.sandbox_id));
      const { sandbox_id } = created.kind === 'task' ? created.task : created.conversation;
      observer?.started(sandbox_id ?? request.sandbox_id);
      return created;
    },

    getStartTask: async (id, signal) => {
      const task = await readOne(transport, `${conversationsRoute}/start-tasks`, startTaskSchema, id, signal);
      // A new sandbox is known only once it exists.
      if (task?.sandbox_id) observer?.used(task.sandbox_id);
      return task;
    },
  };
}

function createdConversation(json: unknown): CreatedConversation | undefined {
  if (!isJsonObject(json)) return undefined;
  if (isStartTask(json)) {
    const task = startTaskSchema.safeParse(json).data;
    return task && { kind: 'task', task };
  }
  const conversation = conversationSchema.safeParse(json).data;
  return conversation && { kind: 'conversation', conversation };
}
