import { Invalid, isObject, issue, type Issue } from './http';
import { readMcpConfig, type McpRules } from './mcpConfig';
import { makeSettings, type StoredSettings } from './records';

/** How the service types a settings field (specification: Settings). */
type Kind = 'string' | 'integer' | 'number' | 'boolean' | 'mcp' | 'secretsStore';

interface Field {
  kind: Kind;
  /** `| null` in the specification. */
  nullable: boolean;
}

const nullable = (kind: Kind): Field => ({ kind, nullable: true });
const firm = (kind: Kind): Field => ({ kind, nullable: false });

const fields: Record<string, Field> = {
  language: nullable('string'),
  agent: nullable('string'),
  max_iterations: nullable('integer'),
  security_analyzer: nullable('string'),
  confirmation_mode: nullable('boolean'),
  llm_model: nullable('string'),
  llm_api_key: nullable('string'),
  llm_base_url: nullable('string'),
  remote_runtime_resource_factor: nullable('integer'),
  secrets_store: firm('secretsStore'),
  enable_default_condenser: firm('boolean'),
  enable_sound_notifications: firm('boolean'),
  enable_proactive_conversation_starters: firm('boolean'),
  enable_solvability_analysis: firm('boolean'),
  user_consents_to_analytics: nullable('boolean'),
  sandbox_base_container_image: nullable('string'),
  sandbox_runtime_container_image: nullable('string'),
  mcp_config: firm('mcp'),
  search_api_key: nullable('string'),
  sandbox_api_key: nullable('string'),
  max_budget_per_task: nullable('number'),
  email: nullable('string'),
  email_verified: nullable('boolean'),
  git_user_name: nullable('string'),
  git_user_email: nullable('string'),
};

/** The fields whose values never leave the service. */
export const secretFields = ['llm_api_key', 'search_api_key', 'sandbox_api_key'] as const;

/** What differs between services in taking settings. */
export interface SettingsRules {
  mcp: McpRules;
  /** `mcp_config` may be null. */
  nullableMcp: boolean;
  /** Fields that keep their stored value when the body lacks them or has null. */
  kept: readonly string[];
  /** Fields beyond the specification, with their defaults. */
  extra: Record<string, unknown>;
}

const wanted: Record<
  Exclude<Kind, 'mcp'>,
  [what: string, type: string, fits: (value: unknown) => boolean]
> = {
  string: ['a valid string', 'string_type', (value) => typeof value === 'string'],
  integer: ['a valid integer', 'int_type', (value) => Number.isInteger(value)],
  number: ['a valid number', 'float_type', (value) => typeof value === 'number'],
  boolean: ['a valid boolean', 'bool_type', (value) => typeof value === 'boolean'],
  secretsStore: ['an object', 'model_type', isObject],
};

/**
 * What the service holds after a `POST /api/settings`: everything from the body, everything else back at its default,
 * save the fields that `rules` keeps. Throws Invalid.
 */
export function replaceSettings(
  stored: StoredSettings | null,
  body: Record<string, unknown>,
  rules: SettingsRules,
): StoredSettings {
  const issues: Issue[] = [];
  const next = makeSettings({ ...rules.extra });
  for (const [name, field] of Object.entries(fields)) {
    if (Object.hasOwn(body, name)) {
      const value = readField(name, field, body[name], rules, issues);
      // Tokens have a store and an endpoint of their own; what comes here goes nowhere.
      if (field.kind !== 'secretsStore') next[name] = value;
    }
    if (stored && rules.kept.includes(name)) next[name] ??= stored[name];
  }
  if (issues.length > 0) throw new Invalid(issues);
  for (const name of Object.keys(rules.extra)) if (Object.hasOwn(body, name)) next[name] = body[name];
  for (const name of secretFields) if (next[name] === '') next[name] = null;
  return next;
}

function readField(
  name: string,
  field: Field,
  value: unknown,
  rules: SettingsRules,
  issues: Issue[],
): unknown {
  const loc = ['body', name];
  if (value === null && (field.nullable || (field.kind === 'mcp' && rules.nullableMcp))) return null;
  if (field.kind === 'mcp') return readMcpConfig(value, loc, rules.mcp, issues);
  const [what, type, fits] = wanted[field.kind];
  if (!fits(value)) issues.push(issue(loc, what, type));
  return value;
}
