import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { ApiError } from '../../../src/api/errors';
import { delayBeforeRetry } from '../../../src/api/retry';
import { describeError } from '../../../src/platform/errorText';
import { FakeClock } from './support/clock';
import { endsAtOnce, failureOf, testClient } from './support/client';
import { closeServers, deadOrigin, json, serve, serveRaw } from './support/servers';

const page = { items: [], next_page_id: null };
const seconds = (count: number) => count * 1_000;

/** A server that answers the given statuses in turn, and a page afterwards. */
const answering = (statuses: number[], headers = {}) =>
  serve((_request, response, number) => {
    const status = statuses[number - 1];
    if (status === undefined) json(response, page);
    else json(response, { message: `answer ${number}` }, status, headers);
  });

describe('retries', () => {
  afterEach(closeServers);

  for (const status of [408, 429, 500, 502, 503, 504]) {
    it(`reads up to three times on ${status}`, async () => {
      const server = await answering([status, status, status, status]);
      const { client, events } = testClient(server.origin);
      const error = await failureOf(client.searchSandboxes());
      assert.deepEqual([error.status, error.serverText], [status, 'answer 3']);
      assert.equal(server.requests.length, 3);
      assert.deepEqual(
        events.map((event) => [event.attempt, event.status]),
        [
          [1, status],
          [2, status],
          [3, status],
        ],
      );
    });
  }

  for (const status of [400, 401, 403, 404, 405, 409, 413, 418, 422, 501, 505]) {
    it(`reads once on ${status}`, async () => {
      const server = await answering([status]);
      assert.equal((await failureOf(testClient(server.origin).client.searchSandboxes())).status, status);
      assert.equal(server.requests.length, 1);
    });
  }

  it('succeeds when a later try does, after waits of random length that double', async () => {
    const server = await answering([500, 503]);
    const clock = new FakeClock();
    const result = testClient(server.origin, { clock }).client.searchSandboxes();
    for (const [tries, wait] of [
      [1, 250],
      [2, 500],
    ] as const) {
      await clock.started(wait);
      assert.deepEqual(clock.running, [wait]);
      clock.advance(wait - 1);
      assert.equal(server.requests.length, tries);
      clock.advance(1);
    }
    assert.deepEqual(await result, { items: [], nextPageId: null });
    assert.deepEqual(clock.running, []);
  });

  it('reads again when the connection was refused', async () => {
    const { client, events } = testClient(await deadOrigin());
    assert.equal((await failureOf(client.searchSandboxes())).reason, 'refused');
    assert.equal(events.length, 3);
  });

  for (const [name, end] of [
    ['reset', (socket) => socket.resetAndDestroy()],
    ['closed', (socket) => socket.destroy()],
    [
      'cut off in the middle of the answer',
      (socket) =>
        socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{'),
    ],
  ] as [string, Parameters<typeof serveRaw>[0]][]) {
    it(`reads again when the connection was ${name}, and changes nothing twice`, async () => {
      const server = await serveRaw(end);
      await failureOf(testClient(server.origin).client.searchSandboxes());
      assert.equal(server.connections(), 3);
      const error = await failureOf(testClient(server.origin).client.pauseSandbox('a'));
      assert.equal(server.connections(), 4);
      assert.equal(error.outcomeUnknown, true);
    });
  }

  for (const [status, unknown] of [
    [408, true],
    [500, true],
    [502, true],
    [503, false],
    [504, true],
  ] as const) {
    it(`changes nothing twice on ${status}`, async () => {
      const server = await answering([status]);
      const error = await failureOf(testClient(server.origin).client.pauseSandbox('a'));
      assert.equal(server.requests.length, 1);
      assert.equal(error.outcomeUnknown, unknown);
    });
  }

  it('repeats a change on 429, which says that it was not made', async () => {
    const server = await answering([429, 429]);
    await testClient(server.origin).client.pauseSandbox('a');
    assert.equal(server.requests.length, 3);
  });

  it('waits between nothing and 0.5 s, then 1 s, by chance; never a fourth time', () => {
    const error = new ApiError('serverError', 'GET', '/', { status: 500 });
    const waits = (chance: number) =>
      [1, 2, 3].map((tries) =>
        delayBeforeRetry(error, tries, Object.assign(new FakeClock(), { random: () => chance })),
      );
    assert.deepEqual(waits(0), [0, 0, undefined]);
    const [first = 0, second = 0, third] = waits(1 - Number.EPSILON);
    assert.ok(first < 500 && first > 499 && second < 1_000 && second > 999);
    assert.equal(third, undefined);
  });

  it('repeats a change when no connection was made', async () => {
    const { client, events } = testClient(await deadOrigin());
    const error = await failureOf(client.pauseSandbox('a'));
    assert.deepEqual([error.reason, error.outcomeUnknown, events.length], ['refused', false, 3]);
  });
});

describe('Retry-After', () => {
  afterEach(closeServers);

  const date = (ms: number) => new Date(FakeClock.start + ms).toUTCString();
  for (const [header, wait] of [
    ['2', seconds(2)],
    ['1.5', 1_500],
    [' 60 ', seconds(60)],
    ['0', 0],
    [date(seconds(20)), seconds(20)],
    [date(-seconds(20)), 0],
    ['soon', 250],
    ['-5', 250],
    ['', 250],
  ] as const) {
    it(`waits ${wait} ms for "${header}"`, async () => {
      const server = await answering([503], { 'Retry-After': header });
      const clock = new FakeClock();
      const result = testClient(server.origin, { clock }).client.searchSandboxes();
      await clock.started(wait);
      assert.deepEqual(clock.running, [wait]);
      clock.advance(wait);
      await result;
      assert.equal(server.requests.length, 2);
    });
  }

  for (const [header, wait] of [
    ['61', seconds(61)],
    [date(seconds(3_600)), seconds(3_600)],
  ] as const) {
    it(`gives up at once for "${header}" and says when to return`, async () => {
      const server = await answering([429], { 'Retry-After': header });
      const { client } = testClient(server.origin, { clock: new FakeClock() });
      const error = await failureOf(client.searchSandboxes());
      assert.deepEqual([error.reason, error.retryAfterMs, server.requests.length], ['rateLimited', wait, 1]);
    });
  }

  it('counts for a change as well: waited for, or told when it is long', async () => {
    for (const [header, tries] of [
      ['59', 2],
      ['61', 1],
    ] as const) {
      const server = await answering([429], { 'Retry-After': header });
      const clock = new FakeClock((ms) => ms === seconds(59));
      const work = testClient(server.origin, { clock }).client.pauseSandbox('a');
      if (tries === 2) await work;
      else assert.match(describeError(await failureOf(work)).nextStep, /in 61 seconds/);
      assert.equal(server.requests.length, tries);
    }
  });

  it('is told after the last try, too', async () => {
    const server = await answering([503, 503, 503], { 'Retry-After': '3' });
    const error = await failureOf(testClient(server.origin).client.searchSandboxes());
    assert.deepEqual([error.retryAfterMs, server.requests.length], [3_000, 3]);
  });

  it('ends at once when the wait is cancelled', async () => {
    const server = await answering([503, 503], { 'Retry-After': '31' });
    const clock = new FakeClock();
    const controller = new AbortController();
    const result = testClient(server.origin, { clock }).client.searchSandboxes({}, controller.signal);
    await clock.started(seconds(31));
    controller.abort();
    const error = await endsAtOnce(failureOf(result));
    assert.deepEqual([error.reason, server.requests.length], ['cancelled', 1]);
    assert.deepEqual(clock.running, []);
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });
});
