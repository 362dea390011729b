import assert from 'node:assert/strict';
import { at, listAt, pick, useService } from './support';

describe('reference service: control from another process', () => {
  const running = useService({ profile: 'observed', clock: 'manual', delays: { pause: 100 } });

  const control = async (name: string, body?: unknown) => {
    const response = await fetch(
      `${running.service.url}/__control/${name}`,
      body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) },
    );
    return { status: response.status, json: (await response.json()) as unknown };
  };

  it('shows and patches the state, including its secrets', async () => {
    const patched = await control('state', {
      settings: { llm_api_key: 'sk-1' },
      providerTokens: { github: { token: 'gh-1', user_id: null, host: null } },
      sandboxes: [{ id: 'one', status: 'PAUSED', status_detail: 'by hand' }],
      conversations: [{ id: 'c', title: 'T', sandbox_id: 'one' }],
      behaviour: { maskSecrets: true, delays: { pause: 7 } },
    });
    assert.equal(patched.status, 200);
    await control('state', { sandboxes: [{ id: 'one', status: 'RUNNING' }] });
    const { json } = await control('state');
    assert.deepEqual(
      pick(json, 'url', 'sessionKey', 'profile'),
      pick(running.service, 'url', 'sessionKey', 'profile'),
    );
    assert.equal(at(json, 'settings', 'llm_api_key'), 'sk-1');
    assert.equal(at(json, 'providerTokens', 'github', 'token'), 'gh-1');
    assert.deepEqual(pick(at(json, 'sandboxes', 0), 'id', 'status', 'status_detail'), {
      id: 'one',
      status: 'RUNNING',
      status_detail: 'by hand',
    });
    assert.equal(at(json, 'conversations', 0, 'title'), 'T');
    assert.equal(running.service.behaviour.maskSecrets, true);
    assert.equal(running.service.behaviour.delays.pause, 7);
    await control('state', { settings: null, remove: { sandboxes: ['one'] } });
    assert.equal(running.service.state.settings, null);
    assert.equal(running.service.state.sandboxes.size, 0);
  });

  it('refuses invalid commands', async () => {
    const bad: [name: string, body: unknown][] = [
      ['state', { sandbox: [] }],
      ['state', { sandboxes: [{}] }],
      ['state', { behaviour: { delays: { nap: 1 } } }],
      ['fail', { effect: { kind: 'explode' } }],
      ['fail', { effect: { kind: 'delay' } }],
      ['show', { readings: 1 }],
      ['show', { sandbox: 'one', readings: 0 }],
      ['advance', {}],
      ['reset', { seed: 'cress' }],
    ];
    for (const [name, body] of bad) {
      const refused = await control(name, body);
      assert.equal(refused.status, 400, JSON.stringify(body));
      assert.ok(at(refused.json, 'error'));
    }
    assert.equal((await control('release', { id: 99 })).status, 404);
    assert.equal((await control('nothing')).status, 404);
  });

  it('makes requests fail, holds them, releases them, and clears faults', async () => {
    await control('fail', { path: '/api/v1/*', times: 'always', effect: { kind: 'answer', status: 503 } });
    assert.equal((await running.caller.get('/api/v1/sandboxes/search')).status, 503);
    await control('clear', {});
    const { json } = await control('fail', { effect: { kind: 'stallBeforeHeaders' } });
    const answer = running.caller.get('/api/v1/sandboxes/search');
    const arrived = await control('wait', {
      method: 'get',
      path: '/api/v1/sandboxes/search',
      phase: 'arrived',
      after: 1,
    });
    assert.equal(at(arrived.json, 'outcome'), 'pending');
    await control('release', { id: at(json, 'id') });
    assert.equal((await answer).status, 200);
  });

  it('lists a sandbox with a temporary status for the given number of reads', async () => {
    running.service.patch({
      sandboxes: [{ id: 'one' }, { id: 'two' }],
      conversations: [{ id: 'c', sandbox_id: 'one' }],
    });
    const statuses = async (): Promise<Record<string, unknown>> => {
      const items = listAt((await running.caller.get('/api/v1/sandboxes/search')).json, 'items');
      return Object.fromEntries<unknown>(items.map((item) => [String(at(item, 'id')), at(item, 'status')]));
    };
    const conversation = async () =>
      at((await running.caller.get('/api/v1/app-conversations/search')).json, 'items', 0, 'sandbox_status');
    assert.equal((await control('show', { sandbox: 'one', readings: 2 })).status, 200);
    assert.deepEqual(await statuses(), { one: 'ERROR', two: 'RUNNING' });
    assert.equal(await conversation(), 'ERROR', 'a conversation shows the status and is no reading');
    assert.deepEqual(await statuses(), { one: 'ERROR', two: 'RUNNING' });
    assert.deepEqual(await statuses(), { one: 'RUNNING', two: 'RUNNING' });
    assert.equal(await conversation(), 'RUNNING');
    await control('show', { sandbox: 'two', status: 'STARTING' });
    assert.deepEqual(await statuses(), { one: 'RUNNING', two: 'STARTING' });
    assert.deepEqual(await statuses(), { one: 'RUNNING', two: 'RUNNING' });
    assert.equal((await control('show', { sandbox: 'none' })).status, 404);
  });

  it('restarts without sandboxes but with conversations', async () => {
    running.service.patch({ sandboxes: [{ id: 'one' }], conversations: [{ id: 'c', sandbox_id: 'one' }] });
    assert.equal((await control('restart', {})).status, 200);
    assert.deepEqual(
      [running.service.state.sandboxes.size, running.service.state.conversations.size],
      [0, 1],
    );
  });

  it('lists requests and violations', async () => {
    await fetch(`${running.service.url}/api/v1/sandboxes/search`);
    await running.caller.get('/api/v1/sandbox-specs/search');
    const paths = async (query: string) =>
      listAt((await control(`requests${query}`)).json).map((request) => at(request, 'path'));
    assert.deepEqual(await paths(''), ['/api/v1/sandboxes/search', '/api/v1/sandbox-specs/search']);
    assert.deepEqual(await paths('?after=1'), ['/api/v1/sandbox-specs/search']);
    assert.equal(listAt((await control('violations')).json).length, 1);
  });

  it('advances the time', async () => {
    running.service.patch({ sandboxes: [{ id: 'one' }] });
    await running.caller.post('/api/v1/sandboxes/one/pause');
    await control('advance', { ms: 100 });
    assert.equal(running.service.state.sandboxes.get('one')?.status, 'PAUSED');
  });

  it('resets the state, optionally with other data', async () => {
    running.service.patch({ sandboxes: [{ id: 'one' }], behaviour: { maskSecrets: true } });
    running.service.fail({ times: Infinity, effect: { kind: 'empty' } });
    await running.caller.post('/api/v1/sandboxes/one/pause');
    const { state } = running.service;
    assert.equal((await control('reset', { sandboxes: 3, conversations: 2 })).status, 200);
    assert.equal(running.service.state, state, 'the same object');
    assert.deepEqual(
      [state.sandboxes.size, state.conversations.size, running.service.requests.length],
      [3, 2, 0],
    );
    assert.equal(running.service.behaviour.maskSecrets, false);
    assert.equal((await running.caller.get('/api/v1/sandboxes/search')).status, 200);
    await control('reset', { seed: 'lifelike' });
    assert.equal(state.settings?.language, 'en');
    await control('reset', {});
    assert.equal(state.settings, null);
  });
});

describe('reference service: control with a real clock', () => {
  const running = useService({ profile: 'observed', delays: { sandboxStart: 1, startAnswer: 20 } });

  it('refuses to advance the time', async () => {
    const response = await fetch(`${running.service.url}/__control/advance`, {
      method: 'POST',
      body: '{"ms":1}',
    });
    assert.equal(response.status, 409);
    await assert.rejects(running.service.advance(1));
  });

  it('updates the state by itself', async () => {
    const started = await running.caller.post('/api/v1/sandboxes');
    assert.equal(at(started.json, 'status'), 'RUNNING', 'the answer came after the start');
  });
});
