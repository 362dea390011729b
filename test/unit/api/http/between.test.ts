import assert from 'node:assert/strict';
import type { ErrorReason } from '../../../../src/api/http/errors';
import { describeError } from '../../../../src/editor/errorText';
import { everyCase } from '../../../support/everyCase';
import { failureOf, testClient } from '../support/client';
import { closeServers, serveRaw } from '../support/servers';

const page = '<!DOCTYPE html><title>Hotel Wi-Fi</title><p>Please sign in</p>';
const answer = (status: string, type: string, body: string, ...more: string[]) =>
  [
    `HTTP/1.1 ${status}`,
    ...(type === '' ? [] : [`Content-Type: ${type}`]),
    `Content-Length: ${Buffer.byteLength(body)}`,
    'Connection: close',
    ...more,
    '',
    body,
  ].join('\r\n');
const login = (status: string, ...more: string[]) =>
  answer(status, 'text/html; charset=utf-8', page, ...more);
const json = 'application/json';
const signIn = 'If a proxy or your network asks you to sign in, do that in a browser, then try again.';

/** What somebody between here and the service answers: its bytes, the reason, and whether a sign-in is thought of. */
const answers: readonly (readonly [what: string, bytes: string, reason: ErrorReason, says: boolean])[] = [
  ['a page', login('200 OK'), 'notService', true],
  ['a page that passes for JSON', answer('200 OK', json, `\n${page}`), 'notService', true],
  ['a page without a type', answer('200 OK', '', page), 'notService', true],
  [
    'a page after early hints',
    `HTTP/1.1 103 Hints\r\nLink: <a>\r\n\r\n${login('200 OK')}`,
    'notService',
    true,
  ],
  ['401 with a page', login('401 Unauthorized'), 'notService', true],
  ['401 that wants a password', login('401 No', 'WWW-Authenticate: Basic realm="corp"'), 'notService', true],
  ['401 that wants a ticket', login('401 No', 'WWW-Authenticate: Negotiate'), 'notService', true],
  ['403 of a filter', login('403 Forbidden'), 'notService', true],
  ['403 of the service', answer('403 Forbidden', json, '{"detail":"No"}'), 'forbidden', false],
  ['401 of the service', answer('401 Unauthorized', json, '{"detail":"No"}'), 'unauthorized', false],
  ['511', login('511 Network Authentication Required'), 'notService', true],
  ['511 without a page', answer('511 Sign in', '', ''), 'notService', true],
  [
    '302 to a page to sign in',
    login('302 Found', 'Location: http://portal.example/?u=1'),
    'redirected',
    true,
  ],
  ['303 to one', login('303 See Other', 'Location: /login'), 'redirected', true],
  ['308 to another address', login('308 Moved', 'Location: https://new.example/'), 'redirected', false],
  ['headers without an end', `HTTP/1.1 200 OK\r\nX: ${'a'.repeat(200_000)}\r\n\r\n`, 'notService', true],
  ['another protocol', 'SSH-2.0-OpenSSH_9.6\r\n', 'notService', true],
  ['a page without headers', page, 'notService', true],
];

describe('an answer from somebody in between', () => {
  afterEach(closeServers);

  it('says that a proxy or network may ask to sign in, and blames no key', () =>
    everyCase(
      answers,
      ([what]) => what,
      async ([what, bytes, reason, says]) => {
        const server = await serveRaw((socket) => socket.end(bytes));
        const { client } = testClient(server.origin);
        const reading = await failureOf(client.getSettings());
        const { message, nextStep } = describeError(reading);
        assert.deepEqual([reading.reason, nextStep.includes(signIn)], [reason, says]);
        if (says)
          assert.doesNotMatch(message + nextStep, /wrong|allowed|Set Session Key|portal\.example\/\?/);
        // The other way to read settings is tried, but neither again and again.
        assert.ok(server.connections() <= 2, `${what}: ${server.connections()} requests`);
        const before = server.connections();
        const changing = await failureOf(client.postSettings({}));
        assert.equal(changing.reason, reason);
        assert.ok(server.connections() - before <= 2, what);
      },
    ));
});
