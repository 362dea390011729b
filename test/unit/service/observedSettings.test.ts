import assert from 'node:assert/strict';
import { makeSettings } from '../../service/service';
import { at, listAt, pick, useService } from './support';

describe('reference service, observed: settings', () => {
  const running = useService({ profile: 'observed', sessionKey: 'right' });

  it('answers 404 before the first save and 200 after it', async () => {
    const before = await running.caller.get('/api/settings');
    assert.equal(before.status, 404);
    assert.deepEqual(before.json, { error: 'Settings not found' });
    const saved = await running.caller.post('/api/settings', {});
    assert.equal(saved.status, 200);
    assert.deepEqual(saved.json, { message: 'Settings stored' });
    const after = await running.caller.get('/api/settings');
    assert.equal(after.status, 200);
    assert.deepEqual(
      pick(after.json, 'language', 'enable_default_condenser', 'enable_sound_notifications', 'mcp_config'),
      { language: null, enable_default_condenser: true, enable_sound_notifications: false, mcp_config: null },
    );
  });

  it('replaces everything that a post leaves out, save five fields', async () => {
    const kept = {
      llm_model: 'openai/gpt-5',
      llm_base_url: 'https://llm.example.com',
      llm_api_key: 'sk-1',
      search_api_key: 'tvly-1',
      user_consents_to_analytics: true,
    };
    const lost = {
      language: 'de',
      agent: 'CodeActAgent',
      max_iterations: 12,
      max_budget_per_task: 2.5,
      git_user_name: 'Ann',
      enable_default_condenser: false,
      enable_sound_notifications: true,
      sandbox_api_key: 'sb-1',
      mcp_config: { sse_servers: [{ url: 'https://a.example.com/sse' }] },
    };
    await running.caller.post('/api/settings', { ...kept, ...lost });
    assert.equal(running.service.state.settings?.sandbox_api_key, 'sb-1');
    await running.caller.post('/api/settings', { email: 'a@example.com' });
    assert.deepEqual(running.service.state.settings, {
      ...makeSettings(),
      condenser_max_size: null,
      ...kept,
      email: 'a@example.com',
    });
  });

  it('keeps the five fields when they are null, and takes false for the consent', async () => {
    running.service.state.settings = makeSettings({
      llm_model: 'm',
      llm_base_url: 'u',
      llm_api_key: 'k',
      search_api_key: 's',
      user_consents_to_analytics: true,
      agent: 'CodeActAgent',
    });
    await running.caller.post('/api/settings', {
      llm_model: null,
      llm_base_url: null,
      llm_api_key: null,
      search_api_key: null,
      user_consents_to_analytics: null,
      agent: null,
    });
    assert.deepEqual(
      pick(
        running.service.state.settings,
        'llm_model',
        'llm_base_url',
        'llm_api_key',
        'search_api_key',
        'user_consents_to_analytics',
        'agent',
      ),
      {
        llm_model: 'm',
        llm_base_url: 'u',
        llm_api_key: 'k',
        search_api_key: 's',
        user_consents_to_analytics: true,
        agent: null,
      },
    );
    await running.caller.post('/api/settings', { user_consents_to_analytics: false });
    assert.equal(running.service.state.settings.user_consents_to_analytics, false);
  });

  it('never shows secrets, tells which are set, and clears one by an empty text', async () => {
    await running.caller.post('/api/settings', {
      llm_api_key: 'sk-1',
      search_api_key: 's-1',
      sandbox_api_key: 'b-1',
    });
    const shown = await running.caller.get('/api/settings');
    assert.ok(!/sk-1|s-1|b-1/.test(shown.text));
    assert.deepEqual(
      pick(
        shown.json,
        'llm_api_key',
        'search_api_key',
        'sandbox_api_key',
        'llm_api_key_set',
        'search_api_key_set',
      ),
      {
        llm_api_key: null,
        search_api_key: null,
        sandbox_api_key: null,
        llm_api_key_set: true,
        search_api_key_set: true,
      },
    );
    assert.deepEqual(at(shown.json, 'secrets_store'), { provider_tokens: {} });
    await running.caller.post('/api/settings', { search_api_key: '' });
    const cleared = await running.caller.get('/api/settings');
    assert.deepEqual(pick(cleared.json, 'llm_api_key_set', 'search_api_key_set'), {
      llm_api_key_set: true,
      search_api_key_set: false,
    });
    assert.equal(running.service.state.settings?.sandbox_api_key, null, 'lost, for the post lacked it');
  });

  it('masks secrets on demand, and stores a mask that is posted back', async () => {
    running.service.behaviour.maskSecrets = true;
    await running.caller.post('/api/settings', { llm_api_key: 'sk-1' });
    const shown = await running.caller.get('/api/settings');
    assert.deepEqual(pick(shown.json, 'llm_api_key', 'search_api_key'), {
      llm_api_key: '**********',
      search_api_key: null,
    });
    await running.caller.post('/api/settings', shown.json);
    assert.equal(running.service.state.settings?.llm_api_key, '**********');
  });

  it('knows a field beyond the specification, and drops what it does not know', async () => {
    await running.caller.post('/api/settings', {
      condenser_max_size: 99,
      provider_tokens_set: {},
      nonsense: 1,
    });
    const shown = await running.caller.get('/api/settings');
    assert.equal(at(shown.json, 'condenser_max_size'), 99);
    assert.equal(at(shown.json, 'nonsense'), undefined);
    await running.caller.post('/api/settings', {});
    assert.equal(at((await running.caller.get('/api/settings')).json, 'condenser_max_size'), null);
  });

  it('refuses wrong types with a 422 that names every field, and stores nothing', async () => {
    const wrong: Record<string, unknown> = {
      language: 7,
      max_iterations: '12',
      remote_runtime_resource_factor: 1.5,
      confirmation_mode: 'yes',
      max_budget_per_task: '3',
      enable_default_condenser: null,
      llm_api_key: 1,
      secrets_store: null,
      mcp_config: 'none',
    };
    const refused = await running.caller.post('/api/settings', wrong);
    assert.equal(refused.status, 422);
    const named = listAt(refused.json, 'detail').map((issue) => listAt(issue, 'loc'));
    assert.deepEqual(
      named.toSorted(),
      Object.keys(wrong)
        .map((name) => ['body', name])
        .toSorted(),
    );
    assert.equal(running.service.state.settings, null);
  });

  it('refuses a body that is missing, not JSON, not an object, or not called JSON', async () => {
    const bodies: [body: string | undefined, contentType: string][] = [
      [undefined, ''],
      ['{"language":', 'application/json'],
      ['[]', 'application/json'],
      ['{}', 'text/plain'],
    ];
    for (const [body, contentType] of bodies) {
      const refused = await running.caller.send('POST', '/api/settings', body, contentType);
      assert.equal(refused.status, 422, String(body));
      assert.equal(at(refused.json, 'detail', 0, 'loc', 0), 'body');
    }
  });

  it('asks for the key on /api, not on /api/v1, and not at all without one', async () => {
    const call = (path: string, headers: Record<string, string>) =>
      fetch(running.service.url + path, { headers });
    for (const headers of [{}, { 'X-Session-API-Key': 'wrong' }]) {
      const refused = await call('/api/settings', headers);
      assert.equal(refused.status, 401);
      assert.deepEqual(await refused.json(), { detail: 'Unauthorized' });
      assert.equal((await call('/api/v1/sandboxes/search', headers)).status, 200);
    }
    running.service.behaviour.checkKeyOnV1 = true;
    assert.equal((await call('/api/v1/sandboxes/search', {})).status, 401);
    assert.equal((await call('/api/v1/sandboxes/search', { 'X-Session-API-Key': 'right' })).status, 200);
  });

  it('offers suggestions', async () => {
    for (const name of ['models', 'agents', 'security-analyzers']) {
      const answer = await running.caller.get(`/api/options/${name}`);
      assert.ok(listAt(answer.json).every((value) => typeof value === 'string'));
    }
  });
});

describe('reference service, observed: without a key', () => {
  const running = useService({ profile: 'observed', sessionKey: '' });

  it('checks none', async () => {
    assert.equal((await fetch(`${running.service.url}/api/settings`)).status, 404);
  });
});
