import * as z from 'zod/mini';
import type { JsonMembers } from '../../shared/json';
import type { SettablePolicy } from '../../shared/transcript';
import { automationCalls, type AutomationCalls } from './automations';
import { withoutQuotedInput } from '../http/errorBody';
import type { Clock } from '../http/clock';
import type { ApiError } from '../http/errors';
import { searchParams } from '../http/query';
import type { Transport } from '../http/transport';
import { recordId } from '../lenient';
import { policyBodies } from '../policyBodies';
import { type AgentServerInfo, serverInfoOf } from '../serverInfo';
import { agentProfileCalls, type AgentProfileCalls } from './agentProfiles';
import type { ServerMemory } from './agentServer';
import { hasStatus, isMissing, optional, readerOf, record } from './calls';
import { hookCalls, type HookCalls } from './folderHooks';
import { folderCalls, type FolderCalls } from './serverFolders';
import { serverTestCalls, type ServerTestCalls } from './agentServerMcp';
import { mcpSignInCalls, type McpSignInCalls } from './mcpSignIn';
import { type AddOnSource, skillCalls, type SkillCalls, sourceBody } from './skills';
import { providerConnectionCalls, type ProviderConnectionCalls } from './providerConnections';
import { subscriptionCalls, type SubscriptionCalls } from './subscription';
import { modelProfileCalls, type ModelProfileCalls } from './modelProfiles';
import {
  agentCommandSchema,
  agentModelsSchema,
  type AgentProfile,
  type AgentProfiles,
  agentProfilesSchema,
  ownSecret,
  profileCheckSchema,
  secretNamesSchema,
  startSettingsSchema,
} from './schemas/agentServer';

/** What a worktree begins with: the remote’s default branch, what is checked out, or a name that git knows. */
export type WorktreeBase = { kind: 'defaultBranch' | 'head' } | { kind: 'ref'; ref: string };

/** What to start, on a standalone agent server. */
export interface AgentStart {
  /** A UUID made here: the server starts at most one conversation with it, however often it’s asked. */
  conversationId: string;
  /** Absolute. It’s created if missing, and becomes a repository if it isn’t in one. */
  folder: string;
  /** Work in a worktree of the folder’s repository. */
  isWorktree: boolean;
  /** What a worktree begins with, since 1.58; undefined to follow the settings. */
  worktreeBase?: WorktreeBase | undefined;
  /** Where its agent runs, on servers that offer several; undefined for the server’s default. */
  runtime?: 'local' | 'docker' | undefined;
  agentProfileId: string;
  /** A model profile to use in place of the agent profile’s, on servers with `canReplaceModel`. */
  modelProfile?: string | undefined;
  /** A model of an ACP agent, which doesn’t begin before `beginWith`. */
  agentModel?: string | undefined;
  /** When to ask; undefined to follow the settings. */
  policy?: SettablePolicy | undefined;
  /** Names of the custom secrets that the agent gets; undefined for all. Those that the profile doesn’t have are left out. */
  secrets?: readonly string[] | undefined;
  /** Used besides those that are installed. */
  plugins?: readonly AddOnSource[] | undefined;
  /** The folder’s hooks: the server itself doesn’t look for any. */
  hooks?: JsonMembers | undefined;
  /** The agent begins with it, unless it’s empty. */
  message: string;
  /** More tags of the conversation. */
  tags?: Readonly<Record<string, string>> | undefined;
}

/** What the settings say about starts. */
interface StartDefaults {
  policy: SettablePolicy;
  /** `local`, `worktree`, or `docker`, since 1.58. */
  where?: string | undefined;
}

/** A model of an ACP agent. */
interface AgentModel {
  /** By the agent’s own name for it. */
  id: string;
  /** For people; may be empty. */
  name: string;
}

/** What is wrong with an agent profile. */
export interface ProfileCheck {
  isValid: boolean;
  /** In the server’s words, without the input that they quote. */
  errors: readonly string[];
  /** False if the model profile that it names is missing. */
  hasModel: boolean;
  hasKey: boolean;
  /** MCP servers that it names and the settings don’t have. */
  missingServers: readonly string[];
}

/**
 * What a start needs of a standalone agent server (docs/protocol/agent-server.md, “Starting a conversation”). Throws
 * ApiError.
 */
export interface AgentServerCalls
  extends
    AgentProfileCalls,
    ModelProfileCalls,
    ProviderConnectionCalls,
    SubscriptionCalls,
    SkillCalls,
    HookCalls,
    ServerTestCalls,
    McpSignInCalls,
    AutomationCalls,
    FolderCalls {
  /** `GET /server_info`. */
  about(signal?: AbortSignal): Promise<AgentServerInfo>;
  /**
   * `DELETE /api/conversations/<id>/runtime`: stops the container that a conversation has for itself, also while its agent
   * works, and keeps everything. An error of status 405 if it has none.
   */
  pauseContainer(id: string, signal?: AbortSignal): Promise<void>;
  /** `POST /api/conversations/<id>/runtime/reprovision`: starts it again; an error of status 410 if it’s gone for good. */
  resumeContainer(id: string, signal?: AbortSignal): Promise<void>;
  /** `GET /api/agent-profiles`, since 1.34. */
  listAgentProfiles(signal?: AbortSignal): Promise<AgentProfiles>;
  /** `POST /api/agent-profiles/<name>/materialize`: changes nothing. */
  checkAgentProfile(name: string, signal?: AbortSignal): Promise<ProfileCheck>;
  /** What the settings say about starts, by `GET /api/settings`. */
  startDefaults(signal?: AbortSignal): Promise<StartDefaults>;
  /** `GET /api/settings/secrets`: the custom secrets that an agent profile can give. */
  listSecretNames(agentProfileId: string, signal?: AbortSignal): Promise<string[]>;
  /**
   * `POST /api/acp/models`, since 1.58: the models that an ACP agent has. Starts its program. Undefined where the
   * server can’t ask, or the agent doesn’t answer.
   */
  listAgentModels(
    profile: Pick<AgentProfile, 'id' | 'name'>,
    signal?: AbortSignal,
  ): Promise<AgentModel[] | undefined>;
  /** `GET C`: the same models, once such an agent has told them, and the one in use. */
  listModelsOf(
    id: string,
    signal?: AbortSignal,
  ): Promise<{ models: AgentModel[]; current: string | undefined }>;
  /**
   * `POST /api/conversations`, with policy, iterations and custom secrets, which the server wouldn’t take from its
   * settings. Resolves to the conversation’s id.
   */
  start(start: AgentStart, signal?: AbortSignal): Promise<string>;
  /**
   * `POST C/switch_acp_model`, then `POST C/run` if there’s a message: what follows a start with `agentModel`. An agent
   * that is already running continues.
   */
  beginWith(id: string, agentModel: string, hasMessage: boolean, signal?: AbortSignal): Promise<void>;
}

/** Whether a start can replace the model of an agent profile; earlier releases ignore that. */
export const canReplaceModel = ({ capabilities }: AgentServerInfo): boolean =>
  capabilities.includes('agent_launch_pipeline_v1');

/** A start fetches the remote’s default branch for a worktree. */
const startTimeoutMs = 180_000;

/** The agent’s program may have to be downloaded first. */
const modelsTimeoutMs = 130_000;

const startRoute = '/api/conversations';

const conversationSchema = z.object({ id: recordId });

const inProfiles = { elements: 'profiles' };
const inModels = { elements: 'available_models' };

/**
 * The calls for starting conversations on a standalone agent server.
 * @param sessionKey lets the server look secrets up for the agent
 * @param memory learns what the server says about itself
 */
export function agentServerStart(
  transport: Transport,
  sessionKey: string | null,
  memory: ServerMemory,
  clock?: Clock,
): AgentServerCalls {
  const get = readerOf(transport);

  const settings = async (signal?: AbortSignal) =>
    (await get('/api/settings', startSettingsSchema, signal)).conversation_settings ?? {};

  const secretsFor = async (agentProfileId: string, signal?: AbortSignal) => {
    const how = { query: searchParams({ agent_profile_id: agentProfileId }), elements: 'secrets' };
    const { secrets } = await get('/api/settings/secrets', secretNamesSchema, signal, how);
    return secrets.filter(({ name }) => name !== ownSecret);
  };

  /** By reference, so that no value ever comes here. */
  const references = async (
    { agentProfileId, secrets: chosen }: Pick<AgentStart, 'agentProfileId' | 'secrets'>,
    signal?: AbortSignal,
  ) => {
    if (chosen?.length === 0) return {};
    const headers = sessionKey === null ? {} : { headers: { 'X-Session-API-Key': sessionKey } };
    return Object.fromEntries(
      (await secretsFor(agentProfileId, signal))
        .filter(({ name }) => chosen?.includes(name) !== false)
        .map(({ name, description = null }) => {
          const url = `/api/settings/secrets/${encodeURIComponent(name)}`;
          return [name, { kind: 'LookupSecret', url, ...headers, description }];
        }),
    );
  };

  return {
    ...agentProfileCalls(transport),
    ...modelProfileCalls(transport),
    ...providerConnectionCalls(transport),
    ...subscriptionCalls(transport, clock),
    ...skillCalls(transport),
    ...hookCalls(transport),
    ...serverTestCalls(transport),
    ...mcpSignInCalls(transport),
    ...automationCalls(transport),
    ...folderCalls(transport),
    about: async (signal) => {
      const call = { method: 'GET', route: '/server_info', read: serverInfoOf, ...optional } as const;
      const info = await transport.request(call, signal);
      const places = [info.runtime, ...(info.runtimes ?? [])];
      memory.setHasContainers(transport.baseUrl, places.includes('docker'));
      return info;
    },
    pauseContainer: (id, signal) =>
      transport.request({ method: 'DELETE', route: '/api/conversations/{id}/runtime', id }, signal),
    resumeContainer: (id, signal) => {
      const route = '/api/conversations/{id}/runtime/reprovision';
      return transport.request({ method: 'POST', route, id, timeoutMs: startTimeoutMs }, signal);
    },
    listAgentProfiles: (signal) => get('/api/agent-profiles', agentProfilesSchema, signal, inProfiles),
    checkAgentProfile: async (name, signal) => {
      const call = { method: 'POST', route: '/api/agent-profiles/{id}/materialize', id: name } as const;
      const check = await transport.request({ ...call, read: record(profileCheckSchema) }, signal);
      return {
        isValid: check.valid !== false,
        errors: (check.errors ?? []).map(withoutQuotedInput),
        hasModel: check.llm_profile_resolved !== false,
        hasKey: check.llm_api_key_set !== false,
        missingServers: check.dangling_mcp_server_refs ?? [],
      };
    },
    startDefaults: async (signal) => {
      const saved = await settings(signal);
      return { policy: policyOf(saved), where: saved.default_runtime ?? undefined };
    },
    listSecretNames: async (id, signal) => (await secretsFor(id, signal)).map(({ name }) => name),
    listAgentModels: async ({ id, name }, signal) => {
      const materialize = {
        method: 'POST',
        route: '/api/agent-profiles/{id}/materialize',
        id: name,
      } as const;
      const { resolved_settings: settled } = await transport.request(
        { ...materialize, read: record(agentCommandSchema) },
        signal,
      );
      if (!settled) return undefined;
      const body = { agent_settings: settled, secrets: await references({ agentProfileId: id }, signal) };
      const call = { method: 'POST', route: '/api/acp/models', body, ...optional } as const;
      try {
        const how = { timeoutMs: modelsTimeoutMs, read: record(agentModelsSchema), ...inModels };
        const told = await transport.request({ ...call, ...how }, signal);
        return told.error ? undefined : namedModels(told);
      } catch (error) {
        if (isMissing(error)) return undefined;
        throw error;
      }
    },
    listModelsOf: async (id, signal) => {
      const call = { method: 'GET', route: '/api/conversations/{id}', id } as const;
      const read = record(agentModelsSchema);
      const known = await transport.request({ ...call, read, ...inModels }, signal);
      return { models: namedModels(known), current: known.current_model_id ?? undefined };
    },
    start: async (start, signal) => {
      const { conversationId, folder, isWorktree, agentProfileId, modelProfile, message } = start;
      const saved = await settings(signal);
      const policy = start.policy ?? policyOf(saved);
      const body = {
        conversation_id: conversationId,
        agent_profile_id: agentProfileId,
        workspace: { kind: 'LocalWorkspace', working_dir: folder },
        worktree: isWorktree,
        ...(isWorktree && worktreeOptions(start, saved)),
        ...(start.runtime !== undefined && { conversation_runtime: start.runtime }),
        ...(start.runtime === 'docker' && containerOptions(saved)),
        confirmation_policy: policyBodies[policy],
        security_analyzer: judges(policy, saved) ? { kind: 'LLMSecurityAnalyzer' } : null,
        ...(saved.max_iterations && { max_iterations: saved.max_iterations }),
        secrets: await references(start, signal),
        ...(start.plugins && start.plugins.length > 0 && { plugins: start.plugins.map(sourceBody) }),
        ...(start.hooks && { hook_config: start.hooks }),
        tags: { clientsource: 'vscode', ...start.tags },
        ...(modelProfile !== undefined && { agent_launch_additions: { llm_profile_ref: modelProfile } }),
        ...(message !== '' && {
          initial_message: {
            role: 'user',
            content: [{ type: 'text', text: message }],
            run: start.agentModel === undefined,
          },
        }),
      };
      // A refused start may have left its conversation: another request would find it, as if its agent worked.
      const how = { timeoutMs: startTimeoutMs, once: true };
      const call = { method: 'POST', route: startRoute, body, ...how } as const;
      return (await transport.request({ ...call, read: record(conversationSchema) }, signal)).id;
    },
    beginWith: async (id, model, hasMessage, signal) => {
      const call = (path: string) =>
        ({ method: 'POST', route: `/api/conversations/{id}${path}`, id }) as const;
      await transport.request({ ...call('/switch_acp_model'), body: { model } }, signal);
      if (!hasMessage) return;
      const expects = (error: ApiError) => hasStatus(error, 409);
      await transport.request({ ...call('/run'), once: true, expects }, signal).catch((error: unknown) => {
        if (!hasStatus(error, 409)) throw error;
      });
    },
  };
}

const namedModels = ({ available_models: models }: z.infer<typeof agentModelsSchema>): AgentModel[] =>
  (models ?? []).map(({ model_id: id, name }) => ({ id, name: name ?? '' }));

/** Whether a start can say what its worktree begins with; earlier releases ignore it. Seen in 1.58. */
export const hasWorktreeBase = ({ release }: AgentServerInfo): boolean => {
  const [, major = 0, minor = 0] = /^(\d+)\.(\d+)/.exec(release ?? '')?.map(Number) ?? [];
  return major > 1 || (major === 1 && minor >= 58);
};

type Saved = NonNullable<z.infer<typeof startSettingsSchema>['conversation_settings']>;

/** The server’s settings for worktrees are for clients; releases without them have no such option. */
function worktreeOptions({ worktreeBase: chosen }: AgentStart, saved: Saved): object {
  const base = chosen
    ? chosen.kind === 'defaultBranch'
      ? 'default_branch'
      : chosen.kind
    : saved.worktree_base;
  const ref = chosen?.kind === 'ref' ? chosen.ref : saved.worktree_base_ref;
  const prefix = saved.worktree_branch_prefix;
  if (!base && !prefix) return {};
  return {
    worktree_options: {
      ...(base && (base !== 'ref' || ref) && { base }),
      ...(base === 'ref' && ref && { ref }),
      ...(typeof prefix === 'string' && { branch_prefix: prefix }),
    },
  };
}

function containerOptions({ container_memory, container_cpus, container_browser }: Saved): object {
  const all = Object.entries({ memory: container_memory, cpus: container_cpus, browser: container_browser });
  const said = all.filter(([, value]) => value !== null && value !== undefined);
  return said.length > 0 ? { container: Object.fromEntries(said) } : {};
}

/** Whether the model rates each action: without that, a policy that depends on risk has nothing to go by. */
function judges(policy: SettablePolicy, { security_analyzer: analyzer }: Saved): boolean {
  return policy.startsWith('risky') || (policy !== 'never' && analyzer === 'llm');
}

/** As Agent Canvas translates the settings. */
function policyOf(settings: Saved): SettablePolicy {
  if (settings.confirmation_mode !== true) return 'never';
  return settings.security_analyzer === 'llm' ? 'riskyHigh' : 'always';
}
