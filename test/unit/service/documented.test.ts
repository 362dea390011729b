import assert from 'node:assert/strict';
import { makeSettings } from '../../service/service';
import { at, listAt, pick, useService } from './support';

describe('reference service, documented', () => {
  const running = useService({ profile: 'documented', seed: 'lifelike', clock: 'manual' });

  it('has no paths beyond the specification', async () => {
    const { caller } = running;
    const missing = await Promise.all([
      caller.get('/'),
      caller.get('/conversations/1'),
      caller.get('/api/options/models'),
      caller.get('/api/v1/app-conversations/search'),
      caller.get('/api/v1/app-conversations/start-tasks?ids=1'),
      caller.get('/api/v1/sandboxes'),
      caller.get('/api/v1/settings'),
      caller.post('/api/unset-provider-tokens'),
    ]);
    assert.deepEqual(
      missing.map(({ status }) => status),
      missing.map(() => 404),
    );
    assert.ok(Object.keys(running.service.state.providerTokens).length > 0);
  });

  it('requires the key everywhere', async () => {
    for (const path of [
      '/api/settings',
      '/api/v1/sandboxes/search',
      '/api/v1/app-conversations',
      '/api/none',
    ]) {
      for (const headers of [{}, { 'X-Session-API-Key': 'wrong' }])
        assert.equal((await fetch(running.service.url + path, { headers })).status, 401, path);
    }
    const start = await fetch(`${running.service.url}/api/v1/sandboxes`, { method: 'POST' });
    assert.equal(start.status, 401);
  });

  it('lists bare arrays of small records, whatever the paging parameters', async () => {
    const { state } = running.service;
    const sandboxes = listAt((await running.caller.get('/api/v1/sandboxes/search?limit=1&page_id=1')).json);
    assert.equal(sandboxes.length, state.sandboxes.size);
    for (const sandbox of sandboxes)
      assert.deepEqual(Object.keys(sandbox as object), ['id', 'status', 'created_at']);
    const specs = (await running.caller.get('/api/v1/sandbox-specs/search?limit=1000')).json;
    assert.deepEqual(
      specs,
      [...state.specs.keys()].map((id) => ({ id })),
    );
    const conversations = listAt((await running.caller.get('/api/v1/app-conversations')).json);
    assert.equal(conversations.length, state.conversations.size);
    assert.ok(
      conversations.some(
        (conversation) => at(conversation, 'execution_status') === 'WAITING_FOR_CONFIRMATION',
      ),
    );
    for (const conversation of conversations) {
      const names = Object.keys(conversation as object).filter((name) => name !== 'execution_status');
      assert.deepEqual(names, ['id', 'title', 'sandbox_id', 'created_at']);
    }
  });

  it('starts, pauses, and resumes sandboxes with empty responses', async () => {
    const started = await running.caller.post('/api/v1/sandboxes');
    assert.deepEqual(Object.keys(started.json as object), ['id', 'status', 'created_at']);
    const id = String(at(started.json, 'id'));
    await running.service.advance(1000);
    assert.equal(running.service.state.sandboxes.get(id)?.status, 'RUNNING');
    assert.deepEqual((await running.caller.post(`/api/v1/sandboxes/${id}/pause`)).json, {});
    await running.service.advance(1000);
    assert.equal(running.service.state.sandboxes.get(id)?.status, 'PAUSED');
    assert.deepEqual((await running.caller.post(`/api/v1/sandboxes/${id}/resume`)).json, {});
    assert.equal((await running.caller.post('/api/v1/sandboxes/none/pause')).status, 404);
    assert.equal((await running.caller.post('/api/v1/sandboxes?sandbox_spec_id=none')).status, 404);
  });

  it('returns the conversation itself, or an error', async () => {
    const made = await running.caller.post('/api/v1/app-conversations', { title: 'Now' });
    assert.equal(made.status, 200);
    assert.equal(at(made.json, 'title'), 'Now');
    assert.equal(running.service.state.conversations.get(String(at(made.json, 'id')))?.title, 'Now');
    const refused = await running.caller.post('/api/v1/app-conversations', {
      sandbox_id: 'oh-agent-server-P0vR2mKi',
    });
    assert.equal(refused.status, 409);
  });

  it('omits secret values from the settings', async () => {
    const shown = await running.caller.get('/api/settings');
    for (const name of ['llm_api_key', 'search_api_key', 'sandbox_api_key'])
      assert.ok(!Object.hasOwn(shown.json as object, name));
    assert.deepEqual(
      pick(shown.json, 'language', 'llm_api_key_set', 'search_api_key_set', 'provider_tokens_set'),
      {
        language: 'en',
        llm_api_key_set: true,
        search_api_key_set: true,
        provider_tokens_set: { github: null },
      },
    );
  });

  it('returns defaults before the first save', async () => {
    running.service.state.settings = null;
    const shown = await running.caller.get('/api/settings');
    assert.equal(shown.status, 200);
    assert.deepEqual(
      pick(shown.json, 'language', 'enable_default_condenser', 'llm_api_key_set', 'mcp_config'),
      {
        language: null,
        enable_default_condenser: true,
        llm_api_key_set: false,
        mcp_config: undefined,
      },
    );
  });

  it('replaces settings except secret keys', async () => {
    running.service.state.settings = makeSettings({
      language: 'de',
      llm_model: 'm',
      llm_api_key: 'k',
      search_api_key: 's',
    });
    const saved = await running.caller.post('/api/settings', {
      agent: 'CodeActAgent',
      condenser_max_size: 9,
    });
    assert.deepEqual(saved.json, {});
    assert.deepEqual(
      running.service.state.settings,
      makeSettings({ agent: 'CodeActAgent', llm_api_key: 'k', search_api_key: 's' }),
    );
  });

  it('accepts MCP servers by type alone, and drops unknown members', async () => {
    const saved = await running.caller.post('/api/settings', {
      mcp_config: { sse_servers: [{ url: 'anything', timeout: 5 }], more: 1 },
    });
    assert.equal(saved.status, 200);
    assert.deepEqual(at((await running.caller.get('/api/settings')).json, 'mcp_config'), {
      sse_servers: [{ url: 'anything' }],
      stdio_servers: [],
      shttp_servers: [],
    });
  });

  it('uses only strings in loc, and accepts null only where specified', async () => {
    const bodies: [body: Record<string, unknown>, field: string][] = [
      [{ mcp_config: null }, 'mcp_config'],
      [{ mcp_config: { sse_servers: [{ url: 'x', api_key: null }] } }, 'mcp_config'],
      [{ enable_default_condenser: null }, 'enable_default_condenser'],
      [{ max_iterations: 'x' }, 'max_iterations'],
    ];
    for (const [body, field] of bodies) {
      const refused = await running.caller.post('/api/settings', body);
      assert.equal(refused.status, 422, field);
      assert.deepEqual(at(refused.json, 'detail', 0, 'loc'), ['body', field]);
      assert.deepEqual(Object.keys(at(refused.json, 'detail', 0) as object).toSorted(), [
        'loc',
        'msg',
        'type',
      ]);
    }
    assert.equal((await running.caller.post('/api/settings', { confirmation_mode: null })).status, 200);
  });

  it('replaces provider tokens', async () => {
    const added = await running.caller.post('/api/add-git-providers', {
      provider_tokens: { forge: { token: 't', host: 'forge.example.com' } },
    });
    assert.deepEqual(added.json, {});
    assert.deepEqual(Object.keys(running.service.state.providerTokens), ['forge']);
    const refused = await running.caller.post('/api/add-git-providers', {
      provider_tokens: { forge: { token: 'bad' } },
    });
    assert.equal(refused.status, 400);
    const invalid = await running.caller.post('/api/add-git-providers', { provider_tokens: [] });
    assert.deepEqual(at(invalid.json, 'detail', 0, 'loc'), ['body', 'provider_tokens']);
  });
});
