import * as z from 'zod/mini';
import type { SettablePolicy } from '../../shared/transcript';
import { automationCalls, type AutomationCalls } from './automations';
import { withoutQuotedInput } from '../http/errorBody';
import { ApiError } from '../http/errors';
import { searchParams } from '../http/query';
import type { Transport } from '../http/transport';
import { recordId } from '../lenient';
import { policyBodies } from '../policyBodies';
import { type AgentServerInfo, serverInfoOf } from '../serverInfo';
import { agentProfileCalls, type AgentProfileCalls } from './agentProfiles';
import { hasStatus, optional, record, send } from './calls';
import { serverTestCalls, type ServerTestCalls } from './agentServerMcp';
import { skillCalls, type SkillCalls } from './skills';
import { providerConnectionCalls, type ProviderConnectionCalls } from './providerConnections';
import { llmOf, type ModelProfiles, modelProfilesSchema, type NewModel } from './current/profiles';
import {
  type AgentProfiles,
  agentProfilesSchema,
  homeSchema,
  modelCheckSchema,
  ownSecret,
  profileCheckSchema,
  secretNamesSchema,
  type ServerFolder,
  startSettingsSchema,
  subfoldersSchema,
  workspacesSchema,
} from './schemas/agentServer';

/** What to start, on a standalone agent server. */
export interface AgentStart {
  /** A UUID made here: the server starts at most one conversation with it, however often it’s asked. */
  conversationId: string;
  /** Absolute. A missing one is created, and one that’s in no repository becomes one. */
  folder: string;
  /** Work in a worktree of the folder’s repository. */
  isWorktree: boolean;
  agentProfileId: string;
  /** A model profile to use in place of the agent profile’s, on servers with `canReplaceModel`. */
  modelProfile?: string | undefined;
  /** When to ask; undefined for what the settings say. */
  policy?: SettablePolicy | undefined;
  /** Names of the custom secrets that the agent gets; undefined for all. Those that the profile doesn’t have are left out. */
  secrets?: readonly string[] | undefined;
  /** The agent begins with it, unless it’s empty. */
  message: string;
  /** More tags of the conversation. */
  tags?: Readonly<Record<string, string>> | undefined;
}

/** What is wrong with an agent profile. */
export interface ProfileCheck {
  isValid: boolean;
  /** In the server’s words, without what these quote. */
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
  extends AgentProfileCalls, ProviderConnectionCalls, SkillCalls, ServerTestCalls, AutomationCalls {
  /** `GET /server_info`. */
  about(signal?: AbortSignal): Promise<AgentServerInfo>;
  /** `GET /api/agent-profiles`, since 1.34. */
  listAgentProfiles(signal?: AbortSignal): Promise<AgentProfiles>;
  /** `GET /api/profiles`: the models. */
  listModelProfiles(signal?: AbortSignal): Promise<ModelProfiles>;
  /**
   * `POST /api/profiles/<name>/validate`: asks the model once. Resolves to what is wrong, in the server’s words without
   * what these quote; undefined if it answers.
   */
  checkModel(model: NewModel, signal?: AbortSignal): Promise<string | undefined>;
  /** `POST /api/profiles/<name>`: replaces one of that name whole. */
  saveModel(name: string, model: NewModel, signal?: AbortSignal): Promise<void>;
  /** `POST /api/agent-profiles/<name>/materialize`: changes nothing. */
  checkAgentProfile(name: string, signal?: AbortSignal): Promise<ProfileCheck>;
  /** The policy that the settings stand for, by `GET /api/settings`. */
  savedPolicy(signal?: AbortSignal): Promise<SettablePolicy>;
  /** `GET /api/settings/secrets`: the custom secrets that an agent profile can give. */
  listSecretNames(agentProfileId: string, signal?: AbortSignal): Promise<string[]>;
  /** `GET /api/workspaces`: the folders that are saved on the server. */
  listWorkspaces(signal?: AbortSignal): Promise<ServerFolder[]>;
  /** `POST /api/workspaces`: saves a folder, whether or not it exists. One that is saved stays as it is. */
  addWorkspace(folder: ServerFolder, signal?: AbortSignal): Promise<void>;
  /** `DELETE /api/workspaces`: the folder itself stays. Resolves also if it wasn’t saved. */
  removeWorkspace(path: string, signal?: AbortSignal): Promise<void>;
  /** `GET /api/file/home`. */
  homeFolder(signal?: AbortSignal): Promise<string>;
  /** `GET /api/file/search_subdirs`: all folders in a folder, as far as `most` pages go; undefined if it doesn’t exist. */
  listFolders(path: string, signal?: AbortSignal): Promise<ServerFolder[] | undefined>;
  /** `POST /api/file/upload`: writes a file on the server’s own computer, whatever conversations have. */
  writeFile(path: string, content: Uint8Array, signal?: AbortSignal): Promise<void>;
  /** `POST /api/bash/execute_bash_command`: removes a file there. */
  removeFile(folder: string, name: string, signal?: AbortSignal): Promise<void>;
  /**
   * `POST /api/conversations`, with policy, iterations and custom secrets, which the server wouldn’t take from its
   * settings. Resolves to the conversation’s id.
   */
  start(start: AgentStart, signal?: AbortSignal): Promise<string>;
}

/** Whether a start can replace the model of an agent profile; earlier releases ignore that. */
export const canReplaceModel = ({ capabilities }: AgentServerInfo): boolean =>
  capabilities.includes('agent_launch_pipeline_v1');

/** Folders have at most this many pages of 100. */
const most = 10;

/** A start fetches the remote’s default branch for a worktree. */
const startTimeoutMs = 180_000;

/** A model that can’t be reached is tried again for long. */
const checkTimeoutMs = 180_000;

const startRoute = '/api/conversations';

const conversationSchema = z.object({ id: recordId });

/**
 * The calls for starting conversations on a standalone agent server.
 * @param sessionKey lets the server look secrets up for the agent
 */
export function agentServerStart(transport: Transport, sessionKey: string | null): AgentServerCalls {
  const get = <T>(route: string, schema: z.ZodMiniType<T>, signal?: AbortSignal, query?: URLSearchParams) =>
    transport.request({ method: 'GET', route, read: record(schema), ...(query && { query }) }, signal);

  const settings = async (signal?: AbortSignal) =>
    (await get('/api/settings', startSettingsSchema, signal)).conversation_settings ?? {};

  const secretsFor = async (agentProfileId: string, signal?: AbortSignal) => {
    const query = searchParams({ agent_profile_id: agentProfileId });
    const { secrets } = await get('/api/settings/secrets', secretNamesSchema, signal, query);
    return secrets.filter(({ name }) => name !== ownSecret);
  };

  /** By reference, so that no value ever comes here. */
  const references = async ({ agentProfileId, secrets: chosen }: AgentStart, signal?: AbortSignal) => {
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
    ...providerConnectionCalls(transport),
    ...skillCalls(transport),
    ...serverTestCalls(transport),
    ...automationCalls(transport),
    about: (signal) =>
      transport.request({ method: 'GET', route: '/server_info', read: serverInfoOf, ...optional }, signal),
    listAgentProfiles: (signal) => get('/api/agent-profiles', agentProfilesSchema, signal),
    listModelProfiles: (signal) => get('/api/profiles', modelProfilesSchema, signal),
    checkModel: async (model, signal) => {
      const call = { method: 'POST', route: '/api/profiles/{id}/validate', id: 'new' } as const;
      const body = { llm: llmOf(model) };
      const check = await transport.request(
        { ...call, body, secrets: [model.key], timeoutMs: checkTimeoutMs, read: record(modelCheckSchema) },
        signal,
      );
      return check.valid ? undefined : withoutQuotedInput(check.error?.message ?? '');
    },
    saveModel: (name, model, signal) => {
      const body = { llm: llmOf(model), include_secrets: true };
      const call = { method: 'POST', route: '/api/profiles/{id}', id: name, body } as const;
      return send(transport, { ...call, secrets: [model.key] }, signal);
    },
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
    savedPolicy: async (signal) => policyOf(await settings(signal)),
    listSecretNames: async (id, signal) => (await secretsFor(id, signal)).map(({ name }) => name),
    listWorkspaces: async (signal) => (await get('/api/workspaces', workspacesSchema, signal)).workspaces,
    addWorkspace: ({ name, path }, signal) => {
      const body = { workspaces: [{ id: path, name, path }] };
      return send(transport, { method: 'POST', route: '/api/workspaces', body }, signal);
    },
    removeWorkspace: async (path, signal) => {
      const call = { method: 'DELETE', route: '/api/workspaces', query: searchParams({ path }) } as const;
      const expects = (error: ApiError) => hasStatus(error, 404);
      await send(transport, { ...call, expects }, signal).catch((error: unknown) => {
        if (!hasStatus(error, 404)) throw error;
      });
    },
    homeFolder: async (signal) => (await get('/api/file/home', homeSchema, signal)).home,
    listFolders: async (path, signal) => {
      const folders: ServerFolder[] = [];
      let pageId: string | undefined;
      try {
        for (let page = 0; page < most; page += 1) {
          const query = searchParams({ path, page_id: pageId, limit: 100 });
          const read = record(subfoldersSchema);
          const call = { method: 'GET', route: '/api/file/search_subdirs', query, read } as const;
          const { items, next_page_id: next } = await transport.request({ ...call, ...optional }, signal);
          folders.push(...items);
          if (!next || next === pageId) break;
          pageId = next;
        }
      } catch (error) {
        if (hasStatus(error, 400, 404)) return undefined;
        throw error;
      }
      return folders;
    },
    writeFile: async (path, content, signal) => {
      const body = new FormData();
      body.set('file', new Blob([new Uint8Array(content)]), 'file');
      const call = {
        method: 'POST',
        route: '/api/file/upload',
        query: searchParams({ path }),
        body,
      } as const;
      await send(transport, call, signal);
    },
    removeFile: async (folder, name, signal) => {
      if (!/^[\w.-]+$/.test(name)) throw new ApiError('badId', 'POST', '/api/bash/execute_bash_command');
      const body = { command: `rm -f './${name}'`, cwd: folder, timeout: 10 };
      await send(transport, { method: 'POST', route: '/api/bash/execute_bash_command', body }, signal);
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
        confirmation_policy: policyBodies[policy],
        security_analyzer: judges(policy, saved) ? { kind: 'LLMSecurityAnalyzer' } : null,
        ...(saved.max_iterations && { max_iterations: saved.max_iterations }),
        secrets: await references(start, signal),
        tags: { clientsource: 'vscode', ...start.tags },
        ...(modelProfile !== undefined && { agent_launch_additions: { llm_profile_ref: modelProfile } }),
        ...(message !== '' && {
          initial_message: { role: 'user', content: [{ type: 'text', text: message }], run: true },
        }),
      };
      // A refused start may have left its conversation: another request would find it, as if its agent worked.
      const how = { timeoutMs: startTimeoutMs, once: true };
      const call = { method: 'POST', route: startRoute, body, ...how } as const;
      return (await transport.request({ ...call, read: record(conversationSchema) }, signal)).id;
    },
  };
}

interface Saved {
  confirmation_mode?: boolean | null | undefined;
  security_analyzer?: string | null | undefined;
}

/** Whether the model says how risky each action is: a policy by risk would otherwise know none. */
function judges(policy: SettablePolicy, { security_analyzer: analyzer }: Saved): boolean {
  return policy.startsWith('risky') || (policy !== 'never' && analyzer === 'llm');
}

/** As Agent Canvas translates the settings. */
function policyOf(settings: Saved): SettablePolicy {
  if (settings.confirmation_mode !== true) return 'never';
  return settings.security_analyzer === 'llm' ? 'riskyHigh' : 'always';
}
