import assert from 'node:assert/strict';
import { flatClient } from '../../../support/builders/client';
import { systemClock } from '../../../../src/api/http/clock';
import { createLimiter } from '../../../../src/api/http/limiter';
import { FakeClock } from '../support/clock';
import { failureOf, sessionKey, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

const settings = { llm_api_key_set: true };

describe('requests', () => {
  afterEach(closeServers);

  it('carry the key and accept JSON; only a body has a content type', async () => {
    const server = await serve((_request, response) => json(response, settings));
    const { client } = testClient(server.origin);
    await client.getSettings();
    await client.postSettings({ language: 'en' });
    await client.pauseSandbox('a');
    for (const { headers } of server.requests) {
      assert.equal(headers['x-session-api-key'], sessionKey);
      assert.equal(headers.accept, 'application/json');
      assert.equal(headers.authorization, undefined);
    }
    assert.deepEqual(
      server.requests.map(({ method, url, headers }) => [method, url, headers['content-type']]),
      [
        ['GET', '/api/settings', undefined],
        ['POST', '/api/settings', 'application/json'],
        ['POST', '/api/v1/sandboxes/a/pause', undefined],
      ],
    );
  });

  it('keep the path prefix of the base address', async () => {
    const server = await serve((_request, response) => json(response, settings));
    const { client } = testClient(`${server.origin}/team/agents//`);
    assert.deepEqual([client.baseUrl, client.origin], [`${server.origin}/team/agents`, server.origin]);
    await client.getSettings();
    assert.equal(server.requests[0]?.url, '/team/agents/api/settings');
  });

  for (const baseUrl of [
    'localhost:3000',
    'ftp://a',
    'http://user:pass@host',
    'http://host/?a=1',
    'http://host/#a',
    '',
  ]) {
    it(`are not sent to "${baseUrl}"`, () => {
      assert.throws(() => flatClient({ baseUrl, sessionKey }), { name: 'ApiError', reason: 'badUrl' });
    });
  }

  for (const key of ['line\nfeed-canary', 'emoji-🔑-canary', 'nul\0-canary']) {
    it(`are not sent with an invalid header value as the key: ${JSON.stringify(key)}`, async () => {
      const server = await serve((_request, response) => json(response, settings));
      const error = await failureOf(testClient(server.origin, { sessionKey: key }).client.getSettings());
      assert.deepEqual([error.reason, error.status, server.requests.length], ['unauthorized', undefined, 0]);
      assert.ok(!JSON.stringify([error, error.stack]).includes('canary'));
    });
  }

  it('use the current global fetch', async () => {
    const { client } = testClient('http://127.0.0.1:9');
    const original = globalThis.fetch;
    const seen: unknown[] = [];
    globalThis.fetch = (input) => {
      seen.push(input);
      return Promise.resolve(Response.json(settings));
    };
    try {
      await client.getSettings();
    } finally {
      globalThis.fetch = original;
    }
    assert.deepEqual(seen, ['http://127.0.0.1:9/api/settings']);
  });

  it('are logged individually, without secrets', async () => {
    const server = await serve((_request, response, number) =>
      number === 1
        ? json(response, { error: 'down for a moment' }, 500)
        : json(response, { items: [{ id: 'x' }, 7] }),
    );
    const { client, events } = testClient(`${server.origin}/canary-prefix`);
    await client.searchSandboxes({ pageId: 'canary-page', limit: 10 });
    await client.startSandbox('canary-spec').catch(() => undefined);
    await client.pauseSandbox('canary-id');
    assert.deepEqual(
      events.map(({ method, route, attempt, status, reason, skipped }) => [
        method,
        route,
        attempt,
        status,
        reason,
        skipped,
      ]),
      [
        ['GET', '/api/v1/sandboxes/search', 1, 500, 'serverError', 0],
        ['GET', '/api/v1/sandboxes/search', 2, 200, undefined, 1],
        ['POST', '/api/v1/sandboxes', 1, 200, 'badShape', 0],
        ['POST', '/api/v1/sandboxes/{id}/pause', 1, 200, undefined, 0],
      ],
    );
    assert.equal(events[0]?.serverText, 'down for a moment');
    assert.deepEqual(Object.keys(events[0]).sort(), [
      'attempt',
      'bytes',
      'expected',
      'method',
      'ms',
      'reason',
      'route',
      'serverText',
      'skipped',
      'status',
    ]);
    assert.ok(events.every(({ bytes, ms }) => bytes > 0 && ms >= 0));
    assert.ok(!JSON.stringify(events).includes('canary'));
  });

  it('log the request time without the time in the queue', async () => {
    const clock = new FakeClock();
    const server = await serve((_request, response) => {
      clock.advance(40);
      json(response, settings);
    });
    const { client, events } = testClient(server.origin, { clock });
    await client.getSettings();
    assert.equal(events[0]?.ms, 40);
  });

  it('are limited to four at a time across the clients of an origin', async () => {
    const held: (() => void)[] = [];
    const server = await serve((_request, response) => void held.push(() => json(response, settings)));
    const [one, two] = [1, 2].map(() => flatClient({ baseUrl: server.origin, sessionKey }));
    const all = [one!, two!, one!, two!, one!, two!].map((client) => client.getSettings());
    await server.received(4);
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    assert.equal(server.requests.length, 4);
    held[0]!();
    await server.received(5);
    held[1]!();
    await server.received(6);
    for (const release of held.slice(2)) release();
    await Promise.all(all);
  });

  it('free their place in the queue however they end', async () => {
    const server = await serve((request, response, number) => {
      if (number % 3 === 0) request.socket.destroy();
      else json(response, {}, number % 3 === 1 ? 404 : 200);
    });
    const clock = new FakeClock((ms) => ms < 10_000);
    const limiter = createLimiter(clock);
    const { client } = testClient(server.origin, { clock, limiter });
    for (let round = 0; round < 12; round += 1) await client.pauseSandbox('a').catch(() => undefined);
    const turns = await Promise.all([limiter.enter(), limiter.enter(), limiter.enter(), limiter.enter()]);
    assert.equal(turns.length, 4);
    assert.equal(server.requests.length, 12);
  });

  it('are limited to eight per second, including retries', async () => {
    const clock = new FakeClock((ms) => ms < 10_000);
    const times: number[] = [];
    const server = await serve((_request, response) => json(response, {}, 503, { 'Retry-After': '0' }));
    const fetch: typeof globalThis.fetch = (...args) => {
      times.push(clock.now());
      return globalThis.fetch(...args);
    };
    const { client } = testClient(server.origin, { clock, fetch });
    await Promise.all(Array.from({ length: 10 }, () => failureOf(client.searchSandboxes())));
    assert.equal(times.length, 30);
    for (const at of times) {
      const within = times.filter((other) => other >= at && other < at + 1_000).length;
      assert.ok(within <= 8, `${within} in the second from ${at}`);
    }
  });
});

describe('system clock', () => {
  it('measures time and forgets canceled timers', async () => {
    const began = systemClock.now();
    let fired = false;
    const cancel = systemClock.after(0, () => (fired = true));
    cancel();
    await new Promise<void>((resolve) => void systemClock.after(1, resolve));
    assert.equal(fired, false);
    assert.ok(systemClock.now() >= began);
    assert.ok(Math.abs(systemClock.date() - Date.now()) < 60_000);
    const chance = systemClock.random();
    assert.ok(chance >= 0 && chance < 1);
  });
});
