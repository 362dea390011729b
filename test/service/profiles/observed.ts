import { crashed, Invalid, issue, ok, type Answer, type Issue } from '../http';
import type { McpConfig, StoredSettings, UrlServer } from '../records';
import { agentServerUrl, startFailure } from '../conversationStarts';
import { gitProviders, tokensSet } from '../providerTokens';
import { mask, secretFields } from '../settingsFields';
import { readInteger } from '../validation';
import type { Profile, ProfileSource } from './profile';

/** The service as people run it, pitfalls included ("The service in practice"). */
export function observedProfile({ state, behaviour, sandboxes, agentsUrl }: ProfileSource): Profile {
  return {
    name: 'observed',
    beyondSpecification: true,
    providers: gitProviders,
    done: {
      sandbox: { success: true },
      settings: { message: 'Settings stored' },
      providers: { message: 'Git providers stored' },
    },

    awaitsSandbox: () => behaviour.sandboxKind === 'process',
    startFailed: () => ({ status: 500, body: { detail: startFailure } }),

    asksKey: (path, exists) =>
      exists && path.startsWith('/api/') && (behaviour.checkKeyOnV1 || !path.startsWith('/api/v1/')),
    keyRefused: () => ({ status: 401, body: { detail: 'Unauthorized' } }),
    notThere(call, otherMethod) {
      if (otherMethod) return { status: 405, body: { detail: 'Method Not Allowed' } };
      const isApi = call.path === '/api' || call.path.startsWith('/api/');
      if (isApi) return { status: 404, body: { detail: 'Not Found' } };
      // Everything else belongs to the web app, which answers on any path.
      return call.method === 'GET'
        ? { status: 200, text: page, contentType: 'text/html; charset=utf-8' }
        : { status: 405, body: { detail: 'Method Not Allowed' } };
    },
    noSuchItem: () => ({ status: 404, body: { detail: 'Not Found' } }),
    invalid: (issues) => ({ status: 422, body: { detail: issues } }),
    noSuchSpec: crashed,
    tokenRefused: (text) => ({ status: 401, body: { error: text } }),

    list(records, view, query) {
      const limit = readLimit(query);
      if (limit > 100) return crashed();
      const start = Math.max(0, Number.parseInt(query.get('page_id') ?? '0', 10) || 0);
      const all = [...records];
      const end = start + limit;
      return ok({
        items: all.slice(start, end).map(view),
        next_page_id: end < all.length ? String(end) : null,
      });
    },
    order: (records) => [...records].sort((a, b) => compare(b.created_at, a.created_at)),
    sandbox(record) {
      const running = record.status === 'RUNNING';
      return {
        ...record,
        session_api_key: running ? record.session_api_key : null,
        exposed_urls: running ? record.exposed_urls : null,
      };
    },
    spec: (record) => record,
    conversation(record) {
      const sandbox = state.sandboxes.get(record.sandbox_id);
      const status = sandbox ? sandboxes.statusOf(sandbox) : 'MISSING';
      const running = status === 'RUNNING' ? sandbox : undefined;
      const server = running && (agentsUrl?.(running.id) ?? agentServerUrl(running));
      return {
        ...record,
        sandbox_status: status,
        execution_status: running ? record.execution_status : null,
        conversation_url: server ? `${server}/api/conversations/${record.id}` : null,
        session_api_key: running?.session_api_key ?? null,
      };
    },

    settingsRules: () => ({
      lax: true,
      losesSandboxKey: true,
      nullableMcp: true,
      kept: ['llm_model', 'llm_base_url', 'llm_api_key', 'search_api_key', 'user_consents_to_analytics'],
      extra: behaviour.extraSettings,
      mcp: {
        refuseUnknownKeys: true,
        checkFormats: true,
        fillDefaults: true,
        timeouts: true,
        nullableKeys: true,
        lax: true,
      },
    }),
    settings(stored): Answer {
      if (!stored) return { status: 404, body: { error: 'Settings not found' } };
      return ok({
        ...stored,
        ...shownSecrets(stored, behaviour.maskSecrets),
        mcp_config: shownMcp(stored.mcp_config, behaviour.operatorMcp, behaviour.bareMcpUrls),
        secrets_store: { provider_tokens: {} },
        ...(Object.hasOwn(behaviour.extraSettings, 'v1_enabled') && { v1_enabled: true }),
        llm_api_key_set: stored.llm_api_key !== null,
        search_api_key_set: stored.search_api_key !== null,
        provider_tokens_set: tokensSet(state.providerTokens),
      });
    },
  };
}

const page =
  '<!doctype html><html lang="en"><head><title>Workspace</title></head><body><div id="root"></div></body></html>';

const compare = (a: string, b: string) => (a < b ? -1 : a > b ? 1 : 0);

function readLimit(query: URLSearchParams): number {
  const text = query.get('limit');
  if (text === null) return 100;
  const loc = ['query', 'limit'];
  const issues: Issue[] = [];
  const limit = Number(readInteger(text, loc, { lax: true }, issues));
  if (limit < 1) issues.push(issue(loc, 'Input should be greater than 0', 'greater_than', text, { gt: 0 }));
  if (issues.length > 0) throw new Invalid(issues);
  return limit;
}

const shownSecrets = (stored: StoredSettings, shown: boolean) =>
  Object.fromEntries(secretFields.map((name) => [name, shown && stored[name] !== null ? mask : null]));

function shownMcp(users: McpConfig | null, operators: McpConfig | null, bare: boolean) {
  if (!users && !operators) return null;
  const both = (list: 'sse_servers' | 'shttp_servers') =>
    [...(operators?.[list] ?? []), ...(users?.[list] ?? [])].map((server: UrlServer) =>
      bare && !server.api_key ? server.url : server,
    );
  return {
    sse_servers: both('sse_servers'),
    stdio_servers: [...(operators?.stdio_servers ?? []), ...(users?.stdio_servers ?? [])],
    shttp_servers: both('shttp_servers'),
  };
}
