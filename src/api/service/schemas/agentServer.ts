import * as z from 'zod/mini';
import { someText } from '../../../shared/bounded';
import { lenientList, maybe, maybeText, recordId } from '../../lenient';
import { lenientMembers } from '../../../shared/members';

/** An agent that an agent server can start: what it is, and with which model. */
const agentProfileSchema = z.object({
  id: recordId,
  name: someText,
  /** `openhands`, or `acp` for an ACP agent, which never asks. */
  agent_kind: maybeText,
  /** Name of the model profile. */
  llm_profile_ref: maybeText,
});
/** What `agentProfileSchema` reads. */
export type AgentProfile = z.infer<typeof agentProfileSchema>;

/** Answer of `GET /api/agent-profiles`. */
export const agentProfilesSchema = z.object({
  profiles: lenientList(agentProfileSchema),
  active_agent_profile_id: maybeText,
});
/** What `agentProfilesSchema` reads. */
export type AgentProfiles = z.infer<typeof agentProfilesSchema>;

/** Answer of `POST /api/agent-profiles/<name>/materialize`, without the settings that it resolves to. */
export const profileCheckSchema = z.object({
  valid: maybe(z.boolean()),
  /** The server’s own words, which may quote what they’re about. */
  errors: maybe(lenientList(z.string())),
  llm_profile_resolved: maybe(z.boolean()),
  llm_api_key_set: maybe(z.boolean()),
  dangling_mcp_server_refs: maybe(lenientList(z.string())),
});

/** Of the same answer: how to start the program of an ACP agent. */
export const agentCommandSchema = z.object({
  resolved_settings: maybe(
    z.object({
      agent_kind: z.literal('acp'),
      acp_server: z.optional(z.string()),
      acp_command: z.optional(z.array(z.string())),
      acp_args: z.optional(z.array(z.string())),
      acp_session_mode: z.optional(z.nullable(z.string())),
    }),
  ),
});

/** Answer of `POST /api/acp/models`, and part of one of `GET C`. */
export const agentModelsSchema = z.object({
  current_model_id: maybeText,
  available_models: maybe(lenientList(z.object({ model_id: someText, name: maybeText }))),
  error: maybe(lenientMembers(z.unknown())),
});

/** Answer of `POST /api/profiles/<name>/validate`. */
export const modelCheckSchema = z.object({
  valid: z.boolean(),
  error: maybe(z.object({ message: maybeText })),
});

/** Part of an answer of `GET /api/settings`: what a start has to repeat, because the server doesn’t look there. */
export const startSettingsSchema = z.object({
  conversation_settings: maybe(
    z.object({
      confirmation_mode: maybe(z.boolean()),
      security_analyzer: maybeText,
      max_iterations: maybe(z.int().check(z.gte(1))),
      // Since 1.58.
      default_runtime: maybeText,
      worktree_base: maybe(z.enum(['default_branch', 'head', 'ref'])),
      worktree_base_ref: maybeText,
      worktree_branch_prefix: maybeText,
      container_memory: maybeText,
      container_cpus: maybe(z.number()),
      container_browser: maybe(z.boolean()),
    }),
  ),
});

/** The custom secret that is Agent Canvas’s own, with the session key as its value. */
export const ownSecret = 'OPENHANDS_AUTOMATION_API_KEY';

/** Answer of `GET /api/settings/secrets`: no values. */
export const secretNamesSchema = z.object({
  secrets: lenientList(z.object({ name: someText, description: maybeText })),
});

/** A folder of the server’s computer. */
export interface ServerFolder {
  name: string;
  /** Absolute. */
  path: string;
}

/** An element of the answers of `GET /api/file/search_subdirs` and `GET /api/workspaces`. */
export const folderSchema = z.object({ name: someText, path: someText });
/** Answer of `GET /api/file/home`. */
export const homeSchema = z.object({ home: someText });
/** Answer of `GET /api/workspaces`. */
export const workspacesSchema = z.object({
  workspaces: lenientList(folderSchema),
  workspaceParents: maybe(lenientList(folderSchema)),
});
