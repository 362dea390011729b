import { randomBytes, randomInt, randomUUID } from 'node:crypto';

/*
 * The records as the service itself holds them, secrets included. The profiles decide what clients see. Records may
 * have fields beyond those named here, which are passed on unchanged.
 */

/** An address that a running sandbox offers. */
export interface ExposedUrl {
  name: string;
  url: string;
  port?: number;
}

/** A sandbox. `session_api_key` and `exposed_urls` are always kept, but shown only while it runs. */
export interface SandboxRecord {
  id: string;
  created_by_user_id: string | null;
  sandbox_spec_id: string;
  /** STARTING RUNNING PAUSED ERROR MISSING, or whatever a test wants to show. */
  status: string;
  session_api_key: string;
  exposed_urls: ExposedUrl[];
  /** ISO 8601 */
  created_at: string;
  [field: string]: unknown;
}

/** A template that sandboxes are made from. */
export interface SpecRecord {
  id: string;
  command: string[];
  created_at: string;
  initial_env: Record<string, string>;
  working_dir: string;
  [field: string]: unknown;
}

/** A conversation. What depends on its sandbox (status, addresses, key) is computed when it's shown. */
export interface ConversationRecord {
  id: string;
  created_by_user_id: string | null;
  sandbox_id: string;
  title: string | null;
  selected_repository: string | null;
  selected_branch: string | null;
  git_provider: string | null;
  trigger: string | null;
  pr_number: number[];
  llm_model: string | null;
  metrics: Record<string, unknown> | null;
  parent_conversation_id: string | null;
  sub_conversation_ids: string[];
  public: boolean | null;
  /** ISO 8601 */
  created_at: string;
  /** ISO 8601 */
  updated_at: string;
  /** The state of the agent; shown only while the sandbox runs. */
  execution_status: string | null;
  [field: string]: unknown;
}

/** The task of starting a conversation. */
export interface StartTaskRecord {
  id: string;
  created_by_user_id: string | null;
  status: string;
  detail: string | null;
  app_conversation_id: string | null;
  sandbox_id: string | null;
  agent_server_url: string | null;
  request: Record<string, unknown>;
  created_at: string;
  updated_at: string;
  [field: string]: unknown;
}

/** An MCP server reached by URL (SSE or HTTP). `timeout` in seconds, HTTP only. */
export interface UrlServer {
  url: string;
  api_key?: string | null | undefined;
  timeout?: number | null | undefined;
}

/** An MCP server that runs as a process in the sandbox. */
export interface StdioServer {
  name: string;
  command: string;
  args?: string[] | undefined;
  env?: Record<string, string> | undefined;
}

/** The three lists of MCP servers. */
export interface McpConfig {
  sse_servers: UrlServer[];
  stdio_servers: StdioServer[];
  shttp_servers: UrlServer[];
}

/** A git provider's entry with the real token. */
export interface ProviderToken {
  token: string | null;
  user_id: string | null;
  host: string | null;
}

/** A model profile of the current generation, with the real key. */
export interface ProfileRecord {
  model: string | null;
  base_url: string | null;
  api_key: string | null;
}

/** A custom secret of the current generation. */
interface SecretRecord {
  value: string;
  description: string;
}

/** A repository at a git provider, for the current generation. */
interface RepositoryRecord {
  full_name: string;
  git_provider: string;
  branches: string[];
}

/** The user's settings with the real secrets. A cleared secret is null. */
export interface StoredSettings {
  language: string | null;
  agent: string | null;
  max_iterations: number | null;
  security_analyzer: string | null;
  confirmation_mode: boolean | null;
  llm_model: string | null;
  llm_api_key: string | null;
  llm_base_url: string | null;
  remote_runtime_resource_factor: number | null;
  enable_default_condenser: boolean;
  enable_sound_notifications: boolean;
  enable_proactive_conversation_starters: boolean;
  enable_solvability_analysis: boolean;
  user_consents_to_analytics: boolean | null;
  sandbox_base_container_image: string | null;
  sandbox_runtime_container_image: string | null;
  mcp_config: McpConfig | null;
  search_api_key: string | null;
  sandbox_api_key: string | null;
  max_budget_per_task: number | null;
  email: string | null;
  email_verified: boolean | null;
  git_user_name: string | null;
  git_user_email: string | null;
  [field: string]: unknown;
}

/** Everything the service remembers. Tests read and change it freely. */
export interface State {
  /** null until the first save. */
  settings: StoredSettings | null;
  /** By provider: github, gitlab, bitbucket. */
  providerTokens: Record<string, ProviderToken>;
  specs: Map<string, SpecRecord>;
  sandboxes: Map<string, SandboxRecord>;
  conversations: Map<string, ConversationRecord>;
  startTasks: Map<string, StartTaskRecord>;
  /** By name. */
  profiles: Map<string, ProfileRecord>;
  activeProfile: string | null;
  /** By name. */
  secrets: Map<string, SecretRecord>;
  repositories: RepositoryRecord[];
}

/** A new id for a conversation or start task: 32 hexadecimal digits. */
export const newHexId = (): string => randomUUID().replaceAll('-', '');

const iso = () => new Date().toISOString();

/** The addresses a sandbox offers; the editor's has the sandbox's secret in its query. */
export function exposedUrls(firstPort: number, key: string): ExposedUrl[] {
  const at = (offset: number) => `http://localhost:${firstPort + offset}`;
  return [
    { name: 'AGENT_SERVER', url: at(0), port: 8000 },
    { name: 'VSCODE', url: `${at(1)}/?tkn=${key}&folder=/workspace/project`, port: 8001 },
    { name: 'WORKER_1', url: at(2), port: 8011 },
    { name: 'WORKER_2', url: at(3), port: 8012 },
  ];
}

/** A complete sandbox with these fields; by default, it's running and from the default spec. */
export function makeSandbox(fields: Partial<SandboxRecord> = {}): SandboxRecord {
  const key = fields.session_api_key ?? randomBytes(24).toString('base64url');
  return {
    id: fields.id ?? `oh-agent-server-${randomBytes(12).toString('hex')}`,
    created_by_user_id: null,
    sandbox_spec_id: defaultSpec.id,
    status: 'RUNNING',
    session_api_key: key,
    exposed_urls: fields.exposed_urls ?? exposedUrls(30_000 + randomInt(7_000) * 4, key),
    created_at: iso(),
    ...fields,
  };
}

/** A complete sandbox spec with these fields. */
export function makeSpec(fields: Partial<SpecRecord> = {}): SpecRecord {
  return {
    id: `ghcr.io/example/agent-server:${randomBytes(4).toString('hex')}`,
    command: ['--port', '8000'],
    created_at: iso(),
    initial_env: { OH_CONVERSATIONS_PATH: '/workspace/conversations', LOG_JSON: 'true' },
    working_dir: '/workspace/project',
    ...fields,
  };
}

/** The spec that every service has. */
export const defaultSpec: SpecRecord = makeSpec({
  id: 'ghcr.io/openhands/agent-server:1.1.0-python',
  created_at: '2025-11-20T09:12:44.000Z',
});

/** A complete conversation with these fields; by default, it's idle and in a sandbox that doesn't exist. */
export function makeConversation(fields: Partial<ConversationRecord> = {}): ConversationRecord {
  const id = fields.id ?? newHexId();
  const created = fields.created_at ?? iso();
  return {
    id,
    created_by_user_id: null,
    sandbox_id: 'oh-agent-server-none',
    title: `Conversation ${id.slice(0, 5)}`,
    selected_repository: null,
    selected_branch: null,
    git_provider: null,
    trigger: null,
    pr_number: [],
    llm_model: null,
    metrics: null,
    parent_conversation_id: null,
    sub_conversation_ids: [],
    public: null,
    created_at: created,
    updated_at: created,
    execution_status: 'idle',
    ...fields,
  };
}

/** Cost in US dollars and tokens used so far: none yet, except for the given members. */
export function makeMetrics(
  fields: Record<string, unknown> = {},
  usage: Record<string, unknown> = {},
): Record<string, unknown> {
  return {
    model_name: 'default',
    accumulated_cost: 0,
    max_budget_per_task: null,
    accumulated_token_usage: {
      model: '',
      prompt_tokens: 0,
      completion_tokens: 0,
      cache_read_tokens: 0,
      cache_write_tokens: 0,
      reasoning_tokens: 0,
      context_window: 0,
      per_turn_token: 0,
      response_id: '',
      ...usage,
    },
    ...fields,
  };
}

/** A complete start task with these fields, just begun. */
export function makeStartTask(fields: Partial<StartTaskRecord> = {}): StartTaskRecord {
  const created = fields.created_at ?? iso();
  return {
    id: newHexId(),
    created_by_user_id: null,
    status: 'WORKING',
    detail: null,
    app_conversation_id: null,
    sandbox_id: null,
    agent_server_url: null,
    request: {},
    created_at: created,
    updated_at: created,
    ...fields,
  };
}

/** Settings of someone who has saved nothing but `fields`. */
export function makeSettings(fields: Partial<StoredSettings> = {}): StoredSettings {
  return {
    language: null,
    agent: null,
    max_iterations: null,
    security_analyzer: null,
    confirmation_mode: null,
    llm_model: null,
    llm_api_key: null,
    llm_base_url: null,
    remote_runtime_resource_factor: null,
    enable_default_condenser: true,
    enable_sound_notifications: false,
    enable_proactive_conversation_starters: true,
    enable_solvability_analysis: true,
    user_consents_to_analytics: null,
    sandbox_base_container_image: null,
    sandbox_runtime_container_image: null,
    mcp_config: null,
    search_api_key: null,
    sandbox_api_key: null,
    max_budget_per_task: null,
    email: null,
    email_verified: null,
    git_user_name: null,
    git_user_email: null,
    ...fields,
  };
}

/** A service that nobody has used yet: no settings, no tokens, only the default spec. */
export function emptyState(): State {
  return {
    settings: null,
    providerTokens: {},
    specs: new Map([[defaultSpec.id, { ...defaultSpec }]]),
    sandboxes: new Map(),
    conversations: new Map(),
    startTasks: new Map(),
    profiles: new Map(),
    activeProfile: null,
    secrets: new Map(),
    repositories: [],
  };
}
