import * as z from 'zod/mini';
import type { Organization } from '../../shared/connection';
import { ApiError, type ErrorReason } from '../http/errors';
import { createTransport, type TransportOptions } from '../http/transport';
import type { AgentServerInfo } from '../serverInfo';
import { agentServerCalls, recognizeAgentServer } from './agentServer';
import { type AgentServerCalls, agentServerStart } from './agentServerStart';
import { agentServerStores } from './agentServerStores';
import { appServer, type ConversationCalls, deleteWithRest } from './appServer';
import { optional } from './calls';
import { customSecretCalls, type CustomSecretCalls } from './current/customSecrets';
import { profileCalls, type ProfileCalls } from './current/profiles';
import { repositoryCalls, type RepositoryCalls } from './current/repositories';
import { type Generation, type GenerationMemory, ownMemory, settingsOf } from './generation';
import { listOrganizations } from './organizations';
import type { SandboxCalls, SandboxObserver } from './sandboxes';
import type { SettingsCalls } from './settingsCalls';
import type { StoredEvents } from './storedEvents';

/** Groups of calls that not every kind of service has: an absent group is what a service can’t do. */
interface ServiceGroups {
  /** Sandboxes, with conversations that start in them. */
  readonly sandboxes?: SandboxCalls | undefined;
  /** Stored events, also of a conversation that doesn’t run. */
  readonly events?: StoredEvents | undefined;
  /** Model profiles. */
  readonly profiles?: ProfileCalls | undefined;
  /** Custom secrets. */
  readonly secrets?: CustomSecretCalls | undefined;
  /** Repositories of the user’s git providers. */
  readonly repositories?: RepositoryCalls | undefined;
  /** Agents that start in a folder of the server’s own computer, with what the server keeps for them. */
  readonly agents?: AgentServerCalls | undefined;
  /** The web page of a conversation. Throws an ApiError of reason `badId`. */
  readonly conversationPageUrl?: ((id: string) => string) | undefined;
  /** Deleting a conversation leaves others in its sandbox alone. */
  readonly sparesOthers?: boolean | undefined;
}

/**
 * One method per endpoint (docs/protocol/service.md, “Endpoints”). Every method throws ApiError and nothing else, and
 * takes an optional signal that cancels it. Request bodies are checked before they are sent: one that is refused is an
 * ApiError of reason `invalid` without a status, with the same `issues` as the service's own. Which groups it has can
 * change with any answer that shows what kind of service this is.
 */
export interface ApiClient extends SettingsCalls, ConversationCalls, ServiceGroups {
  readonly baseUrl: string;
  readonly origin: string;
  /** Aborted when the session key was cleared or replaced: every call then fails with reason `keyRevoked`. */
  readonly ended?: AbortSignal | undefined;
  /**
   * What a standalone agent server says, whatever the key; undefined for anything else. A request of its own, `GET
   * /server_info`: for Connect and a diagnosis.
   */
  recognizeAgentServer(signal?: AbortSignal): Promise<AgentServerInfo | undefined>;
  /** The user’s organizations; none where the key isn’t a user’s. */
  listOrganizations(signal?: AbortSignal): Promise<Organization[]>;
  /** The release that `GET /openapi.json` names. May be a megabyte and take seconds: only for a diagnosis. */
  getRelease(signal?: AbortSignal): Promise<string>;
}

const releaseSchema = z.object({ info: z.object({ version: z.string() }) });

/** How a client is made. */
export interface ClientOptions extends TransportOptions {
  /** Spares later clients of the same service the search for its generation. */
  generations?: GenerationMemory;
  /** Hears what the client does to sandboxes. */
  observer?: SandboxObserver;
}

/** Throws an ApiError of reason `badUrl` when the base address cannot be used. */
export function createClient(options: ClientOptions): ApiClient {
  const transport = createTransport(options);
  const { baseUrl, origin } = transport;
  const { generations = ownMemory() } = options;
  const first = appServer(transport, options.observer);
  const stores = agentServerStores(transport);
  const services: Readonly<Record<Generation, ConversationCalls & ServiceGroups>> = {
    first,
    current: {
      ...first,
      deleteConversation: deleteWithRest(transport),
      profiles: profileCalls(transport),
      secrets: customSecretCalls(transport),
      repositories: repositoryCalls(transport),
      sparesOthers: true,
    },
    agentServer: {
      ...agentServerCalls(transport, options.sessionKey, generations, options.clock),
      profiles: stores,
      secrets: stores,
      agents: agentServerStart(transport, options.sessionKey, generations, options.clock),
    },
  };
  /** Until an answer shows what is there, it’s taken for the service of the specification. */
  const here = () => services[generations.get(baseUrl) ?? 'first'];

  return {
    baseUrl,
    origin,
    ended: options.ended,
    ...settingsOf(transport, generations),
    recognizeAgentServer: async (signal) => {
      const info = await recognizeAgentServer(transport, signal);
      if (info) generations.set(baseUrl, 'agentServer');
      return info;
    },
    listOrganizations: async (signal) =>
      options.authentication === undefined ? [] : listOrganizations(transport, signal),
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

    listConversations: async (...args) => here().listConversations(...args),
    getConversation: async (...args) => here().getConversation(...args),
    renameConversation: async (...args) => here().renameConversation(...args),
    tagConversation: async (...args) => here().tagConversation(...args),
    settleTags: async (...args) => here().settleTags(...args),
    deleteConversation: async (...args) => here().deleteConversation(...args),

    get sandboxes() {
      return here().sandboxes;
    },
    get events() {
      return here().events;
    },
    get profiles() {
      return here().profiles;
    },
    get secrets() {
      return here().secrets;
    },
    get repositories() {
      return here().repositories;
    },
    get agents() {
      return here().agents;
    },
    get conversationPageUrl() {
      return here().conversationPageUrl;
    },
    get sparesOthers() {
      return here().sparesOthers;
    },
  };
}

/** A group that was there when the user chose. Throws an ApiError if the service no longer has it. */
export function needed<T>(group: T | undefined, reason: ErrorReason = 'agentServer'): T {
  if (group === undefined) throw new ApiError(reason, 'GET', '/');
  return group;
}

/** A client with some members of another one replaced. */
export const extended = (client: ApiClient, own: Partial<ApiClient>): ApiClient =>
  Object.create(client, Object.getOwnPropertyDescriptors(own)) as ApiClient;
