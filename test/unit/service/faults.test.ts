import assert from 'node:assert/strict';
import type { Effect } from '../../service/service';
import { at, useService } from './support';

const list = '/api/v1/sandboxes/search';

describe('reference service: faults on demand', () => {
  const running = useService({ profile: 'observed', clock: 'manual', seed: 'lifelike' });

  const fail = (effect: Effect) => running.service.fail({ path: list, effect });
  const arrival = () => running.service.waitForRequest(() => true, { phase: 'arrived' });
  const end = () => running.service.waitForRequest(() => true);
  const works = async () => assert.equal((await running.caller.get(list)).status, 200);

  it('fails matching requests once or the given number of times', async () => {
    const once = running.service.fail({ effect: { kind: 'answer', status: 503 } });
    assert.equal((await running.caller.get(list)).status, 503);
    await works();
    assert.equal(once.hits, 1);
    running.service.fail({
      method: 'post',
      path: '/api/v1/*',
      times: 2,
      effect: { kind: 'answer', status: 500 },
    });
    await works();
    for (const expected of [500, 500, 404])
      assert.equal((await running.caller.post('/api/v1/sandboxes/none/pause')).status, expected);
    const always = running.service.fail({ path: /search$/, times: Infinity, effect: { kind: 'empty' } });
    for (let count = 0; count < 3; count++) assert.equal((await running.caller.get(list)).status, 204);
    always.remove();
    await works();
    running.service.fail({ path: `${list}?limit=2*`, effect: { kind: 'empty' } });
    await works();
    assert.equal((await running.caller.get(`${list}?limit=20`)).status, 204);
    running.service.fail({
      when: (request) => at(request.body, 'language') === 'de',
      effect: { kind: 'empty' },
    });
    assert.equal((await running.caller.post('/api/settings', { language: 'en' })).status, 200);
    assert.equal((await running.caller.post('/api/settings', { language: 'de' })).status, 204);
    running.service.fail({ times: 'always', effect: { kind: 'empty' } });
    running.service.clearFailures();
    await works();
  });

  it('sends any status, body, text, and header', async () => {
    fail({ kind: 'answer', status: 500, body: 'a bare text' });
    assert.equal((await running.caller.get(list)).text, '"a bare text"');
    fail({
      kind: 'answer',
      status: 429,
      text: 'later',
      contentType: 'text/plain',
      headers: { 'retry-after': '7' },
    });
    const limited = await running.caller.get(list);
    assert.equal(limited.status, 429);
    assert.equal(limited.text, 'later');
    assert.equal(limited.headers.get('retry-after'), '7');
    fail({
      kind: 'answer',
      status: 200,
      text: '{"__proto__":{"items":[]}}',
      contentType: 'application/json',
    });
    assert.equal((await running.caller.get(list)).text, '{"__proto__":{"items":[]}}');
    fail({ kind: 'html' });
    assert.match((await running.caller.get(list)).headers.get('content-type') ?? '', /^text\/html/);
    fail({ kind: 'garbage' });
    const garbage = await running.caller.get(list);
    assert.match(garbage.headers.get('content-type') ?? '', /^application\/json/);
    assert.equal(garbage.json, undefined);
    for (const status of [301, 302, 303, 307, 308] as const) {
      fail({ kind: 'redirect', to: '//elsewhere.example.com/x', status });
      const redirected = await running.caller.get(list);
      assert.equal(redirected.status, status);
      assert.equal(redirected.headers.get('location'), '//elsewhere.example.com/x');
    }
    await works();
  });

  it('delays the response', async () => {
    fail({ kind: 'delay', ms: 60_000 });
    const arrived = arrival();
    const answer = running.caller.get(list);
    const request = await arrived;
    await running.service.advance(59_999);
    assert.equal(request.outcome, 'pending');
    await running.service.advance(1);
    assert.equal((await answer).status, 200);
    assert.equal(request.outcome, 'answered');
  });

  it('stalls before the headers until released', async () => {
    const failure = fail({ kind: 'stallBeforeHeaders' });
    const arrived = arrival();
    const answer = running.caller.get(list);
    const request = await arrived;
    await works();
    assert.equal(request.outcome, 'pending');
    failure.release();
    assert.equal((await answer).status, 200);
  });

  it('stalls after the headers until released', async () => {
    const failure = fail({ kind: 'stallAfterHeaders' });
    const response = await running.caller.raw('GET', list);
    assert.equal(response.status, 200);
    const reader = response.body?.getReader() ?? assert.fail('no body');
    const first = await reader.read();
    assert.ok(first.value && first.value.length > 0);
    assert.ok(first.value.length < Number(response.headers.get('content-length')));
    failure.release();
    let length = first.value.length;
    for (let next = await reader.read(); next.value; next = await reader.read()) length += next.value.length;
    assert.equal(length, Number(response.headers.get('content-length')));
  });

  it('reports when the client gives up', async () => {
    fail({ kind: 'stallBeforeHeaders' });
    const arrived = arrival();
    const ended = end();
    const abort = new AbortController();
    const answer = running.caller.raw('GET', list, undefined, undefined, abort.signal);
    await arrived;
    abort.abort();
    await assert.rejects(answer);
    const request = await ended;
    assert.equal(request.outcome, 'clientClosed');
    assert.equal(request.status, null);
  });

  it('resets before the response without performing the request', async () => {
    running.service.fail({ path: '/api/settings', effect: { kind: 'resetBeforeAnswer' } });
    const ended = end();
    await assert.rejects(running.caller.post('/api/settings', { language: 'fr' }));
    assert.equal((await ended).outcome, 'cut');
    assert.equal(running.service.state.settings?.language, 'en');
  });

  it('performs the request, then resets, stalls, or changes the response', async () => {
    running.service.fail({ path: '/api/settings', effect: { kind: 'performThenReset' } });
    await assert.rejects(running.caller.post('/api/settings', { language: 'fr' }));
    assert.equal(running.service.state.settings?.language, 'fr');
    running.service.fail({ path: '/api/settings', perform: true, effect: { kind: 'answer', status: 502 } });
    assert.equal((await running.caller.post('/api/settings', { language: 'it' })).status, 502);
    assert.equal(running.service.state.settings.language, 'it');
    const late = running.service.fail({
      path: '/api/settings',
      perform: true,
      effect: { kind: 'stallBeforeHeaders' },
    });
    const arrived = arrival();
    const answer = running.caller.get('/api/settings');
    await arrived;
    running.service.state.settings.language = 'no';
    late.release();
    assert.equal(at((await answer).json, 'language'), 'it', 'the state before the stall');
  });

  for (const kind of ['resetMidway', 'truncated'] as const) {
    it(`cuts off the body: ${kind}`, async () => {
      fail({ kind });
      const response = await running.caller.raw('GET', list);
      assert.equal(response.status, 200);
      await assert.rejects(response.text());
      await works();
    });
  }

  it('announces a byte more than it sends', async () => {
    fail({ kind: 'wrongLength' });
    const short = await running.caller.get(list);
    assert.ok(short.text.startsWith('{"items":['));
    assert.equal(short.json, undefined);
  });

  it('floods the response, plain or compressed', async () => {
    const bytes = 3_000_000;
    fail({ kind: 'huge', bytes });
    assert.equal((await running.caller.get(list)).text.length, bytes);
    fail({ kind: 'gzipBomb', bytes });
    const bomb = await running.caller.get(list);
    assert.equal(bomb.headers.get('content-encoding'), 'gzip');
    assert.equal(bomb.text.length, bytes);
    assert.deepEqual(bomb.json, []);
  });

  it('closes while requests are held', async () => {
    fail({ kind: 'stallBeforeHeaders' });
    const arrived = arrival();
    const answer = running.caller.get(list).catch(() => 'cut');
    await arrived;
    await running.service.close();
    await answer;
  });
});
