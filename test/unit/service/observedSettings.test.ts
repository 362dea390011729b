import assert from 'node:assert/strict';
import { makeSettings } from '../../service/service';
import { at, listAt, pick, useService } from './support';

describe('reference service, observed: settings', () => {
  const running = useService({ profile: 'observed', sessionKey: 'right' });

  it('returns 404 before the first save and 200 afterward', async () => {
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

  it('replaces everything omitted from a POST except five fields', async () => {
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
    assert.equal(running.service.state.settings?.language, 'de');
    await running.caller.post('/api/settings', { email: 'a@example.com' });
    assert.deepEqual(running.service.state.settings, {
      ...makeSettings(),
      user_version: null,
      condenser_max_size: null,
      v1_enabled: true,
      ...kept,
      email: 'a@example.com',
    });
  });

  it('keeps the five fields when null, and accepts false for the consent', async () => {
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

  it('hides secrets, reports which are set, and clears a secret on an empty string', async () => {
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

  it('stores the mask as the sandbox API key', async () => {
    await running.caller.post('/api/settings', { sandbox_api_key: 'sb-1' });
    assert.equal(running.service.state.settings?.sandbox_api_key, '**********');
  });

  it('drops a secrets store sent with settings', async () => {
    const secrets_store = { provider_tokens: { github: { token: 'gh-1' } }, custom_secrets: {} };
    assert.equal((await running.caller.post('/api/settings', { secrets_store })).status, 200);
    assert.deepEqual(running.service.state.providerTokens, {});
    const shown = await running.caller.get('/api/settings');
    assert.deepEqual(pick(shown.json, 'secrets_store', 'provider_tokens_set'), {
      secrets_store: { provider_tokens: {} },
      provider_tokens_set: {},
    });
  });

  it('masks secrets on request, and stores a posted mask', async () => {
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

  it('has three fields beyond the specification, and always reports v1_enabled as true', async () => {
    await running.caller.post('/api/settings', { user_version: '3', v1_enabled: false });
    const shown = await running.caller.get('/api/settings');
    assert.deepEqual(pick(shown.json, 'user_version', 'condenser_max_size', 'v1_enabled'), {
      user_version: 3,
      condenser_max_size: null,
      v1_enabled: true,
    });
  });

  it('keeps known fields beyond the specification and drops unknown fields', async () => {
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

  const refusals: [field: string, value: unknown, type: string, msg: string, ctx?: object][] = [
    ['language', 7, 'string_type', 'Input should be a valid string'],
    ['llm_api_key', 1, 'string_type', 'Input should be a valid string'],
    [
      'max_iterations',
      '1.5',
      'int_parsing',
      'Input should be a valid integer, unable to parse string as an integer',
    ],
    [
      'remote_runtime_resource_factor',
      1.5,
      'int_from_float',
      'Input should be a valid integer, got a number with a fractional part',
    ],
    ['max_iterations', {}, 'int_type', 'Input should be a valid integer'],
    [
      'confirmation_mode',
      'maybe',
      'bool_parsing',
      'Input should be a valid boolean, unable to interpret input',
    ],
    [
      'enable_sound_notifications',
      2,
      'bool_parsing',
      'Input should be a valid boolean, unable to interpret input',
    ],
    ['enable_default_condenser', null, 'bool_type', 'Input should be a valid boolean'],
    [
      'max_budget_per_task',
      'x',
      'float_parsing',
      'Input should be a valid number, unable to parse string as a number',
    ],
    [
      'mcp_config',
      'none',
      'model_attributes_type',
      'Input should be a valid dictionary or object to extract fields from',
    ],
    [
      'secrets_store',
      null,
      'value_error',
      'Value error, Secrets must be initialized with a dictionary',
      { error: {} },
    ],
    [
      'condenser_max_size',
      19,
      'value_error',
      'Value error, condenser_max_size must be at least 20',
      { error: {} },
    ],
  ];
  for (const [field, value, type, msg, ctx] of refusals) {
    it(`refuses ${JSON.stringify(value)} for ${field} with the real service’s message`, async () => {
      const refused = await running.caller.post('/api/settings', { [field]: value });
      assert.equal(refused.status, 422);
      assert.deepEqual(at(refused.json, 'detail'), [
        { type, loc: ['body', field], msg, input: value, ...(ctx && { ctx }) },
      ]);
    });
  }

  it('names every invalid field, repeats secrets, and stores nothing', async () => {
    const wrong = { llm_base_url: 1, email: {}, search_api_key: ['tvly-secret'] };
    const refused = await running.caller.post('/api/settings', wrong);
    const named = listAt(refused.json, 'detail').map((issue) => at(issue, 'loc', 1));
    assert.deepEqual(named, ['llm_base_url', 'search_api_key', 'email']);
    assert.match(refused.text, /tvly-secret/);
    assert.equal(running.service.state.settings, null);
  });

  it('converts values of other types, and accepts negative numbers', async () => {
    const lax = {
      max_iterations: '12',
      remote_runtime_resource_factor: 3.0,
      confirmation_mode: 'yes',
      max_budget_per_task: '2',
      enable_default_condenser: 1,
      enable_sound_notifications: 'ON',
      email_verified: 'f',
    };
    assert.equal((await running.caller.post('/api/settings', lax)).status, 200);
    assert.deepEqual(pick(running.service.state.settings, ...Object.keys(lax)), {
      max_iterations: 12,
      remote_runtime_resource_factor: 3,
      confirmation_mode: true,
      max_budget_per_task: 2,
      enable_default_condenser: true,
      enable_sound_notifications: true,
      email_verified: false,
    });
    await running.caller.post('/api/settings', { max_iterations: -5, max_budget_per_task: -0.5 });
    assert.deepEqual(pick(running.service.state.settings, 'max_iterations', 'max_budget_per_task'), {
      max_iterations: -5,
      max_budget_per_task: -0.5,
    });
  });

  const notObject = {
    type: 'model_attributes_type',
    loc: ['body'],
    msg: 'Input should be a valid dictionary or object to extract fields from',
  };
  const notJson = { type: 'json_invalid', msg: 'JSON decode error', input: {} };
  const none = { type: 'missing', loc: ['body'], msg: 'Field required', input: null };
  const bodies: [body: string | undefined, contentType: string, issue: unknown][] = [
    [undefined, '', none],
    ['null', 'application/json', none],
    ['[]', 'application/json', { ...notObject, input: [] }],
    ['{}', 'text/plain', { ...notObject, input: '{}' }],
    [
      '{"language":',
      'application/json',
      { ...notJson, loc: ['body', 12], ctx: { error: 'Expecting value' } },
    ],
    ['nonsense', 'application/json', { ...notJson, loc: ['body', 0], ctx: { error: 'Expecting value' } }],
    ['{"a":1}x', 'application/json', { ...notJson, loc: ['body', 7], ctx: { error: 'Extra data' } }],
  ];
  for (const [body, contentType, issue] of bodies) {
    it(`refuses ${String(body)} with content type ${contentType || 'none'}`, async () => {
      const refused = await running.caller.send('POST', '/api/settings', body, contentType);
      assert.equal(refused.status, 422);
      assert.deepEqual(at(refused.json, 'detail'), [issue]);
    });
  }

  it('requires the key on /api but not on /api/v1 or when none is set', async () => {
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

  it('offers about 2,000 models, the agents with a dummy, and three analyzers', async () => {
    const option = async (name: string) => (await running.caller.get(`/api/options/${name}`)).json;
    const models = listAt(await option('models'));
    assert.ok(models.length > 2000 && models.every((model) => typeof model === 'string'));
    assert.equal(new Set(models).size, models.length);
    assert.deepEqual(await option('agents'), [
      'BrowsingAgent',
      'CodeActAgent',
      'DummyAgent',
      'LocAgent',
      'ReadOnlyAgent',
      'VisualBrowsingAgent',
    ]);
    assert.deepEqual(await option('security-analyzers'), ['grayswan', 'invariant', 'llm']);
    assert.equal(at(await option('config'), 'APP_MODE'), 'oss');
  });

  it('reports that it is alive without a key', async () => {
    const alive = await fetch(`${running.service.url}/alive`);
    assert.deepEqual([alive.status, await alive.json()], [200, { status: 'ok' }]);
    const info = await fetch(`${running.service.url}/server_info`);
    assert.deepEqual(Object.keys((await info.json()) as object), ['uptime', 'idle_time', 'resources']);
  });
});

describe('reference service, observed: without a key', () => {
  const running = useService({ profile: 'observed', sessionKey: '' });

  it('accepts requests without a key', async () => {
    assert.equal((await fetch(`${running.service.url}/api/settings`)).status, 404);
  });
});
