import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { ApiError, type Method } from '../../../../src/api/http/errors';
import { delayBeforeRetry, parseRetryAfter, quietAskedBy } from '../../../../src/api/http/retry';
import { describeError } from '../../../../src/editor/errorText';
import { FakeClock } from '../support/clock';
import { endsAtOnce, failureOf, testClient } from '../support/client';
import { closeServers, deadOrigin, json, serve, serveRaw } from '../support/servers';

const page = { items: [], next_page_id: null };
const seconds = (count: number) => count * 1_000;

/** A server that responds with the given statuses in turn, then with a page. */
/** A time by the clocks of the server and of this computer. */
const dateAt = (ms: number) => new Date(FakeClock.start + ms).toUTCString();

const answering = (statuses: number[], headers = {}) =>
  serve((_request, response, number) => {
    const status = statuses[number - 1];
    if (status === undefined) json(response, page);
    else json(response, { message: `answer ${number}` }, status, { Date: dateAt(0), ...headers });
  });

describe('retries', () => {
  afterEach(closeServers);

  for (const status of [408, 429, 500, 502, 503, 504]) {
    it(`tries a read up to three times on ${status}`, async () => {
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
    it(`tries a read once on ${status}`, async () => {
      const server = await answering([status]);
      assert.equal((await failureOf(testClient(server.origin).client.searchSandboxes())).status, status);
      assert.equal(server.requests.length, 1);
    });
  }

  it('succeeds on a later try, after random delays that double', async () => {
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

  it('retries a read when the connection is refused', async () => {
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
    it(`retries a read but not a change when the connection was ${name}`, async () => {
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
    [501, true],
    [503, true],
    [504, true],
  ] as const) {
    it(`does not repeat a change on ${status}`, async () => {
      const server = await answering([status]);
      const error = await failureOf(testClient(server.origin).client.pauseSandbox('a'));
      assert.equal(server.requests.length, 1);
      assert.equal(error.outcomeUnknown, unknown);
    });
  }

  it('repeats a change on 429, because the change was not made', async () => {
    const server = await answering([429, 429]);
    await testClient(server.origin).client.pauseSandbox('a');
    assert.equal(server.requests.length, 3);
  });

  for (const [what, body] of [
    ['how much runs at once', { error: 'CONCURRENCY_LIMIT_REACHED', message: 'Full', limit: 2, current: 2 }],
    ['how much may be started in a day', { error: 'DAILY_QUOTA_EXCEEDED', message: 'Come back tomorrow' }],
  ] as const) {
    it(`doesn’t repeat a start that was refused for ${what}`, async () => {
      const server = await serve((_request, response) => json(response, body, 429, { 'Retry-After': '1' }));
      const { client } = testClient(server.origin);
      assert.equal((await failureOf(client.createConversation({}))).errorCode, body.error);
      assert.equal((await failureOf(client.startSandbox())).status, 429);
      assert.equal(server.requests.length, 2);
    });
  }

  it('waits up to 0.5 s, then up to 1 s, and never tries a fourth time', () => {
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

  it('treats every method except GET as a change', () => {
    const repeated: Record<Method, boolean> = {
      GET: true,
      POST: false,
      PUT: false,
      PATCH: false,
      DELETE: false,
    };
    // A future method must not count as a read, either.
    for (const [method, expected] of Object.entries({ ...repeated, PURGE: false })) {
      const error = new ApiError('serverError', method as Method, '/', { status: 500 });
      assert.equal(delayBeforeRetry(error, 1, new FakeClock()) !== undefined, expected, method);
    }
  });

  it('repeats a change when no connection was made', async () => {
    const { client, events } = testClient(await deadOrigin());
    const error = await failureOf(client.pauseSandbox('a'));
    assert.deepEqual([error.reason, error.outcomeUnknown, events.length], ['refused', false, 3]);
  });
});

describe('Retry-After', () => {
  afterEach(closeServers);

  for (const [header, wait] of [
    ['2', seconds(2)],
    ['1.5', 1_500],
    [' 60 ', seconds(60)],
    ['0', 0],
    [dateAt(seconds(20)), seconds(20)],
    [dateAt(-seconds(20)), 0],
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
    [dateAt(seconds(3_600)), seconds(3_600)],
    // Waits are capped at a day.
    ['1'.repeat(400), seconds(86_400)],
    ['99999999999', seconds(86_400)],
    ['Fri, 31 Dec 9999 23:59:59 GMT', seconds(86_400)],
  ] as const) {
    it(`gives up immediately for "${header}" and says when to return`, async () => {
      const server = await answering([429], { 'Retry-After': header });
      const { client } = testClient(server.origin, { clock: new FakeClock() });
      const error = await failureOf(client.searchSandboxes());
      assert.deepEqual([error.reason, error.retryAfterMs, server.requests.length], ['rateLimited', wait, 1]);
    });
  }

  for (const ahead of [-86_400, -3_600, -90, 90, 7_200])
    it(`is by the server’s clock, which is ${ahead} s ahead of this computer’s`, async () => {
      for (const wait of [0, 20, 60]) {
        const headers = { Date: dateAt(seconds(ahead)), 'Retry-After': dateAt(seconds(ahead + wait)) };
        const server = await answering([503], headers);
        const clock = new FakeClock();
        const result = testClient(server.origin, { clock }).client.searchSandboxes();
        await clock.started(seconds(wait));
        assert.deepEqual(clock.running, [seconds(wait)]);
        clock.advance(seconds(wait));
        await result;
      }
    });

  it('uses this computer’s clock if the server doesn’t send the time', () => {
    const clock = { date: () => FakeClock.start };
    for (const told of [null, '', 'soon']) assert.equal(parseRetryAfter(dateAt(5_000), clock, told), 5_000);
  });

  it('asks for nothing if it’s missing, or says neither seconds nor a date', () => {
    const clock = { date: () => FakeClock.start };
    for (const header of [null, '', ' ', 'soon', '-5', '1,5'])
      assert.equal(parseRetryAfter(header, clock, dateAt(0)), undefined, String(header));
    assert.equal(parseRetryAfter(' 2.5 ', clock), 2_500);
  });

  it('applies to changes, with a short or a long delay', async () => {
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

  it('is reported after the last try', async () => {
    const server = await answering([503, 503, 503], { 'Retry-After': '3' });
    const error = await failureOf(testClient(server.origin).client.searchSandboxes());
    assert.deepEqual([error.retryAfterMs, server.requests.length], [3_000, 3]);
  });

  it('delays automatic reads for as long as it says, up to 15 minutes', () => {
    const failed = (retryAfterMs?: number) =>
      new ApiError('serverError', 'GET', '/', { status: 503, retryAfterMs });
    assert.deepEqual(
      [failed(), failed(seconds(90)), failed(seconds(86_400)), new Error('other')].map(quietAskedBy),
      [0, seconds(90), seconds(900), 0],
    );
  });

  it('stops waiting when canceled', async () => {
    const server = await answering([503, 503], { 'Retry-After': '31' });
    const clock = new FakeClock();
    const controller = new AbortController();
    const result = testClient(server.origin, { clock }).client.searchSandboxes({}, controller.signal);
    await clock.started(seconds(31));
    controller.abort();
    const error = await endsAtOnce(failureOf(result));
    assert.deepEqual([error.reason, server.requests.length], ['canceled', 1]);
    assert.deepEqual(clock.running, []);
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
  });
});
