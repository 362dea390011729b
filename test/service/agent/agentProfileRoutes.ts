import { randomUUID } from 'node:crypto';
import { isObject, ok, type Answer, type Call } from '../http';
import type { Release } from './release';
import type { StartState } from './startRoutes';

type Members = Record<string, unknown>;

/** An agent profile. */
export interface StoredAgent {
  id: string;
  name: string;
  kind: 'openhands' | 'acp';
  /** Name of the model profile. */
  model: string;
  revision?: number;
  /** What else was posted. */
  more?: Members;
}

const refused = (status: number, detail: unknown): Answer => ({ status, body: { detail } });

const bodyOf = ({ body }: Call): Members => ('value' in body && isObject(body.value) ? body.value : {});

/** What a profile has unless it’s posted, by kind. */
const initial = {
  openhands: {
    mcp_server_refs: null,
    secret_refs: null,
    agent: 'CodeActAgent',
    tools: null,
    system_message_suffix: null,
    disabled_skills: [],
    condenser: { condenser_kind: 'llm_summarizing', enabled: true, max_size: 240 },
    tool_concurrency_limit: 1,
  },
  acp: {
    mcp_server_refs: null,
    secret_refs: null,
    acp_server: 'claude-code',
    acp_model: null,
    acp_session_mode: null,
    acp_command: null,
    acp_args: null,
  },
} satisfies Record<string, Members>;

/** Answers requests for agent profiles; undefined for other requests. */
export function agentProfileAnswer(state: StartState, release: Release, call: Call): Answer | undefined {
  const [, encoded, act] = /^\/api\/agent-profiles(?:\/([^/]+))?(?:\/(\w+))?$/.exec(call.path) ?? [];
  if (!call.path.startsWith('/api/agent-profiles')) return undefined;
  const { agents } = state;
  if (encoded === undefined) return call.method === 'GET' ? ok(listed(state)) : undefined;
  const name = decodeURIComponent(encoded);
  const agent = agents.find((one) => one.name === name);
  const missing = () => refused(404, `Agent profile '${name}' not found`);
  switch (`${call.method} ${act ?? ''}`) {
    case 'GET ':
      return agent ? ok({ name, profile: shown(agent) }) : missing();
    case 'POST ':
      return posted(state, name, bodyOf(call));
    case 'DELETE ':
      if (agent) agents.splice(agents.indexOf(agent), 1);
      if (agent && agent.id === state.activeAgent)
        state.activeAgent = release.startsWith('1.58') ? undefined : null;
      return ok({ name, message: 'deleted' });
    case 'POST activate':
      if (!agents.some(({ id }) => id === name)) return missing();
      state.activeAgent = name;
      return ok({ id: name, message: 'activated', agent_settings_applied: false });
    case 'POST rename': {
      const next = String(bodyOf(call)['new_name']);
      if (!agent) return missing();
      if (agents.some((one) => one.name === next)) return refused(409, `Profile '${next}' already exists`);
      agent.name = next;
      return ok({ name: next, message: 'renamed' });
    }
    case 'POST materialize':
      return agent ? ok(materialized(state, agent)) : missing();
    default:
      return undefined;
  }
}

/** Reading the list creates the default profile. */
function listed({ agents, activeAgent }: StartState): unknown {
  if (agents.length === 0)
    agents.push({ id: randomUUID(), name: 'default', kind: 'openhands', model: 'default' });
  return {
    profiles: agents.map(({ id, name, kind, model, revision = 0, more }) => ({
      id,
      name,
      agent_kind: kind,
      revision,
      llm_profile_ref: kind === 'acp' ? null : model,
      mcp_server_refs: more?.['mcp_server_refs'] ?? null,
    })),
    active_agent_profile_id: activeAgent === undefined ? (agents[0]?.id ?? null) : activeAgent,
  };
}

const shown = ({ id, name, kind, model, revision = 0, more }: StoredAgent): Members => ({
  schema_version: 4,
  agent_kind: kind,
  id,
  name,
  revision,
  ...(kind === 'openhands' && { llm_profile_ref: model }),
  ...initial[kind],
  ...more,
});

/** A profile is replaced whole, but keeps its id: what isn’t posted is reset. References aren’t checked. */
function posted({ agents }: StartState, name: string, body: Members): Answer {
  const { agent_kind: kind = 'openhands', llm_profile_ref: model = '' } = body;
  if (kind !== 'openhands' && kind !== 'acp') return refused(422, 'agent_kind');
  if (kind === 'openhands' && model === '') return refused(422, 'Field required: llm_profile_ref');
  const own = ['id', 'revision', 'schema_version', 'agent_kind', 'name', 'llm_profile_ref'];
  const more = Object.fromEntries(Object.entries(body).filter(([member]) => !own.includes(member)));
  const known = Object.keys(initial[kind]);
  const unknown = Object.keys(more).find((member) => !known.includes(member));
  if (unknown !== undefined || (kind === 'acp' && 'llm_profile_ref' in body))
    return refused(422, 'Extra inputs are not permitted');
  const held = agents.find((one) => one.name === name);
  const next: Omit<StoredAgent, 'id' | 'name'> = {
    kind,
    model: String(model),
    more,
    revision: (held?.revision ?? -1) + 1,
  };
  if (held) Object.assign(held, next);
  else agents.push({ id: randomUUID(), name, ...next });
  return { status: 201, body: { name, message: 'saved' } };
}

function materialized({ models, agentSettings }: StartState, agent: StoredAgent): Members {
  const model = models.get(agent.model);
  const resolved = agent.kind === 'acp' || model !== undefined;
  const { mcp_server_refs: refs } = agent.more ?? {};
  const dangling = Array.isArray(refs)
    ? refs.filter((one) => !((one as string) in (agentSettings['mcp_config'] as Members)))
    : [];
  return {
    agent_kind: agent.kind,
    valid: resolved && dangling.length === 0,
    errors: [
      ...(resolved
        ? []
        : [
            `LLM profile '${agent.model}' not found [type=missing, input_value={'api_key': 'canary-llm-key'}]`,
          ]),
      ...dangling.map((one) => `MCP server '${String(one)}' not found`),
    ],
    llm_profile_resolved: resolved,
    llm_api_key_set: model?.hasKey ?? false,
    dangling_mcp_server_refs: dangling,
    resolved_settings:
      agent.kind === 'acp'
        ? { agent_kind: 'acp', acp_server: 'claude-code', acp_command: [], acp_args: [], ...agent.more }
        : { agent_kind: 'openhands', llm: { model: model?.model, api_key: '**********' } },
  };
}
