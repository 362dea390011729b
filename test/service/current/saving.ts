import { isObject, ok, type Answer } from '../http';
import { makeSettings, type State, type StoredSettings } from '../records';
import { mask } from '../settingsFields';
import { failsOn, mergeDescribed } from './described';
import { readMap, type Release } from './mcpMap';
import { addressOfProvider, isBroken, topFields } from './record';

type Members = Record<string, unknown>;

/** A problem that a check of the nested settings found, with its path. */
export interface Wrong {
  path: string;
  words: string;
  /** The value that the message quotes. */
  input: unknown;
}

/**
 * Answers `POST /api/v1/settings`, which deep-merges a difference. Reading and storing are separate steps, so two saves
 * at once lose each other's fields, although both are answered with 200.
 * @param pause runs between the two steps
 */
export async function saveCurrent(
  state: State,
  body: Members,
  release: Release,
  pause: () => Promise<unknown>,
): Promise<Answer> {
  const keys = ['agent_settings', 'conversation_settings'].filter((name) => name in body);
  if (keys.length > 0) return { status: 422, body: { error: 'Send differences instead', keys } };
  const before = state.settings === null ? makeSettings() : structuredClone(state.settings);
  await pause();
  if (isBroken(before)) return { status: 400, body: { error: 'The stored settings are not valid' } };
  const wrong: Wrong[] = [];
  const next = merged(before, body, wrong);
  const [first] = wrong;
  if (first !== undefined) return refusal(first, release);
  if (failsOn(next)) return failure;
  state.settings = next;
  return ok({ message: 'Settings stored' });
}

const failure: Answer = { status: 500, body: { error: 'Something went wrong storing settings' } };

function refusal({ path, words, input }: Wrong, release: Release): Answer {
  if (release !== '1.11') return failure;
  const quoted = JSON.stringify(input).replaceAll('"', "'");
  const error = [
    '1 validation error for tagged-union[OpenHandsAgentSettings,LLMAgentSettings,ACPAgentSettings]',
    path,
    `  ${words} [type=value_error, input_value=${quoted}, input_type=dict]`,
    '    For further information visit https://errors.pydantic.dev/2.12/v/value_error',
  ].join('\n');
  return { status: 400, body: { error } };
}

function merged(before: StoredSettings, body: Members, wrong: Wrong[]): StoredSettings {
  const next: StoredSettings = { ...before };
  for (const name of topFields) if (name in body) next[name] = topValue(name, body[name], before);
  const agent = isObject(body['agent_settings_diff']) ? body['agent_settings_diff'] : {};
  const conversation = isObject(body['conversation_settings_diff']) ? body['conversation_settings_diff'] : {};
  if ('agent_kind' in agent && agent['agent_kind'] !== (before['agent_kind'] ?? 'openhands'))
    Object.assign(next, {
      agent_kind: agent['agent_kind'],
      llm_model: null,
      llm_api_key: null,
      llm_base_url: null,
      mcp_config: null,
    });
  if ('agent' in agent) next.agent = agent['agent'] as string | null;
  if (isObject(agent['llm'])) mergeModel(next, agent['llm'], wrong);
  if (isObject(agent['condenser']) && 'enabled' in agent['condenser'])
    next.enable_default_condenser = (agent['condenser']['enabled'] ?? true) as boolean;
  if ('mcp_config' in agent)
    next.mcp_config = readMap(agent['mcp_config'], (path, words) =>
      wrong.push({ path: `openhands.mcp_config.${path}`, words, input: agent['mcp_config'] }),
    );
  mergeDescribed(next, agent, wrong);
  mergeConversation(next, conversation, wrong);
  next.llm_base_url =
    next.llm_base_url === '' ? null : (next.llm_base_url ?? addressOfProvider(next.llm_model));
  return next;
}

function topValue(name: string, value: unknown, before: StoredSettings): unknown {
  if (name === 'user_consents_to_analytics') return value ?? before.user_consents_to_analytics;
  if (name === 'search_api_key') return value === '' ? null : value;
  return name === 'sandbox_api_key' && value !== null ? mask : value;
}

function mergeModel(next: StoredSettings, llm: Members, wrong: Wrong[]): void {
  if ('model' in llm) {
    const { model } = llm;
    const words = 'Value error, model must be specified in LLM';
    const input = { model: model ?? null, api_key: next.llm_api_key };
    if (typeof model !== 'string' || model === '') wrong.push({ path: 'openhands.llm', words, input });
    else next.llm_model = model;
  }
  if ('base_url' in llm) next.llm_base_url = llm['base_url'] as string | null;
  if ('api_key' in llm) {
    const key = llm['api_key'];
    const isNone = typeof key !== 'string' || key.trim() === '' || /^\*+$/.test(key) || key === '<redacted>';
    next.llm_api_key = isNone ? null : key;
  }
}

function mergeConversation(next: StoredSettings, conversation: Members, wrong: Wrong[]): void {
  const take = (name: 'max_iterations' | 'confirmation_mode' | 'security_analyzer', words: string) => {
    if (!(name in conversation)) return;
    const value = conversation[name];
    const isRight = {
      max_iterations: () => Number.isInteger(value) && Number(value) >= 1,
      confirmation_mode: () => typeof value === 'boolean',
      security_analyzer: () => value === 'llm' || value === 'none',
    }[name];
    if (value !== null && !isRight()) wrong.push({ path: name, words, input: value });
    else Object.assign(next, { [name]: value });
  };
  take('max_iterations', 'Input should be greater than or equal to 1');
  take('confirmation_mode', 'Input should be a valid boolean');
  take('security_analyzer', "Input should be 'llm' or 'none'");
}
