import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { ApiError } from '../../../../src/api/http/errors';
import type { RequestEvent } from '../../../../src/api/http/transport';
import { type DeviceAuthorization, deviceSignIn } from '../../../../src/api/service/deviceSignIn';
import { startService, type ReferenceService } from '../../../service/service';
import { FakeClock } from '../support/clock';
import { failureOf } from '../support/client';
import { closeServers, json, serve, serveRaw, type TestServer } from '../support/servers';

const signal = new AbortController().signal;
const secret = 'canary-device-code';
const begun = {
  device_code: secret,
  user_code: 'ABCD-EFGH',
  verification_uri: 'https://agents.example.com/device',
  expires_in: 600,
  interval: 5,
};
const authorization: DeviceAuthorization = {
  deviceCode: secret,
  userCode: 'ABCD-EFGH',
  page: undefined,
  intervalMs: 5_000,
  expiresAt: 600_000,
};

/** A server that gives these answers to the questions for a key in turn, and the last one again and again. */
const asking = (...answers: [status: number, body: object][]) =>
  serve((_request, response, number) => {
    const [status, body] = answers[Math.min(number, answers.length) - 1] ?? [500, {}];
    json(response, body, status);
  });
const refused = (error: string): [number, object] => [400, { error, error_description: 'Why' }];
const given: [number, object] = [200, { access_token: 'canary-token', token_type: 'Bearer' }];

/** Ends a sign-in at a server; the times between the questions are in seconds. */
async function finish(server: TestServer, at = authorization) {
  const clock = new FakeClock((ms) => ms < 60_000);
  const asked: number[] = [];
  const events: RequestEvent[] = [];
  const log = (event: RequestEvent) => {
    asked.push(clock.now() / 1_000);
    events.push(event);
  };
  const known: string[] = [];
  const knownSecrets = { values: known, learn: (secrets: readonly string[]) => void known.push(...secrets) };
  const signIn = deviceSignIn({ baseUrl: server.origin, clock, log, knownSecrets });
  const outcome = await signIn.finish(at, signal).catch((error: unknown) => error);
  return { outcome, asked, known, events: JSON.stringify(events) };
}

describe('signing in by a code', () => {
  afterEach(closeServers);

  for (const [told, life] of [
    [600, 600],
    [1e9, 3_600],
  ] as const)
    it(`uses a code that is said to live ${told} s for ${life} s, and has it masked`, async () => {
      const server = await serve((_request, response) => json(response, { ...begun, expires_in: told }));
      const known: string[] = [];
      const knownSecrets = {
        values: known,
        learn: (secrets: readonly string[]) => void known.push(...secrets),
      };
      const clock = new FakeClock();
      const began = clock.now();
      const code = await deviceSignIn({ baseUrl: server.origin, clock, knownSecrets }).begin();
      assert.equal(code && (code.expiresAt - began) / 1_000, life);
      assert.deepEqual(known, [secret]);
    });

  describe('at a hosted service', () => {
    let service: ReferenceService;
    before(async () => {
      service = await startService({ profile: 'hosted', clock: 'manual' });
    });
    beforeEach(() => service.reset());
    after(() => service.close());

    const begin = async () => {
      const clock = new FakeClock((ms) => ms === 1_000);
      const signIn = deviceSignIn({ baseUrl: service.url, clock });
      const authorized = await signIn.begin();
      assert.ok(authorized);
      return { signIn, authorized };
    };

    it('ends in a key that the service takes', async () => {
      const { signIn, authorized } = await begin();
      assert.deepEqual(
        [authorized.page?.url.pathname, authorized.page?.isOwn, authorized.intervalMs],
        ['/oauth/device/verify', true, 1_000],
      );
      assert.equal(authorized.page?.url.search, `?user_code=${authorized.userCode}`);
      assert.ok(service.accounts?.verify(authorized.userCode, true));
      const outcome = await signIn.finish(authorized, signal);
      assert.ok(outcome.kind === 'signedIn');
      const answer = await fetch(`${service.url}/api/v1/settings`, {
        headers: { Authorization: `Bearer ${outcome.token}` },
      });
      assert.equal(answer.status, 404, 'no settings are saved');
      assert.deepEqual(await answer.json(), { error: 'Settings not found' });
    });

    it('says that the user has declined', async () => {
      const { signIn, authorized } = await begin();
      service.accounts?.verify(authorized.userCode, false);
      assert.deepEqual(await signIn.finish(authorized, signal), { kind: 'denied' });
    });

    it('sends no key, and asks nothing under /api', async () => {
      await begin();
      assert.deepEqual(
        service.requests.map(({ method, path }) => `${method} ${path}`),
        ['POST /oauth/device/authorize'],
      );
      const { headers } = service.requests[0] ?? assert.fail('nothing was asked');
      assert.equal(headers['authorization'] ?? headers['x-session-api-key'], undefined);
      assert.equal(headers['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8');
    });

    it('isn’t offered where the service has none', async () => {
      service.behaviour.signIn.offered = false;
      assert.equal(await deviceSignIn({ baseUrl: service.url }).begin(), undefined);
    });
  });

  it('isn’t offered by pages, refusals, and whatever else answers', async () => {
    const html = (status: number) =>
      serve((_request, response) =>
        response.writeHead(status, { 'Content-Type': 'text/html' }).end('<p>Sign in</p>'),
      );
    const other = await serve((_request, response) => json(response, begun));
    for (const server of [
      await html(200),
      await html(405),
      await serve((_request, response) => json(response, { detail: 'Not authenticated' }, 401)),
      await serve((_request, response) => json(response, [])),
      await serve((_request, response) => json(response, { ...begun, device_code: undefined })),
      await serve((_request, response) => json(response, { ...begun, user_code: 'a\u202Eb' })),
      await serve((_request, response) => json(response, { ...begun, user_code: '' })),
      await serve((_request, response) => response.writeHead(307, { Location: `${other.origin}/` }).end()),
      await serveRaw((socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n\r\n{')),
    ])
      assert.equal(await deviceSignIn({ baseUrl: server.origin }).begin(), undefined);
    assert.equal(other.requests.length, 0);
  });

  it('says that a service is busy rather than that it doesn’t offer to sign in', async () => {
    for (const status of [408, 425, 429]) {
      const server = await serve((_request, response) => json(response, {}, status));
      const begun = deviceSignIn({ baseUrl: server.origin }).begin();
      await assert.rejects(begun, (error) => error instanceof ApiError && error.status === status);
    }
  });

  it('reads what is compressed, and has the RFC’s interval where none is said', async () => {
    const server = await serve((_request, response) =>
      response
        .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
        .end(gzipSync(JSON.stringify({ ...begun, interval: null, expires_in: 'soon' }))),
    );
    const authorized = await deviceSignIn({ baseUrl: server.origin, clock: new FakeClock() }).begin();
    assert.deepEqual([authorized?.intervalMs, authorized?.expiresAt], [5_000, 3_600_000]);
  });

  it('gives up on a service that never answers', async () => {
    const server = await serve(() => undefined);
    const clock = new FakeClock((ms) => ms === 60_000);
    const failed = failureOf(deviceSignIn({ baseUrl: server.origin, clock }).begin());
    assert.equal((await failed).reason, 'timeout');
  });

  it('opens only pages that are encrypted or on this computer, and knows the service’s own', async () => {
    const pages: [string, string | undefined, string | undefined, boolean?][] = [
      ['https://agents.example.com/device', undefined, 'https://agents.example.com/device', false],
      ['{}/device', '{}/device?user_code=A', '{}/device?user_code=A', true],
      ['{}/device', 'https://evil.example.com/?user_code=A', '{}/device', true],
      ['{}/device', 'https:\\\\agents.example.com/?user_code=A', '{}/device', true],
      [
        'https://agents.example.com/device',
        'https://ada@agents.example.com/device?user_code=A',
        'https://agents.example.com/device',
        false,
      ],
      [
        'https://agents.example.com/device',
        'https://:pass@agents.example.com/device?user_code=A',
        'https://agents.example.com/device',
        false,
      ],
      ['http://agents.example.com/device', undefined, undefined],
      ['javascript:alert(1)', undefined, undefined],
      ['xhttps://agents.example.com/device', undefined, undefined],
      ['https://user:pass@agents.example.com/', undefined, undefined],
      ['https://ada@agents.example.com/', undefined, undefined],
      ['https://:pass@agents.example.com/', undefined, undefined],
      ['https://agents.example.com\\@evil.example.com/', undefined, undefined],
      ['/device', undefined, undefined],
    ];
    for (const [uri, complete, url, isOwn] of pages) {
      const server: TestServer = await serve((_request, response) => {
        const here = (text?: string) => text?.replace('{}', server.origin);
        json(response, { ...begun, verification_uri: here(uri), verification_uri_complete: here(complete) });
      });
      const page = (await deviceSignIn({ baseUrl: server.origin }).begin())?.page;
      assert.equal(page?.url.href, url?.replace('{}', server.origin), uri);
      assert.equal(page?.isOwn, isOwn, uri);
    }
  });

  it('knows pages on the service’s host and those below, but only encrypted ones', async () => {
    const isOwn = async (baseUrl: string, verification_uri: string) => {
      const answer = () => Promise.resolve(Response.json({ ...begun, verification_uri }));
      return (await deviceSignIn({ baseUrl, fetch: answer }).begin())?.page?.isOwn;
    };
    const service = 'https://agents.example.com';
    for (const [page, expected] of [
      ['https://agents.example.com/device', true],
      ['https://login.agents.example.com/device', true],
      ['https://agents.example.com:8443/device', true],
      ['https://myagents.example.com/device', false],
      ['https://example.com/device', false],
    ] as const)
      assert.equal(await isOwn(service, page), expected, page);
    assert.equal(await isOwn('http://127.0.0.1:3000', 'http://127.0.0.1:3001/device'), false);
  });

  it('asks at the interval, and more slowly when told to', async () => {
    const pending = refused('authorization_pending');
    const server = await asking(pending, pending, refused('slow_down'), pending, given);
    const { outcome, asked, known, events } = await finish(server);
    assert.deepEqual(outcome, { kind: 'signedIn', token: 'canary-token' });
    assert.deepEqual(asked, [5, 10, 15, 25, 35]);
    assert.ok(known.includes('canary-token') && known.includes(secret), 'no log repeats them');
    assert.doesNotMatch(events, /canary/);
  });

  it('keeps asking through failures of a moment', async () => {
    const server = await asking([503, {}], [429, { error: 'Too many requests' }], [502, {}], given);
    const { outcome, asked } = await finish(server);
    assert.deepEqual(outcome, { kind: 'signedIn', token: 'canary-token' });
    assert.deepEqual(asked, [5, 15, 35, 75]);
  });

  it('keeps asking while a network’s own page answers, or something between fails', async () => {
    for (const answer of [
      (response: ServerResponse) => response.writeHead(302, { Location: 'http://portal.example/' }).end(),
      (response: ServerResponse) => response.writeHead(200, { 'Content-Type': 'text/html' }).end('<p>Hi</p>'),
      (response: ServerResponse) => response.writeHead(520).end('Unknown'),
    ]) {
      const server = await serve((_request, response, number) =>
        number === 1 ? answer(response) : json(response, given[1]),
      );
      const { outcome, asked } = await finish(server);
      assert.deepEqual([outcome, asked], [{ kind: 'signedIn', token: 'canary-token' }, [5, 15]]);
    }
  });

  it('ends when the code has expired, by the service or by the time', async () => {
    assert.deepEqual((await finish(await asking(refused('expired_token')))).outcome, { kind: 'expired' });
    assert.deepEqual((await finish(await asking(refused('authorization_declined')))).outcome, {
      kind: 'denied',
    });
    const { outcome, asked } = await finish(await asking(refused('authorization_pending')), {
      ...authorization,
      expiresAt: 12_000,
    });
    assert.deepEqual([outcome, asked], [{ kind: 'expired' }, [5, 10, 12]]);
  });

  it('fails on an answer that no sign-in gives, without secrets', async () => {
    for (const [status, body] of [
      refused('invalid_grant'),
      refused('constructor'),
      [401, { error: 'invalid_client' }],
      [200, {}],
      [200, { access_token: 'canary-token', token_type: 'mac' }],
      [200, { access_token: 'two words' }],
      [400, { error: `bad code ${secret}` }],
    ] as [number, object][]) {
      const { outcome, asked } = await finish(await asking([status, body]));
      assert.ok(outcome instanceof ApiError);
      assert.equal(asked.length, 1);
      assert.doesNotMatch(JSON.stringify(outcome), /canary/);
    }
  });

  it('is canceled while it waits and while it asks', async () => {
    const server = await serve(() => undefined);
    for (const wait of [false, true]) {
      const canceling = new AbortController();
      const clock = new FakeClock((ms) => wait && ms === 5_000);
      const failed = failureOf(
        deviceSignIn({ baseUrl: server.origin, clock }).finish(authorization, canceling.signal),
      );
      if (wait) await server.received(1);
      else await clock.started(5_000);
      canceling.abort();
      assert.equal((await failed).reason, 'canceled');
    }
  });
});
