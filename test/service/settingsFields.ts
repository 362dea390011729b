import { Invalid, isObject, type Issue } from './http';
import { readMcpConfig, type McpRules } from './mcpConfig';
import { makeSettings, type StoredSettings } from './records';
import {
  readBoolean,
  readInteger,
  readNumber,
  readString,
  refused,
  type ReadValue,
  type ValueRules,
} from './validation';

interface Field {
  /** Absent for MCP servers, which have their own rules. */
  read: ReadValue | undefined;
  /** `| null` in the specification. */
  nullable: boolean;
}

const nullable = (read: ReadValue): Field => ({ read, nullable: true });
const firm = (read?: ReadValue): Field => ({ read, nullable: false });

const readSecretsStore: ReadValue = (value, loc, _rules, issues) => {
  if (!isObject(value)) issues.push(refused(loc, 'Secrets must be initialized with a dictionary', value));
  return value;
};

const smallestCondenser = 20;
const readCondenserSize: ReadValue = (value, loc, rules, issues) => {
  const size = readInteger(value, loc, rules, issues);
  if (Number(size) < smallestCondenser)
    issues.push(refused(loc, `condenser_max_size must be at least ${smallestCondenser}`, value));
  return size;
};

/** In the order that the service checks them; the marked ones are beyond the specification. */
const fields: Record<string, Field> = {
  language: nullable(readString),
  agent: nullable(readString),
  max_iterations: nullable(readInteger),
  security_analyzer: nullable(readString),
  confirmation_mode: nullable(readBoolean),
  llm_model: nullable(readString),
  llm_api_key: nullable(readString),
  llm_base_url: nullable(readString),
  /** beyond */
  user_version: nullable(readInteger),
  remote_runtime_resource_factor: nullable(readInteger),
  secrets_store: firm(readSecretsStore),
  enable_default_condenser: firm(readBoolean),
  enable_sound_notifications: firm(readBoolean),
  enable_proactive_conversation_starters: firm(readBoolean),
  enable_solvability_analysis: firm(readBoolean),
  user_consents_to_analytics: nullable(readBoolean),
  sandbox_base_container_image: nullable(readString),
  sandbox_runtime_container_image: nullable(readString),
  mcp_config: firm(),
  search_api_key: nullable(readString),
  sandbox_api_key: nullable(readString),
  max_budget_per_task: nullable(readNumber),
  /** beyond */
  condenser_max_size: nullable(readCondenserSize),
  email: nullable(readString),
  email_verified: nullable(readBoolean),
  git_user_name: nullable(readString),
  git_user_email: nullable(readString),
  /** beyond */
  v1_enabled: nullable(readBoolean),
};

/** Fields that the specification doesn't have. */
export const beyondSpecification = ['user_version', 'condenser_max_size', 'v1_enabled'];

/** The fields whose values never leave the service. */
export const secretFields = ['llm_api_key', 'search_api_key', 'sandbox_api_key'] as const;

/** Shown in place of a secret. */
export const mask = '**********';

/** How services differ in accepting settings. */
export interface SettingsRules extends ValueRules {
  mcp: McpRules;
  /** `mcp_config` may be null. */
  nullableMcp: boolean;
  /** Fields that keep their stored value when the body lacks them or has null. */
  kept: readonly string[];
  /** Store the mask in place of the sandbox API key: the real service loses that secret when it saves. */
  losesSandboxKey: boolean;
  /** Fields beyond the specification, with their defaults. */
  extra: Record<string, unknown>;
}

/**
 * The settings after a `POST /api/settings`: values from the body, and defaults for everything else except the fields
 * that `rules` keeps. Throws Invalid and Crash.
 */
export function replaceSettings(
  stored: StoredSettings | null,
  body: Record<string, unknown>,
  rules: SettingsRules,
): StoredSettings {
  const issues: Issue[] = [];
  const next = makeSettings({ ...rules.extra });
  for (const name of Object.keys(rules.extra)) if (Object.hasOwn(body, name)) next[name] = body[name];
  for (const [name, field] of Object.entries(fields)) {
    if (beyondSpecification.includes(name) && !Object.hasOwn(rules.extra, name)) continue;
    if (Object.hasOwn(body, name)) {
      const value = readField(name, field, body[name], rules, issues);
      // Tokens have their own store and endpoint; those sent here are ignored.
      if (name !== 'secrets_store') next[name] = value;
    }
    if (stored && rules.kept.includes(name)) next[name] ??= stored[name];
  }
  if (issues.length > 0) throw new Invalid(issues);
  for (const name of secretFields) if (next[name] === '') next[name] = null;
  if (rules.losesSandboxKey && next.sandbox_api_key !== null) next.sandbox_api_key = mask;
  return next;
}

function readField(
  name: string,
  { read, nullable: mayBeNull }: Field,
  value: unknown,
  rules: SettingsRules,
  issues: Issue[],
): unknown {
  const loc = ['body', name];
  if (value === null && (mayBeNull || (!read && rules.nullableMcp))) return null;
  return read ? read(value, loc, rules, issues) : readMcpConfig(value, loc, rules.mcp, issues);
}
