import assert from 'node:assert/strict';
import type { ConnectionCheck } from '../../../src/api/service/connectionCheck';
import { ApiError, type ErrorFacts, type ErrorReason } from '../../../src/api/http/errors';
import { describeCheck, keyWarning } from '../../../src/editor/checkText';

const failed = (reason: ErrorReason, facts: ErrorFacts = {}): ConnectionCheck => ({
  kind: reason === 'unauthorized' || reason === 'forbidden' ? 'refused' : 'failed',
  error: new ApiError(reason, 'GET', '/api/settings', facts),
});
const words = (check: ConnectionCheck) => {
  const { message = '', nextStep = '' } = describeCheck(check) ?? {};
  return `${message} ${nextStep}`;
};

/** Everything that can be wrong with an address or a key. */
const checks: ConnectionCheck[] = [
  failed('badUrl'),
  failed('dns'),
  failed('refused'),
  failed('connectTimeout'),
  failed('redirected', { status: 302, location: 'https://other.example.com/' }),
  failed('redirected', { status: 302 }),
  failed('notService', { status: 200 }),
  failed('badShape', { status: 200 }),
  failed('unauthorized', { status: 401, serverText: 'No.' }),
  failed('forbidden', { status: 403, serverText: 'No.' }),
  failed('notFound', { status: 404, serverText: 'Not found.' }),
  failed('methodNotAllowed', { status: 405, serverText: 'Method Not Allowed' }),
  failed('conflict', { status: 409 }),
  failed('invalid', { status: 422 }),
  failed('unexpectedStatus', { status: 418, serverText: 'I’m a teapot.' }),
  failed('serverError', { status: 500, serverText: 'Oops.' }),
];

describe('message about a connection check', () => {
  it('is absent when the service accepted the key', () => {
    assert.equal(describeCheck({ kind: 'neverSaved' }), undefined);
    assert.equal(describeCheck({ kind: 'agentServer', release: '1.58.0' }), undefined);
  });

  it('gives advice for entering an address, not for lists or commands', () => {
    for (const check of checks) assert.doesNotMatch(words(check), /Refresh|Run (Connect|Set Session Key)/);
  });

  it('ends each sentence with one period, including the service’s message', () => {
    for (const check of checks) assert.doesNotMatch(words(check), /[.!?]”?[.!?]/);
  });

  it('names the status and the address of a redirect', () => {
    assert.match(words(failed('notFound', { status: 404 })), /no agent workspace service.*HTTP 404/);
    assert.match(
      words(failed('redirected', { status: 302, location: 'https://other.example.com/' })),
      /redirects to https:\/\/other\.example\.com\/\. .*enter it here/,
    );
  });
});

describe('what the key of an agent server opens', () => {
  const server = { release: '1.58.2', capabilities: [] };

  it('is said, and that Agent Canvas shows it at an address that others may reach', () => {
    const shell = 'Whoever has its key has a shell on its computer.';
    assert.equal(keyWarning(server, 'http://10.0.0.5:8000'), shell);
    assert.equal(keyWarning({ ...server, isCanvas: true }, 'http://localhost:8000'), shell);
    assert.match(
      keyWarning({ ...server, isCanvas: true }, 'http://10.0.0.5:8000'),
      /page\. If others.* --public\.$/,
    );
  });
});
