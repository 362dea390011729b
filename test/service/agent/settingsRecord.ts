import { isObject } from '../http';
import { mask } from '../settingsFields';

type Members = Record<string, unknown>;

/** The settings of an agent before the first save, as far as they matter here. */
export const initialAgentSettings = (): Members => ({
  schema_version: 9,
  agent_kind: 'openhands',
  agent: 'CodeActAgent',
  llm: {
    model: 'demo',
    api_key: null,
    base_url: null,
    aws_secret_access_key: null,
    aws_region_name: null,
    num_retries: 5,
    temperature: null,
    max_input_tokens: null,
    reasoning_effort: 'high',
    usage_id: 'default',
  },
  tools: null,
  enable_sub_agents: false,
  tool_concurrency_limit: 1,
  mcp_config: {},
  condenser: { condenser_kind: 'llm_summarizing', enabled: true, max_size: 240 },
  verification: { critic_enabled: false, critic_mode: 'finish_and_message', critic_api_key: null },
});

const acpSettings = (): Members => ({
  schema_version: 9,
  agent_kind: 'acp',
  acp_server: 'claude-code',
  acp_model: null,
  mcp_config: {},
});

/** A value that no difference may have. */
export class WrongValue extends Error {}

const secretNames = ['api_key', 'aws_secret_access_key', 'critic_api_key'];
const serverSecrets = ['env', 'headers', 'auth'];
const serverMembers = [
  ...serverSecrets,
  ...['url', 'command', 'args', 'cwd', 'transport', 'description', 'icon', 'timeout'],
  ...['sse_read_timeout', 'keep_alive', 'enabled'],
];
const secretPrefix = 'gAAAAA';

const isCleared = (value: unknown) =>
  value === null || (typeof value === 'string' && (value.trim() === '' || value === mask));

/** As it is stored: only this server can read what it encrypted. */
export const decrypted = (value: unknown): unknown =>
  typeof value === 'string' && value.startsWith(secretPrefix)
    ? Buffer.from(value.slice(secretPrefix.length), 'base64').toString()
    : value;

/** As only this server can read it. */
export const encrypted = (value: string): string => secretPrefix + Buffer.from(value).toString('base64');

/** A secret as an answer shows it. */
function shownSecret(value: unknown, exposes: string | undefined): unknown {
  if (typeof value !== 'string' || value === '') return value ?? null;
  return exposes === 'encrypted' ? encrypted(value) : mask;
}

/** Every text in the value as a secret. */
function shownWithin(value: unknown, exposes: string | undefined): unknown {
  if (!isObject(value)) return shownSecret(value, exposes);
  const shown = ([name, member]: [string, unknown]) =>
    [name, name === 'strategy' ? member : shownWithin(member, exposes)] as const;
  return Object.fromEntries(Object.entries(value).map(shown));
}

/** The settings as an answer has them. */
export function shownSettings(value: Members, exposes: string | undefined): Members {
  const shown = ([name, member]: [string, unknown]): [string, unknown] => {
    if (secretNames.includes(name)) return [name, shownSecret(member, exposes)];
    if (name === 'mcp_config') return [name, shownServers(member as Members, exposes)];
    return [name, isObject(member) ? shownSettings(member, exposes) : member];
  };
  return Object.fromEntries(Object.entries(value).map(shown));
}

function shownServers(servers: Members, exposes: string | undefined): Members {
  return Object.fromEntries(
    Object.entries(servers).map(([name, server]) => {
      const members = Object.entries(server as Members).map(([member, value]) => [
        member,
        serverSecrets.includes(member) ? shownWithin(value, exposes) : value,
      ]);
      return [name, Object.fromEntries(members) as Members];
    }),
  );
}

/** The settings after a difference, which is merged in depth: null makes a member its default. Throws `WrongValue`. */
export function mergedSettings(before: Members, diff: Members): Members {
  const kind = diff['agent_kind'] ?? before['agent_kind'];
  const initial = kind === 'acp' ? acpSettings() : initialAgentSettings();
  const held = kind === before['agent_kind'] ? before : initial;
  if (kind === 'acp' && 'llm' in diff) throw new WrongValue('Removed agent settings: llm');
  const next = merge(held, diff, initial);
  const llm = next['llm'];
  if (isObject(llm) && (typeof llm['model'] !== 'string' || llm['model'] === ''))
    throw new WrongValue('model');
  return next;
}

/** Keys that aren't known are ignored. */
function merge(before: Members, diff: Members, initial: Members): Members {
  const next: Members = { ...before };
  for (const [name, value] of Object.entries(diff)) {
    if (!(name in initial)) continue;
    const standard = initial[name];
    if (name === 'mcp_config') next[name] = mergedServers(before[name] as Members, value);
    else if (secretNames.includes(name)) next[name] = isCleared(value) ? null : decrypted(value);
    else if (value === null) next[name] = structuredClone(standard);
    else if (isObject(standard) && isObject(value))
      next[name] = merge((before[name] ?? {}) as Members, value, standard);
    else if (standard !== null && typeof value !== typeof standard) throw new WrongValue(name);
    else next[name] = value;
  }
  return next;
}

function mergedServers(before: Members, diff: unknown): Members {
  if (diff === null) return {};
  const next: Members = { ...before };
  for (const [name, change] of Object.entries(diff as Members)) {
    if (change === null) Reflect.deleteProperty(next, name);
    else next[name] = mergedServer((next[name] ?? { enabled: true }) as Members, change as Members);
  }
  return next;
}

function mergedServer(before: Members, change: Members): Members {
  const unknown = Object.keys(change).find((member) => !serverMembers.includes(member));
  if (unknown !== undefined) throw new WrongValue(unknown);
  const next: Members = { ...before };
  for (const [member, value] of Object.entries(change)) {
    // What another kind of authentication had is dropped.
    const held = isOtherKind(next[member], value) ? undefined : next[member];
    const merged = serverSecrets.includes(member) ? mergedSecrets(held, value) : value;
    if (member === 'enabled') next[member] = merged ?? true;
    else if (merged === null || merged === undefined) Reflect.deleteProperty(next, member);
    else next[member] = merged;
  }
  return next;
}

const isOtherKind = (before: unknown, change: unknown) =>
  isObject(before) && isObject(change) && 'strategy' in change && change['strategy'] !== before['strategy'];

/** A mask, an empty text, and null remove a secret. A null in a map that isn't there stays, and is refused. */
function mergedSecrets(before: unknown, change: unknown): unknown {
  if (!isObject(change)) return isCleared(change) ? null : decrypted(change);
  if (!isObject(before) && Object.values(change).includes(null)) throw new WrongValue('null');
  const next: Members = isObject(before) ? { ...before } : {};
  for (const [name, value] of Object.entries(change)) {
    const merged = mergedSecrets(next[name], value);
    if (merged === null) Reflect.deleteProperty(next, name);
    else next[name] = merged;
  }
  return Object.keys(next).length === 0 ? null : next;
}
