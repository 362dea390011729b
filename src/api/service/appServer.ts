import type * as z from 'zod/mini';
import { isJsonObject } from '../../shared/json';
import { ApiError } from '../http/errors';
import { bareId, pathSegment } from '../http/ids';
import { type ConversationQuery, pageQuery, type PageQuery, searchParams } from '../http/query';
import type { Call, Transport } from '../http/transport';
import { type Page, pageOf, pagesOf } from '../page';
import { checked, hasStatus, isMissing, patchTitle, record } from './calls';
import {
  type Conversation,
  type ConversationRequest,
  conversationRequestSchema,
  conversationSchema,
} from './schemas/conversation';
import { type Sandbox, sandboxSchema } from './schemas/sandbox';
import { type SandboxSpec, sandboxSpecSchema } from './schemas/sandboxSpec';
import { isStartTask, type StartTask, startTaskSchema } from './schemas/startTask';
import { storedEvents } from './storedEvents';
import type { Settled, TagChange } from './tags';

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

/** Conversations, which every service has. */
export interface ConversationCalls {
  /** `GET /api/v1/app-conversations`, or its `/search` on services where the first is a batch get. */
  listConversations(query?: ConversationQuery, signal?: AbortSignal): Promise<Page<Conversation>>;
  /** `GET /api/v1/app-conversations` with one id; null when there is no such conversation. */
  getConversation(id: string, signal?: AbortSignal): Promise<Conversation | null>;
  /**
   * Renames a conversation, on services that can: `PATCH /api/conversations/<id>`, or `PATCH
   * /api/v1/app-conversations/<id>` where that is gone. Resolves to the title in the answer, which is the old one on
   * release 1.7; undefined where the answer has none.
   */
  renameConversation(id: string, title: string, signal?: AbortSignal): Promise<string | undefined>;
  /**
   * Sets and removes tags of a conversation, and keeps its others. Resolves to whether the service has them now;
   * undefined where it keeps no tags.
   */
  tagConversation(id: string, change: TagChange, signal?: AbortSignal): Promise<boolean | undefined>;
  /**
   * Waits until other clients have written what they changed in an older reading of the tags, and writes again what
   * they undid that way. Needed once after each change of tags that a service keeps.
   */
  settleTags(id: string, signal?: AbortSignal): Promise<Settled>;
  /**
   * Deletes a conversation with those that its agent started, on services that can: `DELETE
   * /api/v1/app-conversations/<id>`, which also deletes its sandbox if no other conversation is in there. Services
   * without that route have `DELETE /api/conversations/<id>`, which deletes the sandbox with whatever else is in there
   * (docs/protocol/live-conversations.md, “Deleting”).
   *
   * @param isAlone whether no other conversation is in its sandbox, as just read; only then is `DELETE
   *   /api/conversations/<id>` sent
   */
  deleteConversation(id: string, isAlone: boolean, signal?: AbortSignal): Promise<void>;
}

/** The service answers only after starting a sandbox, and sometimes only after creating a conversation. */
const startTimeoutMs = 180_000;

/** Where conversations are created, and listed by services that follow the specification. */
export const conversationsRoute = '/api/v1/app-conversations';
const conversationSearchRoute = '/api/v1/app-conversations/search';

/** What each app server has, as in the first generation. */
export function appServer(transport: Transport) {
  /** Where this service lists conversations, once that is known. */
  let listRoute = conversationsRoute;

  const list = <T>(
    route: string,
    schema: z.ZodMiniType<T>,
    query: ConversationQuery = {},
    signal?: AbortSignal,
    expects: Call<T>['expects'] = () => false,
  ) =>
    transport.request(
      {
        ...{ method: 'GET', route, query: pageQuery(query), expects, elements: 'items' },
        read: pageOf(schema, query.pageId),
      },
      signal,
    );

  const one = async <T extends { id: string }>(
    route: string,
    schema: z.ZodMiniType<T>,
    id: string,
    signal?: AbortSignal,
  ): Promise<T | null> => {
    requireId(id, route);
    // By the specification, services can't look up ids: they list all conversations, perhaps in pages.
    const pages = pagesOf(route, (pageId) => {
      const query = searchParams({ ids: id, page_id: pageId });
      const read = pageOf(schema, pageId);
      return transport.request({ method: 'GET', route, query, read, elements: 'items' }, signal);
    });
    for await (const page of pages) {
      const found = page.items.find((item) => bareId(item.id) === bareId(id));
      if (found) return found;
      // It may be the one that can't be read.
      if (page.skipped) throw new ApiError('badShape', 'GET', route);
    }
    return null;
  };

  const sandboxes: SandboxCalls = {
    searchSandboxes: async (query, signal) => list('/api/v1/sandboxes/search', sandboxSchema, query, signal),

    startSandbox: (specId, signal) =>
      transport.request(
        {
          method: 'POST',
          route: '/api/v1/sandboxes',
          query: searchParams({ sandbox_spec_id: specId }),
          timeoutMs: startTimeoutMs,
          read: record(sandboxSchema),
        },
        signal,
      ),

    pauseSandbox: (id, signal) =>
      transport.request({ method: 'POST', route: '/api/v1/sandboxes/{id}/pause', id }, signal),

    resumeSandbox: (id, signal) =>
      transport.request({ method: 'POST', route: '/api/v1/sandboxes/{id}/resume', id }, signal),

    deleteSandbox: (id, signal) =>
      transport.request(
        { method: 'DELETE', route: '/api/v1/sandboxes/{id}', id, query: searchParams({ sandbox_id: id }) },
        signal,
      ),

    searchSandboxSpecs: async (query, signal) =>
      list('/api/v1/sandbox-specs/search', sandboxSpecSchema, query, signal),

    createConversation: async (request, signal) =>
      transport.request(
        {
          method: 'POST',
          route: conversationsRoute,
          body: checked(conversationRequestSchema, request, conversationsRoute),
          timeoutMs: startTimeoutMs,
          read: createdConversation,
        },
        signal,
      ),

    getStartTask: (id, signal) => one(`${conversationsRoute}/start-tasks`, startTaskSchema, id, signal),
  };

  const conversations: ConversationCalls = {
    listConversations: async (query, signal) => {
      try {
        return await list(listRoute, conversationSchema, query, signal, isBatchGet);
      } catch (error) {
        if (listRoute !== conversationsRoute || !isBatchGet(error)) throw error;
        const page = await list(conversationSearchRoute, conversationSchema, query, signal).catch(
          (other: unknown) => {
            // Neither exists: report the answer of the specified path.
            throw isMissing(other) ? error : other;
          },
        );
        listRoute = conversationSearchRoute;
        return page;
      }
    },

    getConversation: (id, signal) => one(conversationsRoute, conversationSchema, id, signal),

    renameConversation: async (id, title, signal) => {
      try {
        return await patchTitle(transport, '/api/conversations/{id}', id, title, signal);
      } catch (error) {
        if (!isMissing(error)) throw error;
        return await patchTitle(transport, `${conversationsRoute}/{id}`, id, title, signal);
      }
    },

    tagConversation: () => Promise.resolve(undefined),
    settleTags: () => Promise.resolve('kept'),

    deleteConversation: async (id, isAlone, signal) => {
      try {
        await deleteWithRest(transport)(id, isAlone, signal);
      } catch (error) {
        if (!isAlone || !isMissing(error)) throw error;
        // For an unknown conversation, it answers false with 200.
        const read = (json: unknown) => (json === true ? true : undefined);
        await transport.request({ method: 'DELETE', id, route: '/api/conversations/{id}', read }, signal);
      }
    },
  };

  return {
    ...conversations,
    sandboxes,
    events: storedEvents(transport),
    /** The web page of a conversation. Throws an ApiError of reason `badId`. */
    conversationPageUrl: (id: string) =>
      `${transport.baseUrl}/conversations/${requireId(id, '/conversations/{id}')}`,
  };
}

/** Deletes a conversation by the route that spares others in its sandbox. */
export const deleteWithRest =
  (transport: Transport): ConversationCalls['deleteConversation'] =>
  (id, _isAlone, signal) =>
    transport.request({ method: 'DELETE', id, route: `${conversationsRoute}/{id}` }, signal);

/** The route reads conversations by their ids here, so the list is elsewhere. */
const isBatchGet = (error: unknown) => hasStatus(error, 404, 405, 422);

/** The id, encoded for a path. */
function requireId(id: string, route: string): string {
  const segment = pathSegment(id);
  if (segment === undefined) throw new ApiError('badId', 'GET', route);
  return segment;
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
