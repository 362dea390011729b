import assert from 'node:assert/strict';
import { createTransport } from '../../../../src/api/http/transport';
import { subscriptionCalls, type SubscriptionCalls } from '../../../../src/api/service/subscription';
import { type AgentServerByItself, startAgentServer } from '../../../service/agent/byItself';
import { FakeClock } from '../support/clock';
import { failureOf, noLimits } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

const { signal } = new AbortController();
const route = '/api/llm/subscription/openai';

const begun = {
  device_code: 'canary-device-code',
  user_code: 'ABCD-EFGHI',
  verification_uri: 'https://auth.openai.com/codex/device',
  verification_uri_complete: null,
  expires_at: 1,
  interval_seconds: 7,
};
const given = { vendor: 'openai', connected: true, account_email: null, expires_at: 5 };
const pending = { ...given, connected: false, expires_at: null };

/** The calls with a clock that skips the waits between two polls, but no limit of a request. */
function callsAt(baseUrl: string, sessionKey: string | null = null) {
  const clock = new FakeClock((ms) => ms < 20_000);
  const log: string[] = [];
  const transport = createTransport({
    ...{ baseUrl, sessionKey, clock, limiter: noLimits },
    log: (event) => void log.push(JSON.stringify(event)),
  });
  return { calls: subscriptionCalls(transport, clock), clock, log };
}

/** A server that gives these answers in turn, and the last one again and again. */
const answering = (...answers: [status: number, body: unknown][]) =>
  serve((_request, response, number) => {
    const [status, body] = answers[Math.min(number, answers.length) - 1] ?? [500, {}];
    json(response, body, status);
  });

for (const release of ['1.49.1', '1.58.0'] as const)
  describe(`the ChatGPT subscription of an agent server (${release})`, () => {
    let server: AgentServerByItself;
    let calls: SubscriptionCalls;
    let clock: FakeClock;
    beforeEach(async () => {
      server = await startAgentServer({ release });
      ({ calls, clock } = callsAt(server.url, server.sessionKey));
    });
    afterEach(() => server.close());

    it('is signed in with a code, which is asked for until it’s entered, and signed out', async () => {
      assert.equal((await calls.readSubscription())?.connected, false);
      const code = await calls.subscriptionSignIn.begin();
      assert.deepEqual([code?.userCode, code?.page?.isOwn, code?.intervalMs], ['ABCD-EFGHI', true, 5_000]);
      const entered = calls.subscriptionSignIn.finish(code!, signal);
      const until = Date.now() + 3_600_000;
      server.starts.subscription.until = until;
      assert.equal((await entered).kind, 'signedIn');
      assert.equal((await calls.readSubscription())?.expires_at, until);
      await calls.signOutOfSubscription();
      assert.equal((await calls.readSubscription())?.connected, false);
    });

    it('can’t be signed in without a network, in the server’s words', async () => {
      server.starts.subscription.isOffline = true;
      const { status, serverText } = await failureOf(calls.subscriptionSignIn.begin());
      assert.deepEqual([status, serverText], [500, '[Errno -3] Temporary failure in name resolution']);
    });

    it('isn’t signed in while it can’t be renewed', async () => {
      Object.assign(server.starts.subscription, { isOffline: true, until: 1 });
      assert.equal((await calls.readSubscription())?.connected, false);
    });

    it('says that the code has expired once the server has forgotten it', async () => {
      const code = await calls.subscriptionSignIn.begin();
      server.starts.subscription.pending.clear();
      const { kind } = await calls.subscriptionSignIn.finish(code!, signal);
      assert.deepEqual([kind, clock.now()], ['expired', 5_000]);
    });
  });

describe('the ChatGPT subscription of an agent server', () => {
  afterEach(closeServers);

  for (const status of [404, 405])
    it(`isn’t there for a server that answers ${status}`, async () => {
      const { calls } = callsAt((await answering([status, { detail: 'No' }])).origin);
      assert.equal(await calls.readSubscription(), undefined);
      assert.equal(await calls.subscriptionSignIn.begin(), undefined);
    });

  for (const [what, odd] of [
    ['no object', null],
    ['a list', []],
    ['text in place of a state', { connected: 'yes' }],
    ['the name of a prototype', JSON.parse('{"__proto__":{"connected":true}}')],
  ] as const)
    it(`takes ${what} for no answer`, async () => {
      const { calls } = callsAt((await answering([200, odd])).origin);
      assert.equal((await failureOf(calls.readSubscription())).reason, 'badShape');
      assert.equal((await failureOf(calls.subscriptionSignIn.begin())).reason, 'badShape');
    });

  it('reads an answer with members of other types', async () => {
    const odd = { connected: true, account_email: 7, expires_at: 'soon' };
    const { calls } = callsAt((await answering([200, odd])).origin);
    assert.deepEqual(await calls.readSubscription(), { ...odd, account_email: null, expires_at: null });
  });

  for (const [what, page, isOpened] of [
    ['names a page that isn’t of the vendor', 'https://auth.openai.com.example/codex', false],
    ['has no page with a password in its address', 'https://me:canary@auth.openai.com/', undefined],
    ['has no page that others on the network could change', 'http://auth.openai.com/', undefined],
  ] as const)
    it(what, async () => {
      const server = await answering([200, { ...begun, verification_uri: page }]);
      const code = await callsAt(server.origin).calls.subscriptionSignIn.begin();
      assert.equal(code?.page?.isOwn, isOpened);
    });

  it('is polled as often as the server wants, more slowly while that fails, and the code isn’t logged', async () => {
    const server = await answering(
      [200, begun],
      [200, pending],
      [500, { exception: 'canary-device-code wasn’t found' }],
      [200, given],
    );
    const { calls, clock, log } = callsAt(server.origin);
    const code = await calls.subscriptionSignIn.begin();
    assert.equal((await calls.subscriptionSignIn.finish(code!, signal)).kind, 'signedIn');
    assert.equal(clock.now(), 7_000 + 7_000 + 14_000);
    assert.ok(log.length > 3);
    assert.doesNotMatch(log.join(), /canary/);
  });

  it('counts as signed in if only that answer was lost', async () => {
    const server = await serve(({ url = '' }, response, number) => {
      if (url.endsWith('start')) json(response, begun);
      else if (number === 2) response.destroy();
      else if (url.endsWith('poll')) json(response, { detail: 'not found or expired' }, 404);
      else json(response, given);
    });
    const { calls } = callsAt(server.origin);
    const code = await calls.subscriptionSignIn.begin();
    assert.equal((await calls.subscriptionSignIn.finish(code!, signal)).kind, 'signedIn');
    const asked = server.requests.map(({ url = '' }) => url.replace(`${route}/`, ''));
    assert.deepEqual(asked, ['device/start', 'device/poll', 'device/poll', 'status']);
  });

  it('isn’t polled anymore once that’s canceled', async () => {
    const server = await answering([200, begun]);
    const { calls } = callsAt(server.origin);
    const code = await calls.subscriptionSignIn.begin();
    const failure = await failureOf(calls.subscriptionSignIn.finish(code!, AbortSignal.abort()));
    assert.deepEqual([failure.reason, server.requests.length], ['canceled', 1]);
  });
});
