import assert from 'node:assert/strict';
import { once } from 'node:events';
import { failureOf, sessionKey, testClient } from '../support/client';
import { certificate } from '../support/certificate';
import { closeServers, json, serve, serveTls, type TestServer } from '../support/servers';
import { trusting } from '../support/undici';

const page = { items: [] };

describe('redirects', () => {
  afterEach(closeServers);

  for (const status of [300, 301, 302, 303, 304, 305, 307, 308, 399]) {
    it(`does not follow ${status} for reads or changes, and names the target`, async () => {
      const other = await serve((_request, response) => json(response, page));
      const service = await serve((_request, response) =>
        response.writeHead(status, { Location: `${other.origin}/secret/path?token=1` }).end(),
      );
      const { client, events } = testClient(service.origin);
      for (const call of [client.searchSandboxes(), client.pauseSandbox('a')]) {
        const error = await failureOf(call);
        assert.deepEqual([error.reason, error.status], ['redirected', status]);
        assert.equal(error.location, other.origin);
        // Many servers redirect after making a change.
        assert.equal(error.outcomeUnknown, error.method === 'POST');
      }
      assert.deepEqual([service.requests.length, other.requests.length], [2, 0]);
      assert.deepEqual(
        events.map(({ reason }) => reason),
        ['redirected', 'redirected'],
      );
    });
  }

  const targets: [name: string, location: (other: TestServer) => string, named: (o: TestServer) => string][] =
    [
      [
        'a protocol-relative address',
        (other) => `//${new URL(other.origin).host}/x`,
        (other) => other.origin,
      ],
      ['another scheme', () => 'ftp://files.example.com/x', () => 'ftp://files.example.com'],
      [
        'an address with a user name',
        () => 'http://user:pass@example.com:81/',
        () => 'http://example.com:81',
      ],
      ['script', () => 'javascript:alert(1)', () => 'javascript:'],
    ];
  for (const [name, location, named] of targets) {
    it(`names the target when it is ${name}`, async () => {
      const other = await serve((_request, response) => json(response, page));
      const service = await serve((_request, response) =>
        response.writeHead(302, { Location: location(other) }).end('moved'),
      );
      const error = await failureOf(testClient(service.origin).client.searchSandboxes());
      assert.deepEqual([error.reason, error.location], ['redirected', named(other)]);
      assert.equal(other.requests.length, 0);
    });
  }

  it('are reported as such even if the rest of the answer fails', async () => {
    const failed = new ReadableStream({ start: (controller) => controller.error(new Error('reset')) });
    const headers = { Location: 'https://other.example/x' };
    const fetch = () => Promise.resolve(new Response(failed, { status: 302, headers }));
    const error = await failureOf(testClient('http://127.0.0.1:9', { fetch }).client.searchSandboxes());
    assert.deepEqual([error.reason, error.location], ['redirected', 'https://other.example']);
  });

  for (const [name, headers] of [
    ['without a target', {}],
    ['to an invalid address', { Location: 'http://[' }],
  ] as const) {
    it(`reports a redirect ${name} as an error`, async () => {
      const service = await serve((_request, response) => response.writeHead(302, headers).end());
      const error = await failureOf(testClient(service.origin).client.searchSandboxes());
      assert.deepEqual([error.reason, error.location], ['redirected', undefined]);
    });
  }

  it('does not follow redirects within the origin', async () => {
    const service = await serve((_request, response) =>
      response.writeHead(307, { Location: '/other' }).end(),
    );
    const error = await failureOf(testClient(service.origin).client.searchSandboxes());
    assert.deepEqual([error.location, service.requests.length], [service.origin, 1]);
  });

  it('does not wait for the body of a redirect', async () => {
    let closed: Promise<unknown> | undefined;
    const service = await serve((_request, response) => {
      closed = once(response, 'close');
      response.writeHead(302, { Location: '/other' }).write('moved');
    });
    await failureOf(testClient(service.origin).client.searchSandboxes());
    await closed;
  });

  it('does not follow a redirect from https to http', async () => {
    const other = await serve((_request, response) => json(response, page));
    const service = await serveTls((_request, response) =>
      response.writeHead(301, { Location: `${other.origin}/` }).end(),
    );
    const fetch = await trusting(certificate);
    const error = await failureOf(testClient(service.origin, { fetch }).client.searchSandboxes());
    assert.deepEqual([error.reason, error.location], ['redirected', other.origin]);
    assert.equal(service.requests[0]?.headers['x-session-api-key'], sessionKey);
    assert.equal(other.requests.length, 0);
  });

  it('recognizes the opaque redirect of a browser-like fetch', async () => {
    const opaque = Object.defineProperties(new Response(null), {
      type: { value: 'opaqueredirect' },
      status: { value: 0 },
    });
    const fetch = () => Promise.resolve(opaque);
    const error = await failureOf(testClient('http://127.0.0.1:9', { fetch }).client.searchSandboxes());
    assert.equal(error.reason, 'redirected');
  });
});
