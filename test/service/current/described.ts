import { isObject } from '../http';
import type { StoredSettings } from '../records';
import type { Wrong } from './saving';

type Members = Record<string, unknown>;

/** A field as release 1.11 describes it. */
interface Described {
  key: string;
  label: string;
  description: string | null;
  section: string;
  section_label: string;
  value_type: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object';
  default: unknown;
  prominence: 'critical' | 'major' | 'minor';
  depends_on: string[];
  secret: boolean;
  choices: { value: unknown; label: string }[];
  variant: 'openhands' | 'acp' | null;
}

const sectionLabels: Readonly<Record<string, string>> = {
  general: 'General',
  llm: 'LLM',
  condenser: 'Condenser',
  verification: 'Verification',
  acp: 'ACP (Agent Client Protocol)',
};

function field(key: string, label: string, rest: Partial<Described> = {}): Described {
  const section = rest.section ?? (key.includes('.') ? (key.split('.')[0] ?? '') : 'general');
  return {
    key,
    label,
    description: null,
    section,
    section_label: sectionLabels[section] ?? section,
    value_type: 'string',
    default: null,
    prominence: 'minor',
    depends_on: [],
    secret: false,
    choices: [],
    variant: 'openhands',
    ...rest,
  };
}

const choices = (...values: string[]) => values.map((value) => ({ value, label: value }));

/** Some of the fields in 1.11. */
const agentFields: readonly Described[] = [
  field('agent', 'Agent', { default: 'CodeActAgent', prominence: 'major' }),
  field('tools', 'Tools', { value_type: 'array', prominence: 'major' }),
  field('enable_sub_agents', 'Enable sub-agents', {
    description: 'Enable sub-agent delegation via TaskToolSet.',
    value_type: 'boolean',
    default: false,
    prominence: 'major',
  }),
  field('tool_concurrency_limit', 'Parallel tool calls', {
    value_type: 'integer',
    default: 1,
    prominence: 'major',
  }),
  field('mcp_config', 'MCP servers', { value_type: 'object', default: {} }),
  field('llm.model', 'Model', { default: 'gpt-5.5', prominence: 'critical' }),
  field('llm.api_key', 'API Key', { secret: true, prominence: 'critical' }),
  field('llm.base_url', 'Base URL', { prominence: 'major' }),
  field('llm.aws_secret_access_key', 'AWS Secret Access Key', { secret: true }),
  field('llm.aws_region_name', 'AWS Region Name'),
  field('llm.ollama_base_url', 'Ollama Base URL'),
  field('llm.num_retries', 'Num Retries', { value_type: 'integer', default: 5 }),
  field('llm.max_input_tokens', 'Max Input Tokens', { value_type: 'integer' }),
  field('llm.temperature', 'Temperature', {
    description: 'Sampling temperature for response generation.',
    value_type: 'number',
  }),
  field('llm.extra_headers', 'Extra Headers', { value_type: 'object' }),
  field('llm.reasoning_effort', 'Reasoning Effort', {
    default: 'high',
    choices: choices('low', 'medium', 'high', 'xhigh', 'none'),
  }),
  field('condenser.enabled', 'Enable memory condensation', {
    value_type: 'boolean',
    default: true,
    prominence: 'critical',
  }),
  field('condenser.max_size', 'Max size', {
    value_type: 'integer',
    default: 240,
    depends_on: ['condenser.enabled'],
  }),
  field('verification.critic_enabled', 'Enable critic', {
    value_type: 'boolean',
    default: false,
    prominence: 'critical',
  }),
  field('verification.critic_mode', 'Critic mode', {
    default: 'finish_and_message',
    choices: choices('finish_and_message', 'all_actions'),
    depends_on: ['verification.critic_enabled'],
  }),
  field('acp_model', 'ACP model', { section: 'acp', variant: 'acp', prominence: 'critical' }),
  field('llm.model', 'Model', { default: 'gpt-5.5', variant: 'acp' }),
];

const conversationFields: readonly Described[] = [
  field('max_iterations', 'Max iterations', { value_type: 'integer', default: 500, variant: null }),
  field('confirmation_mode', 'Confirmation mode', {
    section: 'verification',
    value_type: 'boolean',
    default: false,
    variant: null,
  }),
];

function schemaOf(model_name: string, fields: readonly Described[]) {
  const keys = [...new Set(fields.map(({ section }) => section))];
  const sections = keys.map((key) => ({
    key,
    label: sectionLabels[key],
    fields: fields.filter(({ section }) => section === key),
    variant: null,
  }));
  return { model_name, sections };
}

/** Answer to `GET /api/v1/settings/agent-schema`. */
export const agentSchema = schemaOf('AgentSettings', agentFields);

/** Answer to `GET /api/v1/settings/conversation-schema`. */
export const conversationSchema = schemaOf('ConversationSettings', conversationFields);

const kept = [
  ...['enable_sub_agents', 'tool_concurrency_limit', 'llm.aws_region_name', 'llm.ollama_base_url'],
  ...[
    'llm.num_retries',
    'llm.max_input_tokens',
    'llm.temperature',
    'llm.reasoning_effort',
    'condenser.max_size',
  ],
  ...['verification.critic_enabled', 'verification.critic_mode'],
];
const simple = agentFields.filter(({ key }) => kept.includes(key));

const storedIn = (settings: StoredSettings) => (settings['described'] ?? {}) as Members;

/** Adds the described settings, which are stored by key, to the agent's settings. */
export function withDescribed(settings: StoredSettings, agent: Members): Members {
  const stored = storedIn(settings);
  const whole = { ...agent };
  for (const { key, default: initial } of simple) {
    const [first = '', second] = key.split('.');
    const value = key in stored ? stored[key] : initial;
    whole[first] = second === undefined ? value : { ...(whole[first] as object), [second]: value };
  }
  return whole;
}

/** Merges the described members of a difference, and refuses those with a wrong type. */
export function mergeDescribed(next: StoredSettings, agent: Members, wrong: Wrong[]): void {
  const stored = { ...storedIn(next) };
  for (const described of simple) {
    const [first = '', second] = described.key.split('.');
    const owner = second === undefined ? agent : agent[first];
    const name = second ?? first;
    if (!isObject(owner) || !(name in owner)) continue;
    const value = owner[name];
    if (fits(described, value)) stored[described.key] = value;
    else wrong.push({ path: `openhands.${described.key}`, words: 'Input is not valid', input: value });
  }
  if (Object.keys(stored).length > 0) next['described'] = stored;
}

/** The smallest context that agents work with. A smaller one fails the whole save without naming the value. */
const smallestContext = 16_384;

/** Whether saving these settings crashes the service although every value has the right type. */
export function failsOn(settings: StoredSettings): boolean {
  const tokens = storedIn(settings)['llm.max_input_tokens'];
  return typeof tokens === 'number' && tokens < smallestContext;
}

function fits({ value_type, choices: offered, default: initial }: Described, value: unknown): boolean {
  if (value === null) return initial === null;
  if (offered.length > 0) return offered.some((choice) => choice.value === value);
  if (value_type === 'integer') return Number.isInteger(value);
  return typeof value === value_type;
}
