import assert from 'node:assert/strict';
import type { ErrorReason } from '../../../../src/api/http/errors';
import { classifyFailure } from '../../../../src/api/http/networkFailure';
import { tlsWords } from '../../../../src/api/http/tlsWords';
import type { RequestEvent } from '../../../../src/api/http/transport';
import { failureOf, testClient } from '../support/client';
import { closeServers, deadOrigin, json, serve, serveRaw, serveTls } from '../support/servers';
import { connectingWithin, through } from '../support/undici';

/** What fetch throws: a TypeError with the cause. */
const fetchFailed = (cause: unknown) => new TypeError('fetch failed', { cause });
const coded = (code: string, facts = {}) => Object.assign(new Error('made up'), { code, ...facts });

const page = (title: string) => `<html><head><title>${title}</title></head></html>`;
const [asked, plain] = ['CERTIFICATE_REQUIRED', 'HTTP_REQUEST'];

const service = 'http://service.example.com:3000';
const connect = { syscall: 'connect', address: '192.0.2.1', port: 3000 };

/** The failure, its reason, the tries of a read and of a change, and whether the change may have been made. */
const failures: [failure: Error, reason: ErrorReason, reads: number, changes: number, unknown: boolean][] = [
  [coded('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'service.example.com' }), 'dns', 3, 3, false],
  [coded('EAI_AGAIN', { syscall: 'getaddrinfo', hostname: 'service.example.com' }), 'dns', 3, 3, false],
  [coded('ECONNREFUSED', connect), 'refused', 3, 3, false],
  [
    new AggregateError([coded('ECONNREFUSED', connect), coded('ECONNREFUSED', connect)]),
    'refused',
    3,
    3,
    false,
  ],
  [coded('UND_ERR_CONNECT_TIMEOUT'), 'connectTimeout', 3, 3, false],
  [coded('ETIMEDOUT', connect), 'connectTimeout', 3, 3, false],
  [coded('EHOSTUNREACH', connect), 'unreachable', 3, 1, false],
  [coded('ENETUNREACH', connect), 'unreachable', 3, 1, false],
  [coded('ECONNRESET', { syscall: 'read' }), 'reset', 3, 1, true],
  [coded('ETIMEDOUT', { syscall: 'read' }), 'reset', 3, 1, true],
  [coded('EPIPE', { syscall: 'write' }), 'reset', 3, 1, true],
  [coded('UND_ERR_SOCKET'), 'reset', 3, 1, true],
  [coded('UND_ERR_HEADERS_TIMEOUT'), 'timeout', 1, 1, true],
  [coded('UND_ERR_BODY_TIMEOUT'), 'timeout', 1, 1, true],
  [coded('HPE_INVALID_CONSTANT'), 'notService', 1, 1, true],
  [Object.assign(new Error('made up'), { name: 'HTTPParserError' }), 'notService', 1, 1, true],
  [coded('CERT_HAS_EXPIRED'), 'tls', 1, 1, false],
  [coded('CERT_UNTRUSTED'), 'tls', 1, 1, false],
  [coded('DEPTH_ZERO_SELF_SIGNED_CERT'), 'tls', 1, 1, false],
  [coded('SELF_SIGNED_CERT_IN_CHAIN'), 'tls', 1, 1, false],
  [coded('UNABLE_TO_VERIFY_LEAF_SIGNATURE'), 'tls', 1, 1, false],
  [coded('UNABLE_TO_GET_ISSUER_CERT_LOCALLY'), 'tls', 1, 1, false],
  [coded('ERR_TLS_CERT_ALTNAME_INVALID'), 'tls', 1, 1, false],
  [coded('ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED'), 'tls', 1, 1, false],
  [coded('EPROTO'), 'tls', 1, 1, false],
  [coded('UND_ERR_PRX_TLS'), 'proxy', 1, 1, false],
  [coded('UND_ERR_ABORTED'), 'proxy', 1, 1, false],
  [coded('ECONNREFUSED', { ...connect, port: 8080 }), 'proxy', 1, 1, false],
  [coded('ENOTFOUND', { syscall: 'getaddrinfo', hostname: 'proxy.example.com' }), 'proxy', 1, 1, false],
  [coded('SOMETHING_NEW'), 'unreachable', 3, 1, true],
  [new Error('bad port'), 'unreachable', 3, 1, true],
];

describe('network failures', () => {
  it('have an end, also where their causes have none', () => {
    const round = new AggregateError([]);
    round.errors.push(round);
    assert.equal(
      classifyFailure(Object.assign(round, { cause: round }), 'headers', new URL(service)).reason,
      'unreachable',
    );
  });

  afterEach(closeServers);

  for (const [cause, reason, reads, changes, unknown] of failures) {
    const code = 'code' in cause ? String(cause.code) : cause.name;
    it(`reports ${code} as ${reason}`, async () => {
      const fetch = () => Promise.reject(fetchFailed(cause));
      const { client, events } = testClient(service, { fetch });
      const reading = await failureOf(client.searchSandboxes());
      assert.deepEqual([reading.reason, reading.outcomeUnknown, events.length], [reason, false, reads]);
      const changing = await failureOf(client.pauseSandbox('a'));
      assert.deepEqual([changing.reason, changing.outcomeUnknown], [reason, unknown]);
      assert.equal(events.length - reads, changes);
      if ('code' in cause) assert.equal(reading.code, code);
    });
  }

  it('finds a deeply nested cause and stops at a cycle', async () => {
    const deep = fetchFailed(fetchFailed(fetchFailed(coded('ECONNRESET'))));
    const ring = new Error('ring');
    ring.cause = ring;
    for (const [failure, reason] of [
      [deep, 'reset'],
      [ring, 'unreachable'],
      [new Error('no cause at all'), 'unreachable'],
    ] as const) {
      const fetch = () => Promise.reject(failure);
      assert.equal((await failureOf(testClient(service, { fetch }).client.searchSandboxes())).reason, reason);
    }
  });

  it('names the unreachable proxy', async () => {
    const cause = coded('ECONNREFUSED', { ...connect, port: 8080 });
    const fetch = () => Promise.reject(fetchFailed(cause));
    const error = await failureOf(testClient(service, { fetch }).client.searchSandboxes());
    assert.equal(error.location, '192.0.2.1:8080');
  });

  it('reports a port without a listener', async () => {
    const error = await failureOf(testClient(await deadOrigin()).client.searchSandboxes());
    assert.deepEqual([error.reason, error.code], ['refused', 'ECONNREFUSED']);
  });

  it('reports an untrusted certificate', async () => {
    const server = await serveTls((_request, response) => json(response, {}));
    const error = await failureOf(testClient(server.origin).client.searchSandboxes());
    assert.deepEqual([error.reason, error.code], ['tls', 'DEPTH_ZERO_SELF_SIGNED_CERT']);
    assert.equal(server.requests.length, 0);
  });

  it('reports https to an HTTP server', async () => {
    const server = await serve((_request, response) => json(response, {}));
    const error = await failureOf(
      testClient(server.origin.replace('http:', 'https:')).client.searchSandboxes(),
    );
    assert.equal(error.reason, 'tls');
  });

  it('reports that a proxy wants a sign-in, though fetch keeps its answer to itself', async () => {
    const server = await serve((_request, response) => response.writeHead(407).end());
    const error = await failureOf(testClient(server.origin).client.pauseSandbox('a'));
    assert.deepEqual([error.reason, error.code, error.outcomeUnknown], ['proxy', 'HTTP 407', false]);
  });

  it('doesn’t know what became of a change when what came back was damaged', async () => {
    const damaged = coded('ERR_SSL_DECRYPTION_FAILED_OR_BAD_RECORD_MAC');
    const { client } = testClient(service, { fetch: () => Promise.reject(fetchFailed(damaged)) });
    const error = await failureOf(client.pauseSandbox('a'));
    assert.deepEqual([error.reason, error.outcomeUnknown], ['reset', true]);
    assert.equal(classifyFailure(coded('EPROTO'), 'body', new URL(service)).sent, true);
  });

  const said: [
    what: string,
    status: number,
    type: string,
    text: string,
    reason: ErrorReason,
    code?: string,
  ][] = [
    ['no certificate', 400, 'text/html', page('400 No required SSL certificate was sent'), 'tls', asked],
    ['another certificate', 400, 'text/html', page('400 The SSL certificate error'), 'tls', asked],
    ['no certificate', 496, 'text/html', '', 'tls', asked],
    [
      'HTTP at its port',
      400,
      'text/html',
      page('The plain HTTP request was sent to HTTPS port'),
      'tls',
      plain,
    ],
    ['HTTP at its port', 400, 'text/plain', 'Client sent an HTTP request to an HTTPS server.', 'tls', plain],
    [
      'HTTP at its port',
      400,
      'text/html',
      page('You’re speaking plain HTTP to an SSL-enabled'),
      'tls',
      plain,
    ],
    ['HTTP at its port', 497, 'text/html', '', 'tls', plain],
    ['its own words', 400, 'application/json', '{"detail":"The SSL certificate is old"}', 'invalid'],
  ];
  for (const [what, status, type, text, reason, code] of said)
    it(`reports a server that says ${status} for ${what} as ${reason}`, async () => {
      const server = await serve((_request, response) =>
        response.writeHead(status, { 'Content-Type': type }).end(text),
      );
      const error = await failureOf(testClient(server.origin).client.pauseSandbox('a'));
      assert.deepEqual([error.reason, error.code, error.outcomeUnknown], [reason, code, false]);
    });

  it('reports a server that does not speak HTTP', async () => {
    const server = await serveRaw((socket) => socket.end('SSH-2.0-OpenSSH_9.6\r\n'));
    assert.equal((await failureOf(testClient(server.origin).client.searchSandboxes())).reason, 'notService');
  });

  it('reports a connection that times out', async () => {
    const silent = await serveRaw(() => undefined);
    const fetch = await connectingWithin(50);
    // One try is enough: undici rounds its timeout up to a second.
    const controller = new AbortController();
    const reasons: unknown[] = [];
    const log = ({ reason }: RequestEvent) => {
      reasons.push(reason);
      controller.abort();
    };
    const { client } = testClient(silent.origin.replace('http:', 'https:'), { fetch, log });
    await failureOf(client.searchSandboxes({}, controller.signal));
    assert.deepEqual(reasons, ['connectTimeout']);
  });

  it('reports a proxy that refuses', async () => {
    const proxy = await serveRaw((socket) =>
      socket.end('HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n'),
    );
    const fetch = await through(proxy.origin);
    const error = await failureOf(
      testClient('https://service.example.com', { fetch }).client.searchSandboxes(),
    );
    assert.equal(error.reason, 'proxy');
  });

  it('reports a proxy without a listener', async () => {
    const proxy = await deadOrigin();
    const fetch = await through(proxy);
    const error = await failureOf(
      testClient('https://service.example.com', { fetch }).client.searchSandboxes(),
    );
    assert.deepEqual([error.reason, error.location], ['proxy', new URL(proxy).host]);
  });
});

describe('what is said of a connection that isn’t secure', () => {
  const certificate = 'Set “certFile” and “keyFile”';
  const protocol = 'Check the connection’s address';
  const authority = 'Check the certificate.';
  for (const [code, cause, next] of [
    ['CERTIFICATE_REQUIRED', 'another client certificate', certificate],
    ['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', 'another client certificate', certificate],
    ['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', 'another client certificate', certificate],
    ['ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE', 'another client certificate', certificate],
    ['ERR_SSL_TLSV1_ALERT_ACCESS_DENIED', 'another client certificate', certificate],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'doesn’t speak TLS', protocol],
    ['EPROTO', 'doesn’t speak TLS', protocol],
    ['HTTP_REQUEST', 'doesn’t speak TLS', protocol],
    ['CERT_HAS_EXPIRED', 'the certificate wasn’t accepted', 'Tell your administrator.'],
    ['CERT_NOT_YET_VALID', 'the certificate wasn’t accepted', 'Tell your administrator.'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'the certificate wasn’t accepted', 'Check the spelling of the address'],
    ['HOSTNAME_MISMATCH', 'the certificate wasn’t accepted', 'Check the spelling of the address'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'the certificate wasn’t accepted', authority],
  ] as const)
    it(`fits ${code}`, () => {
      const { message, nextStep } = tlsWords(code);
      assert.ok(message.includes(cause) && message.endsWith(`(${code}).`), message);
      assert.ok(nextStep.startsWith(next), nextStep);
    });
});
