import { ownMemory } from '../../../../src/api/service/generation';
import assert from 'node:assert/strict';
import type { SettingsBody } from '../../../../src/api/service/schemas/settings';
import { describeError } from '../../../../src/editor/errorText';
import { failureOf, testClient } from '../support/client';
import { CurrentSuite } from './currentSuite';

/** What is sent at the top of the record, where nothing checks it. */
const wrongAtTop: [field: string, values: unknown[]][] = [
  ['language', [5, true, {}, []]],
  ['git_user_name', [5, {}]],
  ['enable_sound_notifications', [null, 'yes', 1]],
  ['enable_proactive_conversation_starters', [null, 'no', 0]],
  ['remote_runtime_resource_factor', [1.5, '2', true]],
  ['max_budget_per_task', ['1', {}]],
  ['user_consents_to_analytics', ['yes', 1]],
  ['sandbox_base_container_image', [5]],
];

describe('hazards of the current generation', () => {
  const suite = new CurrentSuite();
  const raw = (method: string, body?: object) =>
    fetch(`${suite.service.url}/api/v1/settings`, {
      method,
      headers: { 'X-Session-API-Key': suite.service.sessionKey, 'Content-Type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  it('hazard 1: a wrong value at the top destroys the record', async () => {
    assert.equal((await raw('POST', { language: 5 })).status, 200);
    assert.equal((await raw('GET')).status, 500);
    assert.equal((await raw('POST', { language: 'en' })).status, 400);
  });

  for (const [field, values] of wrongAtTop) {
    it(`hazard 1: never sends a wrong type for ${field}`, async () => {
      for (const value of values) {
        const error = await failureOf(suite.save({ [field]: value }));
        assert.deepEqual([error.reason, error.status], ['invalid', undefined], JSON.stringify(value));
      }
      assert.deepEqual(suite.posts, []);
    });
  }

  it('hazard 1: never sends fields it doesn’t know', async () => {
    for (const field of ['v1_enabled', 'sandbox_grouping_strategy', 'git_full_clone', 'agent_settings'])
      assert.equal((await failureOf(suite.save({ [field]: null }))).reason, 'invalid', field);
    assert.deepEqual(suite.posts, []);
  });

  it('hazard 2: never sends an empty, null or masked llm.api_key unless the user clears it', async () => {
    for (const value of [null, ' ', '\t\n', '**********', '<redacted>'])
      assert.equal((await failureOf(suite.save({ llm_api_key: value }))).reason, 'invalid', String(value));
    assert.deepEqual(suite.posts, []);
    const previous = suite.service.state.settings?.llm_api_key;
    await suite.save({ llm_model: 'openai/gpt-5', llm_base_url: 'https://llm.example.com' });
    assert.deepEqual(suite.posts, [
      { agent_settings_diff: { llm: { model: 'openai/gpt-5', base_url: 'https://llm.example.com' } } },
    ]);
    assert.equal(suite.service.state.settings?.llm_api_key, previous);
    await suite.save({ llm_api_key: '' });
    assert.equal(suite.service.state.settings?.llm_api_key, null);
  });

  it('hazard 2: sends only the fields that change', async () => {
    const settings = await suite.client.getSettings();
    await suite.client.postSettings({ ...settings, language: 'it' } as SettingsBody, ['language']);
    assert.deepEqual(suite.posts, [{ language: 'it' }]);
  });

  it('hazard 3: never sends agent_kind', async () => {
    for (const body of [{ agent_kind: 'acp' }, { agent_settings: { agent_kind: 'acp' } }])
      assert.equal((await failureOf(suite.save(body))).reason, 'invalid');
    await suite.save({ agent: 'CodeActAgent', enable_default_condenser: false });
    assert.deepEqual(suite.posts, [
      { agent_settings_diff: { agent: 'CodeActAgent', condenser: { enabled: false } } },
    ]);
  });

  it('hazard 4: keeps nothing of an error text from input_value= on', async () => {
    const secret = 'stored-canary-91c';
    const quoted = `{'model': '', 'api_key': '${secret}'}`;
    const refusals: [status: number, body: unknown][] = [
      [
        400,
        { error: `1 validation error for X\nopenhands.llm\n  Too short [type=v, input_value=${quoted}]` },
      ],
      [400, { error: `Not valid: input_value = ${quoted}` }],
      [400, { detail: `nope [type=v, input_value=${quoted}` }],
      [422, { detail: [{ loc: ['body', 'x'], msg: `bad input_value=${quoted}`, type: 't', input: secret }] }],
      [422, { detail: { input: { api_key: secret } } }],
      [422, { error: { input: secret } }],
      [500, `in\u200bput_value=${quoted}`],
    ];
    for (const [status, body] of refusals) {
      suite.service.fail({
        method: 'POST',
        path: '/api/v1/settings',
        effect: { kind: 'answer', status, ...(typeof body === 'string' ? { text: body } : { body }) },
      });
      const error = await failureOf(suite.save({ language: 'it' }));
      const everything = `${JSON.stringify(error)} ${error.message} ${error.stack ?? ''} ${describeError(error).message}`;
      assert.ok(!everything.includes('canary'), everything);
      assert.ok(!/input_value|api_key/.test(everything), everything);
    }
  });

  it('hazard 4: logs nothing of an error text from input_value= on', async () => {
    const { client: logged, events } = testClient(suite.service.url, {
      sessionKey: suite.service.sessionKey,
    });
    const words = { error: "Refused [type=v, input_value={'api_key': 'stored-canary'}]" };
    suite.service.fail({
      path: '/api/settings',
      effect: { kind: 'answer', status: 500, body: words },
      times: 'always',
    });
    await failureOf(logged.getSettings());
    assert.deepEqual([...new Set(events.map(({ serverText }) => serverText))], ['Refused']);
  });

  it('hazard 4: shows the place and message of a refusal, on its field', async () => {
    suite.service.fail({
      method: 'POST',
      path: '/api/v1/settings',
      effect: {
        kind: 'answer',
        status: 400,
        body: {
          error:
            "2 validation errors for tagged-union[A,B]\nopenhands.llm.base_url\n  Not an address [type=v, input_value='x', input_type=str]\nagent\n  Wrong [type=v, input_value='y']",
        },
      },
    });
    const error = await failureOf(suite.save({ llm_base_url: 'https://x.example.com' }));
    assert.equal(error.serverText, 'openhands.llm.base_url: Not an address');
    assert.deepEqual(error.issues, [{ loc: ['body', 'llm_base_url'], msg: 'Not an address', type: '' }]);
  });

  it('hazard 5: parallel posts lose fields', async () => {
    suite.service.behaviour.delays.save = 100;
    await Promise.all([raw('POST', { language: 'it' }), raw('POST', { git_user_name: 'Grace' })]);
    const { language, git_user_name } = suite.service.state.settings ?? {};
    assert.notDeepEqual([language, git_user_name], ['it', 'Grace']);
  });

  it('hazard 5: sends one change at a time', async () => {
    suite.service.behaviour.delays.save = 30;
    await Promise.all([
      suite.save({ language: 'it' }),
      suite.save({ git_user_name: 'Grace' }),
      suite.save({ llm_model: 'openai/gpt-5' }),
      suite.client.addGitProviders({ provider_tokens: {} }),
      suite.save({ max_iterations: 7 }),
    ]);
    const { language, git_user_name, llm_model, max_iterations } = suite.service.state.settings ?? {};
    assert.deepEqual(
      [language, git_user_name, llm_model, max_iterations],
      ['it', 'Grace', 'openai/gpt-5', 7],
    );
    assert.deepEqual(suite.service.state.providerTokens, {});
  });

  it('hazard 5: continues after a change that failed', async () => {
    suite.service.fail({ method: 'POST', path: '/api/v1/settings', effect: { kind: 'resetBeforeAnswer' } });
    const [first, second] = await Promise.allSettled([
      suite.save({ language: 'it' }),
      suite.save({ language: 'fr' }),
    ]);
    assert.deepEqual([first.status, second.status], ['rejected', 'fulfilled']);
    assert.equal(suite.service.state.settings?.language, 'fr');
  });

  it('hazard 6: sends null only where it means the default or nothing', async () => {
    const empty = ['language', 'git_user_name', 'git_user_email', 'max_budget_per_task'];
    const nested = ['agent', 'max_iterations', 'confirmation_mode', 'security_analyzer', 'llm_base_url'];
    for (const field of [...empty, ...nested]) await suite.save({ [field]: null });
    assert.deepEqual(
      empty.map((field) => suite.service.state.settings?.[field]),
      empty.map(() => null),
    );
    const before = suite.posts.length;
    for (const field of ['llm_model', 'enable_sound_notifications', 'enable_default_condenser'])
      assert.equal((await failureOf(suite.save({ [field]: null }))).reason, 'invalid', field);
    assert.equal(suite.posts.length, before);
    await suite.save({ search_api_key: '' });
    assert.equal(suite.service.state.settings?.search_api_key, null);
    await suite.save({ llm_base_url: '' });
    assert.deepEqual(suite.posts.at(-1), { agent_settings_diff: { llm: { base_url: null } } });
  });

  it('hazard: a git token is kept only with its host: sends a git provider’s stored host with an empty token, and all at once', async () => {
    suite.service.state.providerTokens = {
      gitlab: { token: 'kept', user_id: null, host: 'git.example.com' },
    };
    const { provider_tokens_set } = await suite.client.getSettings();
    assert.deepEqual(provider_tokens_set, { gitlab: 'git.example.com' });
    await suite.client.addGitProviders({
      provider_tokens: { gitlab: { token: '', host: 'git.example.com' } },
    });
    assert.equal(suite.service.state.providerTokens['gitlab']?.token, 'kept');
    await suite.client.unsetProviderTokens();
    assert.deepEqual(suite.service.state.providerTokens, {});
  });

  it('hazard: a 401 can be about the git token: tells a refused git token from a refused session key', async () => {
    const token = await failureOf(
      suite.client.addGitProviders({ provider_tokens: { github: { token: 'bad-token', host: null } } }),
    );
    assert.match(describeError(token).message, /git provider didn’t confirm the token/);
    assert.doesNotMatch(describeError(token).nextStep, /session key/i);
    const generations = ownMemory();
    generations.set(suite.service.url, 'current');
    const wrong = testClient(suite.service.url, { sessionKey: 'wrong', generations }).client;
    await failureOf(wrong.getSettings());
    const key = await failureOf(wrong.addGitProviders({ provider_tokens: {} }));
    assert.match(describeError(key).nextStep, /Set Session Key/);
  });

  for (const release of ['1.8', '1.11'] as const) {
    const held = () => suite.service.state.settings?.mcp_config?.shttp_servers[0]?.api_key;
    const hide = () => {
      suite.service.behaviour.release = release;
      const shttp_servers = [{ url: 'https://a.example.com/mcp', api_key: 'server-secret' }];
      suite.service.patch({
        settings: { mcp_config: { sse_servers: [], stdio_servers: [], shttp_servers } },
      });
    };

    it(`hazard: the map of MCP servers loses its secrets when it’s posted back (${release})`, async () => {
      hide();
      const { agent_settings } = (await (await raw('GET')).json()) as {
        agent_settings: { mcp_config: unknown };
      };
      const { mcp_config } = agent_settings;
      assert.equal((await raw('POST', { agent_settings_diff: { mcp_config } })).status, 200);
      assert.notEqual(held(), 'server-secret');
    });

    it(`hazard: never sends a server whose secret is hidden (${release})`, async () => {
      hide();
      const settings = await suite.client.getSettings(undefined, true);
      const body = { mcp_config: settings.mcp_config } as SettingsBody;
      assert.equal((await failureOf(suite.client.postSettings(body, ['mcp_config']))).reason, 'invalid');
      await suite.client.postSettings({ ...settings, language: 'it' } as SettingsBody, ['language']);
      assert.deepEqual(suite.posts, [{ language: 'it' }]);
      assert.equal(held(), 'server-secret');
    });
  }

  it('names the release', async () => {
    assert.equal(await suite.client.getRelease(), '1.11.0');
  });

  it('suggests verified models and the analyzers that exist', async () => {
    assert.deepEqual(await suite.client.listModels(), ['anthropic/claude-sonnet-4-5', 'openai/gpt-5']);
    assert.deepEqual(await suite.client.listSecurityAnalyzers(), ['llm', 'none']);
    assert.deepEqual(await suite.client.listAgents(), []);
  });
});
