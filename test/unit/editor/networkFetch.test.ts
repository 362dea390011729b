import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse, IncomingMessage } from 'node:http';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { TLSSocket } from 'node:tls';
import { createSandboxWorkspace } from '../../../src/api/agent/workspace';
import { flatClient } from '../../support/builders/client';
import { createLimiter } from '../../../src/api/http/limiter';
import type { RequestEvent } from '../../../src/api/http/transport';
import { describeError } from '../../../src/editor/errorText';
import { createFetch, createOpenSocket } from '../../../src/editor/networkFetch';
import type { NetworkOptions } from '../../../src/shared/connection';
import { createAuthority, selfSigned } from '../api/support/certificates';
import { failureOf, sessionKey, testClient } from '../api/support/client';
import {
  closeServers,
  deadOrigin,
  json,
  serve,
  serveProxy,
  serveRaw,
  serveTls,
} from '../api/support/servers';
import { serveSockets } from '../api/support/sockets';

const page = (_request: IncomingMessage, response: ServerResponse) => json(response, { items: [] });

describe('network of a connection with its own options', () => {
  const authority = createAuthority();
  const folder = mkdtempSync(path.join(tmpdir(), 'network-options-'));
  const file = (name: string, text: string) => {
    const full = path.join(folder, name);
    writeFileSync(full, text);
    return full;
  };
  const caFile = file('ca.pem', authority.ca);
  const good = authority.issue();

  after(() => rmSync(folder, { recursive: true }));
  afterEach(closeServers);

  const ask = async (origin: string, options: NetworkOptions, proxy?: string) => {
    const fetch = await createFetch(options, proxy === undefined ? undefined : { url: proxy });
    return testClient(origin, { fetch }).client.searchSandboxes();
  };
  const refusal = async (origin: string, options: NetworkOptions, proxy?: string) => {
    const { reason, code, outcomeUnknown } = await failureOf(ask(origin, options, proxy));
    assert.equal(outcomeUnknown, false);
    return [reason, code];
  };

  it('accepts the certificate of a private authority only with its file', async () => {
    const server = await serveTls(page, good);
    assert.deepEqual(await ask(server.origin, { caFile }), { items: [], nextPageId: null });
    assert.equal(server.requests[0]?.headers['x-session-api-key'], sessionKey);
    assert.deepEqual(await refusal(server.origin, { noProxy: '*' }), [
      'tls',
      'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    ]);
    assert.equal(server.requests.length, 1);
  });

  it('uploads a file to a sandbox as it is', async () => {
    const bodies: string[] = [];
    const server = await serve((request, response) => {
      let body = '';
      request.setEncoding('latin1').on('data', (chunk: string) => (body += chunk));
      request.on('end', () => {
        bodies.push(body);
        json(response, { success: true });
      });
    });
    const fetch = await createFetch({ noProxy: '*' }, undefined);
    const options = { fetch, limiter: createLimiter() };
    const workspace = createSandboxWorkspace(
      { baseUrl: server.origin, id: 'a' },
      sessionKey,
      { release: '1.58.0', capabilities: [] },
      options,
    );
    await workspace.upload('/a', new Uint8Array([0x41, 0, 0xff]));
    assert.match(server.requests[0]?.headers['content-type'] ?? '', /^multipart\/form-data; boundary=/);
    assert.match(bodies[0] ?? '', /name="file"; filename="file"\r\n[^]*\r\n\r\nA\0\xff\r\n--/);
  });

  it('opens sockets by the same rules', async () => {
    const server = await serveSockets((socket) => socket.send('hello'), { tls: good });
    const first = (options: NetworkOptions) =>
      createOpenSocket(options, undefined).then(
        (open) =>
          new Promise((resolve) => {
            const socket = open(server.origin.replace('http', 'ws'), { 'X-Session-API-Key': sessionKey });
            for (const type of ['message', 'error'] as const)
              void Promise.resolve(socket).then((one) => one.addEventListener(type, () => resolve(type)));
          }),
      );
    assert.equal(await first({ caFile }), 'message');
    assert.equal(await first({ noProxy: '*' }), 'error');
    assert.deepEqual(
      server.requests.map(({ headers }) => headers['x-session-api-key']),
      [sessionKey],
    );
  });

  it('trusts the usual authorities as well', async () => {
    // Another authority's file doesn't make an unknown certificate trusted, either.
    const stranger = createAuthority('Stranger').issue();
    const server = await serveTls(page, stranger);
    assert.deepEqual(await refusal(server.origin, { caFile }), ['tls', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE']);
    const both = file('both.pem', `${authority.ca}${createAuthority('Other').ca}`);
    await ask((await serveTls(page, good)).origin, { caFile: both });
  });

  const refused: [name: string, identity: () => ReturnType<typeof selfSigned>, code: string][] = [
    ['expired', () => authority.issue({ days: -1 }), 'CERT_HAS_EXPIRED'],
    ['for another host', () => authority.issue({ hosts: ['other.example'] }), 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ['self-signed', selfSigned, 'DEPTH_ZERO_SELF_SIGNED_CERT'],
  ];
  for (const [name, identity, code] of refused) {
    it(`refuses a certificate that is ${name}, with a CA file and through a proxy`, async () => {
      const server = await serveTls(page, identity());
      assert.deepEqual(await refusal(server.origin, { caFile }), ['tls', code]);
      const proxy = await serveProxy();
      assert.deepEqual(await refusal(server.origin, { caFile }, proxy.origin), ['tls', code]);
      assert.equal(server.requests.length, 0);
    });
  }

  const alert = (code: number) => () =>
    serveRaw((socket) => socket.end(Buffer.from([21, 3, 3, 0, 2, 2, code])));
  const words: [what: string, server: () => Promise<{ origin: string }>, message: RegExp, next: RegExp][] = [
    ['wants a client certificate', alert(116), /client certificate \(ERR_/, /“certFile” and “keyFile”/],
    ['refuses that of the client', alert(42), /client certificate \(ERR_/, /“certFile” and “keyFile”/],
    [
      'wants a client certificate, by TLS 1.2',
      () => {
        const rest = { requestCert: true, rejectUnauthorized: true, maxVersion: 'TLSv1.2' as const };
        return serveTls(page, { ...good, ...rest, ca: authority.ca });
      },
      /client certificate \(ERR_/,
      /“certFile” and “keyFile”/,
    ],
    ['speaks plain HTTP', () => serve(page), /doesn’t speak TLS as expected/, /connection’s address/],
    ['knows no such name', alert(112), /doesn’t speak TLS as expected/, /connection’s address/],
    [
      'speaks only old TLS',
      () => {
        const old = { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'ALL@SECLEVEL=0' } as const;
        return serveTls(page, { ...good, ...old });
      },
      /doesn’t speak TLS as expected/,
      /connection’s address/,
    ],
    [
      'speaks only HTTP/2',
      () => serveTls(page, { ...good, ALPNProtocols: ['h2'] }),
      /doesn’t speak TLS as expected/,
      /connection’s address/,
    ],
    [
      'has an old certificate',
      () => serveTls(page, authority.issue({ days: -1 })),
      /certificate wasn’t accepted \(CERT_HAS_EXPIRED/,
      /administrator/,
    ],
    [
      'has the certificate of another host',
      () => serveTls(page, authority.issue({ hosts: ['other.example'] })),
      /certificate wasn’t accepted \(ERR_TLS_CERT_ALTNAME/,
      /spelling of the address/,
    ],
    ['has its own certificate', () => serveTls(page, selfSigned()), /wasn’t accepted \(DEPTH/, /“caFile”/],
  ];
  for (const [what, server, message, next] of words)
    it(`says what to do where a server ${what}`, async () => {
      const origin = (await server()).origin.replace('http:', 'https:');
      const described = describeError(await failureOf(ask(origin, { caFile })));
      assert.match(described.message, message);
      assert.match(described.nextStep, next);
    });

  it('names a proxy that wants a sign-in, and what to do', async () => {
    const { origin } = await serveProxy(407);
    const { reason, code } = await failureOf(ask('https://a.example', {}, origin));
    assert.deepEqual([reason, code], ['proxy', 'HTTP 407']);
  });

  it('presents its client certificate when required, and fails without a client certificate', async () => {
    const client = authority.issue({ name: 'client-of-the-test', client: true });
    const seen: unknown[] = [];
    const server = await serveTls(
      (request, response) => {
        seen.push(
          (request.socket as unknown as Pick<TLSSocket, 'getPeerCertificate'>).getPeerCertificate().subject
            .CN,
        );
        page(request, response);
      },
      { ...good, ca: authority.ca, requestCert: true, rejectUnauthorized: true },
    );
    const identity = { certFile: file('client.pem', client.cert), keyFile: file('client.key', client.key) };
    await ask(server.origin, { caFile, ...identity });
    assert.deepEqual(seen, ['client-of-the-test']);
    const [reason, code] = await refusal(server.origin, { caFile });
    assert.ok(reason === 'tls' || reason === 'reset', `${reason} ${code}`);
    assert.equal(seen.length, 1);
  });

  it('uses its proxy and sends only the host to it', async () => {
    const secure = await serveTls(page, good);
    const plain = await serve(page);
    const proxy = await serveProxy();
    await ask(secure.origin, { caFile }, proxy.origin);
    await ask(plain.origin, {}, proxy.origin);
    assert.deepEqual(
      proxy.asked.map(({ target }) => target),
      [secure, plain].map(({ origin }) => new URL(origin).host),
    );
    assert.equal(secure.requests[0]?.headers['x-session-api-key'], sessionKey);
  });

  it('uses TLS to a proxy without sending it the client certificate', async () => {
    const client = authority.issue({ client: true });
    const identity = { certFile: file('c.pem', client.cert), keyFile: file('c.key', client.key) };
    const server = await serveTls(page, { ...good, ca: authority.ca, requestCert: true });
    const proxy = await serveProxy(undefined, {
      ...good,
      ca: authority.ca,
      requestCert: true,
      rejectUnauthorized: false,
    });
    await ask(server.origin, { caFile, ...identity }, proxy.origin);
    assert.deepEqual(
      proxy.asked.map(({ certificate }) => certificate),
      [undefined],
    );
    const [reason, code] = await refusal(server.origin, { noProxy: '' }, proxy.origin);
    assert.equal(reason, 'tls', code);
  });

  for (const [login, meant] of [
    ['ada:p%40ss', 'ada:p@ss'],
    ['ada:50%', 'ada:50%'],
    ['ada%zz:%p%zz%4', 'ada%zz:%p%zz%4'],
    ['ada:50%ü%40', 'ada:50%ü@'],
    ['ada:p%ff', 'ada:p%ff'],
    ['ada:%', 'ada:%'],
    ['ada', 'ada:'],
    [':p%', ':p%'],
  ] as const)
    it(`signs in to a proxy with a password in the editor’s settings: ${login}`, async () => {
      const server = await serve(page);
      const proxy = await serveProxy();
      const { href } = new URL(proxy.origin.replace('//', `//${login}@`));
      await ask(server.origin, { caFile }, href);
      assert.equal(proxy.asked[0]?.authorization, `Basic ${Buffer.from(meant).toString('base64')}`);
      assert.equal(server.requests[0]?.headers['proxy-authorization'], undefined);
    });

  for (const status of [403, 407, 502]) {
    it(`names the proxy that refuses with ${status}`, async () => {
      const server = await serve(page);
      const proxy = await serveProxy(status);
      const fetch = await createFetch({}, { url: proxy.origin });
      const { host } = new URL(proxy.origin);
      const { client } = testClient(server.origin, { fetch, proxyFor: () => ({ address: host }) });
      const error = await failureOf(client.searchSandboxes());
      assert.deepEqual([error.reason, error.location], ['proxy', host]);
      assert.equal(server.requests.length, 0);
    });
  }

  for (const url of [
    'socks4://proxy:1',
    'pac+http://proxy:1/x',
    'ftp://proxy:1',
    '://',
    'my proxy:80',
    'http://',
    'socks5://:1080',
    'http://proxy:port',
    'http://[::1:80',
    'http://canary:p@proxy:1/a?b',
    'http://proxy:1/a?b',
    'http://proxy:99999',
  ]) {
    it(`names a proxy that can’t be used, and sends nothing (${url})`, async () => {
      const server = await serve(page);
      const { client } = testClient(server.origin, {
        fetch: async (input, init) => (await createFetch({}, { url }))(input, init),
        proxyFor: () => ({ address: 'proxy:1' }),
      });
      const error = await failureOf(client.pauseSandbox('a'));
      assert.deepEqual([error.reason, error.location, error.outcomeUnknown], ['proxy', 'proxy:1', false]);
      assert.match(describeError(error).message, /^Can’t use the proxy proxy:1: it must be HTTP/);
      assert.ok(!JSON.stringify(error).includes('canary'));
      assert.equal(server.requests.length, 0);
    });
  }

  it('names the proxy if nothing is listening there', async () => {
    const proxy = await deadOrigin();
    const fetch = await createFetch({}, { url: proxy });
    const error = await failureOf(testClient('http://service.invalid', { fetch }).client.searchSandboxes());
    assert.deepEqual([error.reason, error.location], ['proxy', new URL(proxy).host]);
  });

  it('speaks to a SOCKS proxy in its own protocol, with any network options', async () => {
    const server = await serveTls(page, good);
    const { port } = new URL(server.origin);
    for (const scheme of ['socks5', 'socks', 'socks5h']) {
      const received: string[] = [];
      const proxy = await serveRaw((socket) => {
        // “No authentication”, and then the connection that is asked for.
        socket.write(Buffer.from([5, 0]));
        socket.once('data', (request) => {
          received.push(request.subarray(0, 3).toString('hex'));
          const target = net.connect(Number(port), '127.0.0.1', () => {
            socket.write(Buffer.from([5, 0, 0, 1, 127, 0, 0, 1, 0, 0]));
            socket.pipe(target).pipe(socket);
          });
          target.on('error', () => socket.destroy());
        });
      });
      const url = proxy.origin.replace('http:', `${scheme}:`);
      assert.deepEqual(await ask(server.origin, { caFile }, url), { items: [], nextPageId: null });
      assert.deepEqual(received, ['050100']);
    }
    assert.equal(server.requests.length, 3);
  });

  it('signs in to a SOCKS proxy with the name and password that were meant', async () => {
    const received: Buffer[] = [];
    const proxy = await serveRaw((socket) => {
      // “User name and password”, and a refusal of these.
      socket.write(Buffer.from([5, 2]));
      socket.once('data', (login) => {
        received.push(login);
        socket.end(Buffer.from([1, 1]));
      });
    });
    const url = proxy.origin.replace('http://', 'socks5h://ada%40corp:p%%C3%BC@');
    await assert.rejects(ask('https://service.example', {}, url));
    const [login] = received;
    const [name, password] = ['ada@corp', 'p%ü'].map((text) => Buffer.from(text));
    assert.deepEqual(
      login,
      Buffer.concat([Buffer.from([1, name!.length]), name!, Buffer.from([password!.length]), password!]),
    );
  });

  it('times out connecting to the service or a proxy after 10 s, like the built-in fetch', async function () {
    this.timeout(25_000);
    const silent = await serveRaw(() => undefined);
    const origin = silent.origin.replace('http:', 'https:');
    const ways: [typeof fetch, string][] = [
      [globalThis.fetch, origin],
      [await createFetch({ caFile }, undefined), origin],
      [await createFetch({ caFile }, { url: origin }), 'https://service.example'],
    ];
    const tries = await Promise.all(
      ways.map(async ([fetch, service]) => {
        const controller = new AbortController();
        const events: RequestEvent[] = [];
        const log = (event: RequestEvent) => {
          events.push(event);
          controller.abort();
        };
        await failureOf(
          flatClient({ baseUrl: service, sessionKey, fetch, log, limiter: createLimiter() }).getSettings(
            controller.signal,
          ),
        );
        return events[0];
      }),
    );
    for (const event of tries) {
      assert.equal(event?.reason, 'connectTimeout');
      // A limit of 30 s would exceed the timeout of this test.
      assert.ok(event.ms > 9_000, `${event.ms} ms`);
    }
  });

  const other = authority.issue();
  const unusable: [name: string, options: () => NetworkOptions, option: string, code: RegExp][] = [
    ['is not there', () => ({ caFile: path.join(folder, 'none') }), 'caFile', /^ENOENT$/],
    ['is a folder', () => ({ caFile: folder }), 'caFile', /^EISDIR$/],
    ['is no PEM', () => ({ caFile: file('text', 'canary-content') }), 'caFile', /./],
    [
      'holds one that can’t be read, after a good one',
      () => ({ caFile: file('two', `${good.cert}\n${good.cert.replace(/\n\w{9}/, '\n')}`) }),
      'caFile',
      /./,
    ],
    ['is empty', () => ({ caFile: file('empty', '') }), 'caFile', /./],
    [
      'holds no certificate',
      () => ({ certFile: file('k1', good.key), keyFile: file('k2', good.key) }),
      'certFile',
      /./,
    ],
    [
      'holds the key of another certificate',
      () => ({ certFile: file('c3', good.cert), keyFile: file('k3', other.key) }),
      'keyFile',
      /./,
    ],
  ];
  for (const [name, options, option, code] of unusable) {
    it(`names the file that ${name} before sending anything`, async () => {
      const server = await serve(page);
      const { client, events } = testClient(server.origin, {
        fetch: async (input, init) => (await createFetch(options(), undefined))(input, init),
      });
      const error = await failureOf(client.pauseSandbox('a'));
      assert.deepEqual(
        [error.reason, error.location, error.outcomeUnknown],
        ['networkOption', option, false],
      );
      assert.match(error.code ?? '', code);
      assert.ok(!JSON.stringify(error).includes('canary'));
      assert.deepEqual([server.requests.length, events.length], [0, 1]);
    });
  }
});
