import * as z from 'zod/mini';
import { isJsonObject } from '../../shared/json';
import { ApiError } from '../http/errors';
import { bareId, pathSegment } from '../http/ids';
import { type ConversationQuery, pageQuery, type PageQuery, searchParams } from '../http/query';
import {
  type Conversation,
  type ConversationRequest,
  conversationRequestSchema,
  conversationSchema,
} from './schemas/conversation';
import { type Page, pageOf, pagesOf } from '../page';
import { type Sandbox, sandboxSchema } from './schemas/sandbox';
import { type SandboxSpec, sandboxSpecSchema } from './schemas/sandboxSpec';
import { isStartTask, type StartTask, startTaskSchema } from './schemas/startTask';
import { storedEvents, type StoredEvents } from './storedEvents';
import { type Call, createTransport, type TransportOptions } from '../http/transport';
import { customSecretCalls, type CustomSecretCalls } from './current/customSecrets';
import type { AgentServerInfo } from '../serverInfo';
import { agentServerStores, eitherOf } from './agentServerStores';
import { agentServerCalls, onlyOfServices, recognizeAgentServer, type TagChange } from './agentServer';
import { type AgentServerCalls, agentServerStart } from './agentServerStart';
import { profileCalls, type ProfileCalls } from './current/profiles';
import { repositoryCalls, type RepositoryCalls } from './current/repositories';
import { checked, hasStatus, isMissing, optional, record, send } from './calls';
import { type Generation, type GenerationMemory, ownMemory, settingsOf } from './generation';
import type { SettingsCalls } from './settingsCalls';

/** What `POST /api/v1/app-conversations` answers: usually a task to follow, else the conversation itself. */
type CreatedConversation =
  { kind: 'task'; task: StartTask } | { kind: 'conversation'; conversation: Conversation };

/**
 * One method per endpoint (docs/protocol/service.md, “Endpoints”). Every method throws ApiError and nothing else, and
 * takes an optional signal that cancels it. Request bodies are checked before they are sent: one that is refused is an
 * ApiError of reason `invalid` without a status, with the same `issues` as the service's own.
 */
export interface ApiClient
  extends SettingsCalls, StoredEvents, ProfileCalls, CustomSecretCalls, RepositoryCalls {
  readonly baseUrl: string;
  readonly origin: string;
  /** Aborted when the session key was cleared or replaced: every call then fails with reason `keyRevoked`. */
  readonly ended?: AbortSignal | undefined;
  /** The service's generation, once an answer has revealed it. */
  generation?(): Generation | undefined;
  /**
   * What a standalone agent server says, whatever the key; undefined for anything else. A request of its own, `GET
   * /server_info`: for Connect and a diagnosis.
   */
  recognizeAgentServer(signal?: AbortSignal): Promise<AgentServerInfo | undefined>;
  /** What a start needs, if this is a standalone agent server. */
  readonly agentServer?: AgentServerCalls;
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
  /** `GET /api/v1/app-conversations`, or its `/search` on services where the first is a batch get. */
  listConversations(query?: ConversationQuery, signal?: AbortSignal): Promise<Page<Conversation>>;
  /** `GET /api/v1/app-conversations` with one id; null when there is no such conversation. */
  getConversation(id: string, signal?: AbortSignal): Promise<Conversation | null>;
  /** `POST /api/v1/app-conversations`. */
  createConversation(request: ConversationRequest, signal?: AbortSignal): Promise<CreatedConversation>;
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
   * Deletes a conversation with those that its agent started, on services that can: `DELETE
   * /api/v1/app-conversations/<id>`, which also deletes its sandbox if no other conversation is in there. Services
   * without that route have `DELETE /api/conversations/<id>`, which deletes the sandbox with whatever else is in there
   * (docs/protocol/live-conversations.md, “Deleting”).
   *
   * @param isAlone whether no other conversation is in its sandbox, as just read; only then is `DELETE
   *   /api/conversations/<id>` sent
   */
  deleteConversation(id: string, isAlone: boolean, signal?: AbortSignal): Promise<void>;
  /** `GET /api/v1/app-conversations/start-tasks`; null when there is no such task. */
  getStartTask(id: string, signal?: AbortSignal): Promise<StartTask | null>;
  /** The release that `GET /openapi.json` names. May be a megabyte and take seconds: only for a diagnosis. */
  getRelease(signal?: AbortSignal): Promise<string>;
  /** The web page of a conversation. Throws an ApiError of reason `badId`. */
  conversationPageUrl(id: string): string;
}

const releaseSchema = z.object({ info: z.object({ version: z.string() }) });

/** The service answers only after starting a sandbox, and sometimes only after creating a conversation. */
const startTimeoutMs = 180_000;

/** Where conversations are created, and listed by services that follow the specification. */
export const conversationsRoute = '/api/v1/app-conversations';
const conversationSearchRoute = '/api/v1/app-conversations/search';

/** How a client is made. */
export interface ClientOptions extends TransportOptions {
  /** Spares later clients of the same service the search for its generation. */
  generations?: GenerationMemory;
}

/** A standalone agent server has none of what its service would list. */
/** The title of the record that a service may answer with. */
function titleIn(json: unknown): string | undefined {
  const { title } = Object(json) as { title?: unknown };
  return typeof title === 'string' ? title : undefined;
}

const noItems = (): Page<never> => ({ items: [], nextPageId: null });

/** Throws an ApiError of reason `badUrl` when the base address cannot be used. */
export function createClient(options: ClientOptions): ApiClient {
  const direct = createTransport(options);
  const { baseUrl, origin } = direct;
  const { generations = ownMemory() } = options;
  const isByItself = () => generations.get(baseUrl) === 'agentServer';
  const transport = onlyOfServices(direct, isByItself);
  const agentServer = agentServerCalls(direct, options.sessionKey);
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

  const events = storedEvents(transport);

  return {
    baseUrl,
    origin,
    ended: options.ended,

    generation: () => generations.get(baseUrl),
    agentServer: agentServerStart(direct, options.sessionKey),
    ...settingsOf(direct, generations),
    recognizeAgentServer: async (signal) => {
      const info = await recognizeAgentServer(direct, signal);
      if (info) generations.set(baseUrl, 'agentServer');
      return info;
    },
    ...eitherOf(isByItself, agentServerStores(direct), {
      ...profileCalls(transport),
      ...customSecretCalls(transport),
    }),
    ...repositoryCalls(transport),

    searchSandboxes: async (query, signal) =>
      isByItself() ? noItems() : list('/api/v1/sandboxes/search', sandboxSchema, query, signal),

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
      send(transport, { method: 'POST', route: '/api/v1/sandboxes/{id}/pause', id }, signal),

    resumeSandbox: (id, signal) =>
      send(transport, { method: 'POST', route: '/api/v1/sandboxes/{id}/resume', id }, signal),

    deleteSandbox: (id, signal) =>
      send(
        transport,
        { method: 'DELETE', route: '/api/v1/sandboxes/{id}', id, query: searchParams({ sandbox_id: id }) },
        signal,
      ),

    searchSandboxSpecs: async (query, signal) =>
      isByItself() ? noItems() : list('/api/v1/sandbox-specs/search', sandboxSpecSchema, query, signal),

    listConversations: async (query, signal) => {
      if (isByItself()) return agentServer.listConversations(query, signal);
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

    getConversation: async (id, signal) =>
      isByItself()
        ? agentServer.getConversation(id, signal)
        : one(conversationsRoute, conversationSchema, id, signal),

    searchEvents: async (id, query, signal) =>
      isByItself() ? noItems() : events.searchEvents(id, query, signal),
    getStoredEvent: async (id, eventId, signal) =>
      isByItself() ? null : events.getStoredEvent(id, eventId, signal),

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

    renameConversation: async (id, title, signal) => {
      const rename = async (route: string) => {
        const call = { method: 'PATCH', route, id, body: { title } } as const;
        const told = await transport.request({ ...call, read: (json) => [titleIn(json)] as const }, signal);
        return told[0];
      };
      try {
        return await rename('/api/conversations/{id}');
      } catch (error) {
        if (!isMissing(error)) throw error;
        return await rename(`${conversationsRoute}/{id}`);
      }
    },

    tagConversation: async (id, change, signal) =>
      isByItself() ? agentServer.tagConversation(id, change, signal) : undefined,

    deleteConversation: async (id, isAlone, signal) => {
      if (isByItself()) return agentServer.deleteConversation(id, signal);
      const call = { method: 'DELETE', id } as const;
      try {
        await send(transport, { ...call, route: `${conversationsRoute}/{id}` }, signal);
      } catch (error) {
        const mayTryOther = isAlone && generations.get(baseUrl) !== 'current';
        if (!mayTryOther || !isMissing(error)) throw error;
        // For an unknown conversation, it answers false with 200.
        const read = (json: unknown) => (json === true ? true : undefined);
        await transport.request({ ...call, route: '/api/conversations/{id}', read }, signal);
      }
    },

    getStartTask: (id, signal) => one(`${conversationsRoute}/start-tasks`, startTaskSchema, id, signal),

    getRelease: (signal) =>
      transport.request(
        {
          method: 'GET',
          route: '/openapi.json',
          read: (json) => releaseSchema.safeParse(json).data?.info.version,
          ...optional,
        },
        signal,
      ),

    conversationPageUrl: (id) => `${baseUrl}/conversations/${requireId(id, '/conversations/{id}')}`,
  };
}

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
