import assert from 'node:assert/strict';
import { ApiError, type ErrorFacts, type ErrorReason, type Method } from '../../../src/api/http/errors';
import { concealing, readErrorBody } from '../../../src/api/http/errorBody';
import { describeError } from '../../../src/editor/errorText';
import { everyCase } from '../../support/everyCase';

/** Every reason, with its status, if any; the compiler reports missing reasons. */
const statuses: Record<ErrorReason, number | undefined> = {
  canceled: undefined,
  keyRevoked: undefined,
  badId: undefined,
  badUrl: undefined,
  networkOption: undefined,
  dns: undefined,
  refused: undefined,
  reset: undefined,
  tls: undefined,
  proxy: undefined,
  connectTimeout: undefined,
  timeout: undefined,
  redirected: 302,
  notService: undefined,
  noneSaved: undefined,
  agentServer: undefined,
  busy: undefined,
  badShape: undefined,
  truncated: undefined,
  tooLarge: undefined,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  conflict: 409,
  payloadTooLarge: 413,
  invalid: 422,
  rateLimited: 429,
  serverError: 500,
  unexpectedStatus: 418,
  unreachable: undefined,
};
const reasons = Object.keys(statuses) as ErrorReason[];

const described = (
  reason: ErrorReason,
  facts: ErrorFacts = {},
  method: Method = 'GET',
  route = '/api/settings',
) => describeError(new ApiError(reason, method, route, facts));

describe('error messages', () => {
  it('state what happened and one next step for every reason', () =>
    everyCase(reasons, String, (reason) => {
      const status = statuses[reason];
      const { message, nextStep } = described(reason, { status });
      for (const text of [message, nextStep]) {
        assert.match(text, /^[A-Z].*[.)]$/s);
        assert.doesNotMatch(text, /undefined|\{\d\}|\bnull\b/);
        assert.ok(text.length < 200, text);
      }
      if (status !== undefined) assert.ok(message.includes(`HTTP ${status}`), message);
    }));

  it('differ for every reason', () => {
    assert.equal(new Set(reasons.map((reason) => described(reason).message)).size, reasons.length);
  });

  it('report whether a change was made, and what to do if that is unknown', () => {
    for (const reason of reasons) {
      assert.match(described(reason, {}, 'POST').message, /Nothing was changed\.$/);
      const unknown = described(reason, { outcomeUnknown: true }, 'POST');
      assert.match(unknown.message, /The change may have gone through\.$/);
      assert.match(unknown.nextStep, /^Refresh and check/);
      assert.doesNotMatch(described(reason).message, /Nothing was changed|gone through/);
    }
  });

  it('report the outcome found by reading back', () => {
    const lost = new ApiError('reset', 'POST', '/api/settings', { outcomeUnknown: true });
    assert.match(describeError(lost, 'no').message, /Nothing was changed\.$/);
    assert.doesNotMatch(describeError(lost, 'no').nextStep, /Refresh/);
    assert.doesNotMatch(describeError(lost, 'partly').message, /Nothing|gone through/);
    assert.match(describeError(lost, 'unknown').message, /may have gone through\.$/);
  });

  it('end the service’s message with one period, and put the status before it', () => {
    const { message } = described('notFound', { status: 404, serverText: 'Not found.' });
    assert.equal(message, 'Not found on the service (HTTP 404). The service says: “Not found.”');
  });

  it('quote the service as plain text of 200 characters', () => {
    const serverText = `\x1b[31m<b>No\u202e</b>\n${'x'.repeat(300)}`;
    const { message } = described('serverError', { status: 500, serverText });
    assert.match(message, /The service says: “<b>No<\/b> x+…”$/);
    assert.ok(message.length < 300);
    assert.doesNotMatch(described('serverError', { status: 500, serverText: ' ' }).message, /says/);
  });

  it('name what is down behind Agent Canvas', () => {
    const text = 'Bad Gateway: connect ECONNREFUSED 127.0.0.1:18000';
    const facts = { status: 502, ...readErrorBody(text, false, concealing([])) };
    const at = (route: string, more = {}) =>
      describeError(new ApiError('serverError', 'GET', route, { ...facts, ...more }));
    const settings = at('/api/settings');
    assert.match(
      settings.message,
      /^Agent Canvas answers, but its agent server isn’t running \(HTTP 502\)\./,
    );
    assert.match(settings.nextStep, /restart Agent Canvas/);
    assert.match(at('/api/automation/v1').message, /its automation service isn’t running/);
    // Other servers in front of a service, and other failures of it.
    for (const other of [
      { serverText: 'Bad Gateway' },
      { serverText: 'Error: Bad Gateway: connect ECONNREFUSED' },
      { status: 500 },
      { serverText: undefined },
    ])
      assert.match(at('/api/settings', other).message, /^The service failed/, JSON.stringify(other));
  });

  it('say how to get back what another secret key encrypted', () => {
    const serverText = 'Settings file is corrupted or encrypted with a different key: Invalid token';
    const { message, nextStep } = described('conflict', { status: 409, serverText }, 'PATCH');
    assert.match(message, /encrypted with a different key/);
    assert.match(message, /Nothing was changed\.$/);
    assert.match(nextStep, /OH_SECRET_KEY.*Nothing that it stored is lost/);
    assert.match(described('conflict', { status: 409 }).nextStep, /^Refresh and try again/);
  });

  it('suggest another key or checking the git token on 401, never deletion', () => {
    const { message, nextStep } = described('unauthorized', { status: 401, serverText: 'Unauthorized' });
    assert.match(message, /refused.*401.*Unauthorized/);
    assert.match(nextStep, /Set Session Key/);
    const git = described('unauthorized', { status: 401 }, 'POST', '/api/add-git-providers');
    assert.match(git.message, /git provider token/);
    assert.match(git.nextStep, /Check the token/);
    assert.match(described('unauthorized').message, /can’t be sent/);
    for (const text of [message, nextStep, git.message, git.nextStep]) {
      assert.doesNotMatch(text, /delete|remove|clear/i);
    }
  });

  it('name the target of a redirect, the proxy, and the certificate error code', () => {
    assert.match(
      described('redirected', { status: 302, location: 'https://b.example' }).message,
      /https:\/\/b\.example/,
    );
    assert.match(described('proxy', { location: '192.0.2.1:8080' }).message, /192\.0\.2\.1:8080/);
    assert.match(described('tls', { code: 'CERT_HAS_EXPIRED' }).message, /CERT_HAS_EXPIRED/);
  });

  it('say when to return', () => {
    const step = (retryAfterMs: number) => described('rateLimited', { status: 429, retryAfterMs }).nextStep;
    assert.match(step(0), /1 second\./);
    assert.match(step(61_000), /61 seconds/);
    assert.match(step(3_600_000), /60 minutes/);
    assert.match(step(24 * 3_600_000), /24 hours/);
    assert.match(described('serverError', { status: 503, retryAfterMs: 90_000 }).nextStep, /90 seconds/);
  });

  it('name the value that was not sent', () => {
    const issues = [
      { loc: ['body', 'mcp_config', 'sse_servers', 0, 'url'], msg: 'Enter an address', type: 'custom' },
    ];
    assert.match(
      described('invalid', { issues }, 'POST').message,
      /mcp_config\.sse_servers\.0\.url: Enter an address/,
    );
    assert.match(described('invalid', {}, 'POST').message, /^Not sent/);
  });

  it('describe errors that are not from the service', () => {
    assert.equal(describeError(new Error('Disk\x1b[31m full')).message, 'Disk full.');
    assert.equal(describeError('odd?').message, 'odd?');
    assert.ok(describeError(new Error('')).message);
    assert.equal(Array.from(describeError(new Error('x'.repeat(500))).message).length, 200);
  });

  it('tells a limit of sandboxes from one of requests', () => {
    const words = (serverText: string) =>
      describeError(new ApiError('rateLimited', 'POST', '/api/v1/sandboxes', { status: 429, serverText }));
    assert.match(words('Maximum number of sandboxes reached').nextStep, /^Pause or delete a sandbox/);
    assert.match(words('Too many requests').message, /too many requests/);
    const facts = { status: 429, serverText: 'Conversation run limit reached.' };
    const { message } = describeError(new ApiError('rateLimited', 'POST', '/api/conversations', facts));
    assert.match(message, /^The server can’t run any more agents/);
  });

  it('says how many the service runs, and when a quota is over', () => {
    const words = (facts: object) =>
      describeError(
        new ApiError('rateLimited', 'POST', '/api/v1/app-conversations', { status: 429, ...facts }),
      );
    const full = { errorCode: 'CONCURRENCY_LIMIT_REACHED', limit: 3, current: 3 };
    assert.match(
      words(full).message,
      /^The service runs at most 3 at the same time\. Running now: 3 \(HTTP 429\)\./,
    );
    const quota = { errorCode: 'DAILY_QUOTA_EXCEEDED', limit: 10 };
    assert.match(words(quota).message, /^You’ve reached your quota on the service \(HTTP 429\)\./);
    assert.equal(words(quota).nextStep, 'The service doesn’t say when you can try again.');
    assert.equal(words({ ...quota, retryAfterMs: 5 * 3_600_000 }).nextStep, 'Try again in 5 hours.');
  });

  it('tells a user whose sign-in has ended to sign in again', () => {
    const ended = new ApiError('unauthorized', 'GET', '/api/v1/settings', { status: 401, signIn: true });
    assert.deepEqual(describeError(ended), {
      message: 'You’re no longer signed in (HTTP 401).',
      nextStep: 'Run Sign In. Nothing is lost.',
    });
  });
});

describe('a full disk', () => {
  it('is named in words, with what to do', () => {
    const words = (message: string) => Object.values(describeError(new Error(message))).join(' ');
    for (const code of [
      'ENOSPC: no space left on device, write',
      'Unknown (FileSystem): Error: EDQUOT: quota',
    ])
      assert.equal(words(code), 'There’s no space left on the disk. Free some space, then try again.');
    assert.match(words('ENOSPCX'), /^ENOSPCX/);
  });
});

describe('a file that this computer refuses', () => {
  const words = (message: string) => Object.values(describeError(new Error(message))).join(' ');

  it('is named in words, with what to do', () => {
    for (const message of [
      "EROFS: read-only file system, open '/media/a.md'",
      "EACCES: permission denied, mkdir '/root/a'",
      "EPERM: operation not permitted, open 'C:\\a.md'",
      "Unknown (FileSystem): Error: EACCES: permission denied, open '/root/a.md'",
      'NoPermissions (FileSystem): /root/a.md',
    ])
      assert.equal(
        words(message),
        'This computer doesn’t allow access to that file or folder. ' +
          'Check the permissions, or choose another folder. Then try again.',
      );
  });

  it('isn’t a process or a port that is refused', () => {
    for (const message of ['kill EPERM', 'listen EACCES: permission denied 127.0.0.1:80', 'spawn git EACCES'])
      assert.ok(words(message).startsWith(message), message);
  });
});
