import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import type { FlatClient } from '../../../support/builders/client';
import { FakeClock } from '../support/clock';
import { endsAtOnce, failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

const calls: [name: string, call: (client: FlatClient) => Promise<unknown>][] = [
  ['a read', (client) => client.getSettings()],
  ['a change', (client) => client.pauseSandbox('a')],
  ['the start of a sandbox', (client) => client.startSandbox()],
];

const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('client whose session key was cleared', () => {
  afterEach(closeServers);

  for (const [name, call] of calls) {
    it(`ends ${name} in progress and closes its connection`, async () => {
      const server = await serve(() => undefined);
      const end = new AbortController();
      const clock = new FakeClock();
      const { client, events } = testClient(server.origin, { clock, ended: end.signal });
      const failing = failureOf(call(client));
      await server.received(1);
      await turns();
      const gone = new Promise((resolve) => server.requests[0]!.socket.once('close', resolve));
      end.abort();
      const error = await endsAtOnce(failing);
      assert.deepEqual([error.reason, error.outcomeUnknown], ['keyRevoked', error.method === 'POST']);
      await gone;
      assert.deepEqual(
        events.map(({ reason }) => reason),
        ['keyRevoked'],
      );
      assert.deepEqual(clock.running, []);
      assert.equal(getEventListeners(end.signal, 'abort').length, 0);
    });

    it(`refuses ${name} without sending a request`, async () => {
      const server = await serve((_request, response) => json(response, {}));
      const { client, events } = testClient(server.origin, { ended: AbortSignal.abort() });
      const error = await endsAtOnce(failureOf(call(client)));
      assert.deepEqual([error.reason, error.outcomeUnknown], ['keyRevoked', false]);
      assert.deepEqual([server.requests.length, events.length], [0, 0]);
      assert.equal(client.ended?.aborted, true);
    });
  }

  it('stops waiting for a retry', async () => {
    const server = await serve((_request, response) => json(response, {}, 429, { 'Retry-After': '30' }));
    const end = new AbortController();
    const clock = new FakeClock();
    const failing = failureOf(
      testClient(server.origin, { clock, ended: end.signal }).client.pauseSandbox('a'),
    );
    await clock.started(30_000);
    await turns();
    end.abort();
    const error = await endsAtOnce(failing);
    assert.deepEqual([error.reason, error.outcomeUnknown], ['keyRevoked', false]);
    assert.deepEqual([server.requests.length, clock.running.length], [1, 0]);
  });

  it('leaves the queue', async () => {
    const server = await serve(() => undefined);
    const end = new AbortController();
    const { client } = testClient(server.origin, { clock: new FakeClock(), ended: end.signal });
    const all = Array.from({ length: 7 }, () => failureOf(client.pauseSandbox('a')));
    await server.received(4);
    end.abort();
    const errors = await endsAtOnce(Promise.all(all));
    assert.deepEqual(
      errors.map(({ reason, outcomeUnknown }) => `${reason} ${outcomeUnknown}`),
      [...Array<string>(4).fill('keyRevoked true'), ...Array<string>(3).fill('keyRevoked false')],
    );
    await turns();
    assert.equal(server.requests.length, 4);
  });
});
