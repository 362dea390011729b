import { ok, type Answer } from '../http';
import { tokensSet } from '../providerTokens';
import { makeSettings } from '../records';
import { secretFields } from '../settingsFields';
import type { Profile, ProfileSource } from './profile';

/**
 * A service that does what the specification says and nothing more. Where the specification doesn't show a shape, its
 * answers differ from the observed service's on purpose.
 */
export function documentedProfile({ state, sandboxes }: ProfileSource): Profile {
  return {
    name: 'documented',
    beyondSpecification: false,
    done: { sandbox: {}, settings: {}, providers: {} },

    awaitsSandbox: () => false,
    startFailed: () => refusal(503, 'The sandbox did not start'),

    asksKey: (path) => path.startsWith('/api/'),
    keyRefused: () => refusal(401, 'Session key missing or wrong'),
    notThere: () => refusal(404, 'No such resource'),
    noSuchItem: () => refusal(404, 'No such resource'),
    // In the specification, `loc` is a list of strings that names only the field.
    invalid: (issues) => ({
      status: 422,
      body: {
        detail: issues.map(({ loc, msg, type }) => ({ loc: loc.slice(0, 2).map(String), msg, type })),
      },
    }),
    noSuchSpec: () => refusal(404, 'No such sandbox spec'),
    tokenRefused: (text) => refusal(400, text),

    list: (records, view) => ok([...records].map(view)),
    // The specification doesn't show an order.
    order: (records) => records,
    sandbox: ({ id, status, created_at }) => ({ id, status, created_at }),
    spec: ({ id }) => ({ id }),
    conversation(record) {
      const { id, title, sandbox_id, created_at } = record;
      const sandbox = state.sandboxes.get(sandbox_id);
      const running = sandbox && sandboxes.statusOf(sandbox) === 'RUNNING';
      const status = running ? { execution_status: record.execution_status?.toUpperCase() ?? null } : {};
      return { id, title, sandbox_id, created_at, ...status };
    },

    settingsRules: () => ({
      lax: false,
      losesSandboxKey: false,
      nullableMcp: false,
      // Their values are never shown, so clients can't send them again.
      kept: ['llm_api_key', 'search_api_key'],
      extra: {},
      mcp: {
        refuseUnknownKeys: false,
        checkFormats: false,
        fillDefaults: false,
        timeouts: false,
        nullableKeys: false,
        lax: false,
      },
    }),
    settings(stored): Answer {
      const { mcp_config, ...shown } = stored ?? makeSettings();
      const hidden: readonly string[] = secretFields;
      return ok({
        ...Object.fromEntries(Object.entries(shown).filter(([name]) => !hidden.includes(name))),
        ...(mcp_config ? { mcp_config } : {}),
        secrets_store: { provider_tokens: {}, custom_secrets: {} },
        llm_api_key_set: (stored?.llm_api_key ?? null) !== null,
        search_api_key_set: (stored?.search_api_key ?? null) !== null,
        provider_tokens_set: tokensSet(state.providerTokens),
      });
    },
  };
}

const refusal = (status: number, message: string): Answer => ({ status, body: { message } });
