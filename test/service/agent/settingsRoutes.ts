import { agentSchema, conversationSchema } from '../current/described';
import { isObject, ok, type Answer, type Call } from '../http';
import type { AgentConversation } from './conversation';
import { isNew, type Release } from './release';
import { decrypted, initialAgentSettings, mergedSettings, shownSettings, WrongValue } from './settingsRecord';
import type { StartState, StoredModel } from './startRoutes';

type Members = Record<string, unknown>;

const refused = (status: number, detail: unknown): Answer => ({ status, body: { detail } });

const bodyOf = ({ body }: Call): Members => ('value' in body && isObject(body.value) ? body.value : {});

/** Answers requests for settings, custom secrets, and model profiles; undefined for other requests. */
export function settingsAnswer(state: StartState, release: Release, call: Call): Answer | undefined {
  const what = `${call.method} ${call.path}`;
  switch (what) {
    case 'GET /api/settings':
      return ok(whole(state, call.exposes));
    case 'PATCH /api/settings':
      return patched(state, bodyOf(call));
    case 'GET /api/settings/agent-schema':
      return ok(agentSchema);
    case 'GET /api/settings/conversation-schema':
      return ok(conversationSchema);
    case 'GET /api/llm/models/verified':
      return ok({ models: { openai: ['gpt-5.6'], anthropic: ['claude-opus-5'] } });
    case 'GET /api/settings/secrets':
      return ok({ secrets: listedSecrets(state, call.query.get('agent_profile_id')) });
    case 'POST /api/mcp/test':
      return tested(state, bodyOf(call));
    case 'PUT /api/settings/secrets':
      return savedSecret(state, release, bodyOf(call));
    case 'GET /api/meta-profiles':
      return isNew(release)
        ? ok({
            meta_profiles: [{ name: 'router', classifier_model: 'default', num_classes: 2 }],
            active_meta_profile: state.metaProfile,
          })
        : undefined;
    case 'GET /api/profiles':
      return ok({
        profiles: [...state.models].map(([name, { model, hasKey, llm }]) => ({
          name,
          model,
          base_url: llm?.['base_url'] ?? null,
          provider_connection_id: llm?.['provider_connection_id'] ?? null,
          api_key_set: hasKey,
        })),
        active_profile: state.activeModel,
      });
    default:
      return secretAnswer(state, what) ?? profileAnswer(state, call);
  }
}

/** Those of an agent profile, if one is named; all otherwise. */
function listedSecrets({ secrets, agents }: StartState, profileId: string | null): Members[] {
  const refs = agents.find(({ id }) => id === profileId)?.more?.['secret_refs'];
  const isGiven = (name: string) => !Array.isArray(refs) || refs.includes(name);
  return [...secrets]
    .filter(([name]) => isGiven(name))
    .map(([name, { description }]) => ({ name, description }));
}

function whole(state: StartState, exposes?: string): Members {
  const { agentSettings, conversationSettings, activeModel } = state;
  const key = isObject(agentSettings['llm']) ? agentSettings['llm']['api_key'] : null;
  return {
    agent_settings: shownSettings(agentSettings, exposes),
    conversation_settings: conversationSettings,
    llm_api_key_is_set: typeof key === 'string',
    active_profile: activeModel,
    misc_settings: {},
  };
}

/** Connects to nothing: what isn’t there is known by its name. Errors quote what they’re about. */
function tested(state: StartState, { server }: Members): Answer {
  if (!isObject(server) || typeof server['type'] !== 'string') return refused(422, 'type');
  const text = JSON.stringify(server, (_name, value: unknown) => decrypted(value));
  state.tested.push(JSON.parse(text) as Members);
  const failed = (kind: string, error: string) => ok({ ok: false, error, error_kind: kind });
  if (text.includes('missing')) return failed('unknown', `[Errno 2] No such file or directory: ${text}`);
  if (text.includes('slow')) return failed('timeout', 'MCP connection timed out');
  return ok({ ok: true, tools: ['search', 'fetch'], tool_result: null, oauth_state: null });
}

/** Never says which value is wrong. */
function patched(state: StartState, body: Members): Answer {
  const { agent_settings_diff: agent, conversation_settings_diff: conversation } = body;
  if (!isObject(agent) && !isObject(conversation))
    return refused(400, 'At least one of agent_settings_diff, conversation_settings_diff must be provided');
  try {
    const next = isObject(agent) ? mergedSettings(state.agentSettings, agent) : state.agentSettings;
    if (isObject(conversation))
      state.conversationSettings = { ...state.conversationSettings, ...checkedConversation(conversation) };
    state.agentSettings = next;
    if (isObject(agent) && 'llm' in agent) state.activeModel = null;
    return ok(whole(state));
  } catch (error) {
    if (error instanceof WrongValue) return refused(422, 'Settings validation failed');
    throw error;
  }
}

/** Here, null is a value. */
function checkedConversation(diff: Members): Members {
  const { max_iterations: most = 1, confirmation_mode: asks = false } = diff;
  if (!Number.isInteger(most) || typeof asks !== 'boolean') throw new WrongValue('conversation');
  const known = ['max_iterations', 'confirmation_mode', 'security_analyzer'];
  return Object.fromEntries(Object.entries(diff).filter(([name]) => known.includes(name)));
}

/** Replaces both value and description. */
function savedSecret(state: StartState, release: Release, body: Members): Answer {
  const { name = '', value = '', description = null } = body as Partial<Record<string, string>>;
  if (!/^[A-Za-z]\w{0,63}$/.test(name)) return refused(422, 'Invalid secret name format.');
  if (isNew(release) && /^[\s*]*$/.test(value)) return refused(422, 'Secret value must not be empty');
  state.secrets.set(name, { value, description });
  return ok({ name, description });
}

function secretAnswer(state: StartState, what: string): Answer | undefined {
  const [, name] = /^DELETE \/api\/settings\/secrets\/([^/]+)$/.exec(what) ?? [];
  if (name === undefined) return undefined;
  return state.secrets.delete(decodeURIComponent(name))
    ? ok({ deleted: true })
    : refused(404, 'Secret not found');
}

function profileAnswer(state: StartState, call: Call): Answer | undefined {
  const [, encoded, act] = /^\/api\/profiles\/([^/]+)(?:\/(\w+))?$/.exec(call.path) ?? [];
  if (encoded === undefined) return undefined;
  const { models, agents } = state;
  const name = decodeURIComponent(encoded);
  const profile = models.get(name);
  const missing = () => refused(404, `Profile '${name}' not found`);
  switch (`${call.method} ${act ?? ''}`) {
    case 'GET ':
      return profile ? ok(shownModel(name, profile, call.exposes)) : missing();
    case 'POST ':
      models.set(name, storedModel(bodyOf(call)));
      return { status: 201, body: { name, message: 'saved' } };
    case 'DELETE ':
      if (agents.some(({ kind, model }) => kind === 'openhands' && model === name))
        return refused(409, `LLM profile '${name}' is referenced by agent profiles`);
      models.delete(name);
      if (state.activeModel === name) state.activeModel = null;
      return ok({ name });
    case 'POST validate': {
      if (state.checksNoModels) return refused(404, 'Not Found');
      const { model, api_key: key } = bodyOf(call)['llm'] as { model: string; api_key?: string };
      const message = `Invalid API key [type=value_error, input_value='${String(decrypted(key ?? ''))}']`;
      const valid = model.startsWith('demo/');
      return ok({ valid, error: valid ? null : { type: 'LLMAuthenticationError', message } });
    }
    case 'POST activate':
      if (!profile) return missing();
      state.agentSettings = { ...state.agentSettings, llm: modelOf(profile) };
      state.activeModel = name;
      return ok({ name });
    case 'POST rename': {
      const next = String(bodyOf(call)['new_name']);
      if (!profile) return missing();
      if (models.has(next)) return refused(409, `Profile '${next}' already exists`);
      models.delete(name);
      models.set(next, profile);
      if (state.activeModel === name) state.activeModel = next;
      return ok({ name: next });
    }
    default:
      return undefined;
  }
}

/** A profile is replaced whole: without a key, it has none, nor with a provider connection, which has one. */
function storedModel({ llm: sent, include_secrets: withKey }: Members): StoredModel {
  const members = Object.entries(isObject(sent) ? sent : {});
  const llm: Members = Object.fromEntries(members.map(([name, value]) => [name, decrypted(value)]));
  const isLinked = typeof llm['provider_connection_id'] === 'string';
  const key = withKey === false || isLinked ? null : (llm['api_key'] ?? null);
  const base = isLinked ? { base_url: null } : {};
  return {
    model: String(llm['model']),
    hasKey: key !== null || isLinked,
    llm: { ...llm, ...base, api_key: key },
  };
}

/** With another secret key than before, the server can’t read what it holds, and knows only that there’s something. */
function shownModel(name: string, profile: StoredModel, exposes: string | undefined): Members {
  const config = shownSettings(modelOf(profile), exposes);
  const isLost = exposes === undefined || profile.isUnreadable;
  return {
    name,
    config: { ...config, ...(isLost && { api_key: null }) },
    api_key_set: profile.hasKey && !profile.isUnreadable,
  };
}

function modelOf({ model, llm, hasKey }: StoredModel): Members {
  const initial = initialAgentSettings()['llm'] as Members;
  return { ...initial, api_key: hasKey ? 'stored' : null, ...llm, model };
}

/** Answers a request to go on with another model; undefined for other requests. ACP agents only say that they do. */
export function switchAnswer(
  { models }: StartState,
  conversation: AgentConversation,
  call: Call,
): Answer | undefined {
  if (call.method !== 'POST' || !call.path.endsWith('/switch_profile')) return undefined;
  const name = String(bodyOf(call)['profile_name']);
  const profile = models.get(name);
  if (!profile) return refused(404, `Profile '${name}' not found`);
  if (conversation.agentKind !== 'ACPAgent') conversation.about['model'] = profile.model;
  return ok({ success: true });
}
