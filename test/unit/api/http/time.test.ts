import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { FlatClient } from '../../../support/builders/client';
import { FakeClock } from '../support/clock';
import { endsAtOnce, failureOf, testClient } from '../support/client';
import { closeServers, json, serve, serveRaw, type TestServer } from '../support/servers';

/** Kinds of calls, and their timeouts in milliseconds. */
const calls: [
  name: string,
  ms: number,
  call: (client: FlatClient, signal?: AbortSignal) => Promise<unknown>,
][] = [
  ['a read', 30_000, (client, signal) => client.getSettings(signal)],
  ['a list', 30_000, (client, signal) => client.searchSandboxes({}, signal)],
  ['a save', 60_000, (client, signal) => client.postSettings({}, [], signal)],
  ['a pause', 60_000, (client, signal) => client.pauseSandbox('a', signal)],
  // Release 1.11 takes 17 s to delete one with its sandbox.
  ['a deletion', 60_000, (client, signal) => client.deleteConversation('a', false, signal)],
  ['the start of a sandbox', 180_000, (client, signal) => client.startSandbox(undefined, signal)],
  ['a new conversation', 180_000, (client, signal) => client.createConversation({}, signal)],
];

/** Where a service can stop answering. */
const stalls: [name: string, start: () => Promise<TestServer>][] = [
  ['before the headers', () => serve(() => undefined)],
  [
    'after the headers',
    () =>
      serve((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).flushHeaders();
      }),
  ],
  [
    'within the body',
    () =>
      serve((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"items":[');
      }),
  ],
];

/** Gives the client time to process what has arrived and wait again. */
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('timeouts', () => {
  afterEach(closeServers);

  for (const [stall, start] of stalls) {
    for (const [name, ms, call] of calls) {
      it(`ends ${name} after ${ms / 1_000} s when the service stalls ${stall}`, async () => {
        const server = await start();
        const clock = new FakeClock();
        const { client, events } = testClient(server.origin, { clock });
        const failing = failureOf(call(client));
        await server.received(1);
        await turns();
        clock.advance(ms - 1);
        await turns();
        assert.equal(events.length, 0);
        clock.advance(1);
        const error = await endsAtOnce(failing);
        assert.deepEqual([error.reason, error.outcomeUnknown], ['timeout', error.method !== 'GET']);
        assert.equal(events.length, 1, 'a time-out is not waited for again');
        assert.deepEqual(clock.running, []);
      });
    }
  }

  it('applies to a slow trickle as a whole', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(200, { 'Content-Type': 'application/json' });
      let open = true;
      response.on('close', () => (open = false));
      const drip = () => open && response.write(' ', () => setImmediate(drip));
      drip();
    });
    const clock = new FakeClock();
    const failing = failureOf(testClient(server.origin, { clock }).client.getSettings());
    await server.received(1);
    await turns();
    clock.advance(30_000);
    assert.equal((await endsAtOnce(failing)).reason, 'timeout');
  });

  it('keeps the status when an error stalls in its body', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(403, { 'Content-Type': 'application/json' }).write('{');
    });
    const clock = new FakeClock();
    const failing = failureOf(testClient(server.origin, { clock }).client.getSettings());
    await server.received(1);
    await turns();
    clock.advance(30_000);
    assert.equal((await endsAtOnce(failing)).reason, 'forbidden');
  });

  it('keeps the status when an error that would be tried again stalls in its body', async () => {
    const server = await serve((_request, response) => {
      response.writeHead(503, { 'Content-Type': 'application/json' }).write('{');
    });
    const clock = new FakeClock();
    const { client, events } = testClient(server.origin, { clock });
    const failing = failureOf(client.getSettings());
    await server.received(1);
    await turns();
    clock.advance(30_000);
    assert.equal((await endsAtOnce(failing)).reason, 'serverError');
    assert.equal(events.length, 1);
    assert.deepEqual(clock.running, []);
  });

  it('leaves no timers when all goes well', async () => {
    const server = await serve((_request, response) => json(response, { items: [] }));
    const clock = new FakeClock();
    const { signal } = new AbortController();
    await testClient(server.origin, { clock }).client.searchSandboxes({}, signal);
    assert.deepEqual(clock.running, []);
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});

describe('canceling', () => {
  afterEach(closeServers);

  for (const [stall, start] of stalls) {
    for (const [name, , call] of calls) {
      it(`ends ${name} immediately when the service stalls ${stall}`, async () => {
        const server = await start();
        const clock = new FakeClock();
        const { client, events } = testClient(server.origin, { clock });
        const controller = new AbortController();
        const failing = failureOf(call(client, controller.signal));
        await server.received(1);
        await turns();
        const gone = new Promise((resolve) => server.requests[0]!.socket.once('close', resolve));
        controller.abort();
        const error = await endsAtOnce(failing);
        assert.deepEqual([error.reason, error.outcomeUnknown], ['canceled', error.method !== 'GET']);
        await gone;
        assert.deepEqual(
          events.map(({ reason }) => reason),
          ['canceled'],
        );
        assert.deepEqual(clock.running, []);
        assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
      });
    }
  }

  it('prevents the request if it comes first', async () => {
    const server = await serve((_request, response) => json(response, {}));
    const { client, events } = testClient(server.origin);
    const error = await endsAtOnce(failureOf(client.pauseSandbox('a', AbortSignal.abort())));
    assert.deepEqual([error.reason, error.outcomeUnknown], ['canceled', false]);
    assert.deepEqual([server.requests.length, events.length], [0, 0]);
  });

  it('removes a change from the queue without sending it', async () => {
    const server = await serve(() => undefined);
    const { client } = testClient(server.origin, { clock: new FakeClock() });
    const others = new AbortController();
    const four = [1, 2, 3, 4].map(() => failureOf(client.getSettings(others.signal)));
    await server.received(4);
    const controller = new AbortController();
    const failing = failureOf(client.pauseSandbox('a', controller.signal));
    await turns();
    controller.abort();
    const error = await endsAtOnce(failing);
    assert.deepEqual([error.reason, error.outcomeUnknown], ['canceled', false]);
    assert.equal(server.requests.length, 4);
    others.abort();
    await Promise.all(four);
  });

  it('ends a request that is still connecting', async () => {
    const silent = await serveRaw(() => undefined);
    const controller = new AbortController();
    const { client } = testClient(silent.origin.replace('http:', 'https:'), { clock: new FakeClock() });
    const failing = failureOf(client.getSettings(controller.signal));
    await turns();
    controller.abort();
    assert.equal((await endsAtOnce(failing)).reason, 'canceled');
  });

  /** Fetches that ignore their signal. */
  const deaf: [name: string, fetch: typeof globalThis.fetch][] = [
    ['a connection', () => new Promise(() => undefined)],
    [
      'a body',
      () =>
        Promise.resolve(
          new Response(new ReadableStream(), { headers: { 'Content-Type': 'application/json' } }),
        ),
    ],
    ['the body of an error', () => Promise.resolve(new Response(new ReadableStream(), { status: 404 }))],
  ];
  for (const [name, fetch] of deaf) {
    it(`does not wait for ${name} that ignores its signal`, async () => {
      const controller = new AbortController();
      const { client } = testClient('http://127.0.0.1:9', { clock: new FakeClock(), fetch });
      const failing = failureOf(client.getSettings(controller.signal));
      await turns();
      controller.abort();
      assert.equal((await endsAtOnce(failing)).reason, 'canceled');
    });
  }

  it('is noticed while the request is being sent', async () => {
    const controller = new AbortController();
    const fetch = () => {
      controller.abort();
      return new Promise<Response>(() => undefined);
    };
    const { client } = testClient('http://127.0.0.1:9', { clock: new FakeClock(), fetch });
    assert.equal((await endsAtOnce(failureOf(client.getSettings(controller.signal)))).reason, 'canceled');
  });

  it('does not keep a timeout waiting for a fetch that ignores its signal', async () => {
    const clock = new FakeClock();
    const fetch = () => new Promise<Response>(() => undefined);
    const late = failureOf(testClient('http://127.0.0.1:9', { clock, fetch }).client.getSettings());
    await turns();
    clock.advance(30_000);
    assert.equal((await endsAtOnce(late)).reason, 'timeout');
  });
});
