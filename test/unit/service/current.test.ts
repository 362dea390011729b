import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../../service/service';

/** What each release shows of a server with a key and a variable, and what is left of them after posting that back. */
const releases = {
  '1.7': {
    shown: ['Bearer one-key', 'secret'],
    left: ['one-key', 'secret'],
  },
  '1.8': { shown: ['<redacted>', '<redacted>'], left: [null, '<redacted>'] },
  '1.11': { shown: [undefined, undefined], left: [null, undefined] },
} as const;

type Map = Record<string, { headers?: Record<string, string>; env?: Record<string, string> }>;

describe('reference service, profile current', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ profile: 'current' });
  });
  beforeEach(() => {
    service.reset({ seed: 'lifelike' });
    service.patch({
      settings: {
        mcp_config: {
          sse_servers: [],
          stdio_servers: [{ name: 'tool', command: 'npx', args: [], env: { TOKEN: 'secret' } }],
          shttp_servers: [{ url: 'https://one.example.com/mcp', api_key: 'one-key' }],
        },
      },
    });
  });
  after(() => service.close());

  const call = async (method: string, path: string, body?: object) => {
    const response = await fetch(`${service.url}${path}`, {
      method,
      headers: { 'X-Session-API-Key': service.sessionKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });
    return { status: response.status, body: (await response.json()) as Record<string, never> };
  };
  const post = (body: object) => call('POST', '/api/v1/settings', body);

  for (const [release, { shown, left }] of Object.entries(releases)) {
    it(`shows and takes MCP servers like release ${release}`, async () => {
      service.behaviour.release = release as keyof typeof releases;
      const { agent_settings } = (await call('GET', '/api/v1/settings')).body as unknown as {
        agent_settings: { mcp_config: Map & { mcpServers?: Map } };
      };
      const map = agent_settings.mcp_config.mcpServers ?? agent_settings.mcp_config;
      assert.deepEqual(
        [map['one.example.com']?.headers?.['Authorization'], map['tool']?.env?.['TOKEN']],
        shown,
      );
      assert.equal((await post({ agent_settings_diff: { mcp_config: map } })).status, 200);
      const { shttp_servers = [], stdio_servers = [] } = service.state.settings?.mcp_config ?? {};
      assert.deepEqual([shttp_servers[0]?.api_key, stdio_servers[0]?.env?.['TOKEN']], left);
    });
  }

  it('shows masks of what is set to the user', async () => {
    const { agent_settings } = (await call('GET', '/api/v1/users/me')).body as unknown as {
      agent_settings: { mcp_config: Record<string, object> };
    };
    assert.deepEqual(agent_settings.mcp_config['tool'], {
      command: 'npx',
      args: [],
      env: { TOKEN: '**********' },
    });
  });

  it('keeps what a save leaves out, and stores nothing if one part is wrong', async () => {
    const before = structuredClone(service.state.settings);
    assert.equal((await post({ language: 'it' })).status, 200);
    assert.deepEqual(service.state.settings, { ...before, language: 'it' });
    const wrong = { language: 'fr', conversation_settings_diff: { max_iterations: 0 } };
    assert.equal((await post(wrong)).status, 400);
    service.behaviour.release = '1.8';
    assert.equal((await post(wrong)).status, 500);
    assert.deepEqual(service.state.settings, { ...before, language: 'it' });
  });

  it('resets model, key and MCP servers when agent_kind changes', async () => {
    await post({ agent_settings_diff: { agent_kind: 'acp' } });
    const { llm_model, llm_api_key, mcp_config } = service.state.settings ?? {};
    assert.deepEqual([llm_model, llm_api_key, mcp_config], [null, null, null]);
  });

  it('refuses whole objects, and ignores the older names', async () => {
    assert.equal((await post({ agent_settings: {} })).status, 422);
    assert.equal((await post({ llm_model: 'x', agent: 'y' })).status, 200);
    assert.notEqual(service.state.settings?.llm_model, 'x');
  });

  it('keeps a git token only with its host', async () => {
    service.state.providerTokens = { gitlab: { token: 'kept', user_id: null, host: 'a.example.com' } };
    const send = (host: string) =>
      call('POST', '/api/v1/secrets/git-providers', { provider_tokens: { gitlab: { token: '', host } } });
    await send('a.example.com');
    assert.equal(service.state.providerTokens['gitlab']?.token, 'kept');
    await send('b.example.com');
    assert.deepEqual(service.state.providerTokens, {});
  });
});
