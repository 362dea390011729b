import assert from 'node:assert/strict';
import { ApiError, type ErrorReason } from '../../../src/api/http/errors';
import { errorForModel, unconnected } from '../../../src/features/tools/errors';

const about = (reason: ErrorReason, facts = {}) =>
  errorForModel(new ApiError(reason, 'POST', '/api/v1/sandboxes', facts));

describe('tool errors', () => {
  it('say for every reason what happened and what to do next', () => {
    const next: Record<ErrorReason, RegExp> = {
      canceled: /only if the user wants it/,
      keyRevoked: /“Agent Workspace: Set Session Key…”: ask them to/,
      badId: /agentWorkspace_listSandboxes/,
      badUrl: /“Agent Workspace: Connect…”: ask them to/,
      networkOption: /Diagnose Connection/,
      dns: /Diagnose Connection/,
      refused: /Diagnose Connection/,
      reset: /Call again\. If it fails again/,
      tls: /Diagnose Connection/,
      proxy: /Diagnose Connection/,
      connectTimeout: /Diagnose Connection/,
      timeout: /Call again\. If it fails again/,
      redirected: /Diagnose Connection/,
      notService: /Diagnose Connection/,
      badShape: /Diagnose Connection/,
      truncated: /Call again\. If it fails again/,
      tooLarge: /tell the user/,
      noneSaved: /tell the user/,
      agentServer: /“Agent Workspace: Connect…”: ask them to/,
      busy: /Call again\. If it fails again/,
      unauthorized: /“Agent Workspace: Set Session Key…”: ask them to/,
      forbidden: /“Agent Workspace: Set Session Key…”: ask them to/,
      notFound: /Call agentWorkspace_listSandboxes/,
      methodNotAllowed: /Diagnose Connection/,
      conflict: /Call agentWorkspace_listSandboxes/,
      payloadTooLarge: /shorter/,
      invalid: /Correct the input/,
      rateLimited: /wait that long/,
      serverError: /Call again\. If it fails again/,
      unexpectedStatus: /Diagnose Connection/,
      unreachable: /Diagnose Connection/,
    };
    for (const [reason, words] of Object.entries(next) as [ErrorReason, RegExp][]) {
      const said = about(reason);
      assert.match(said, words, reason);
      assert.match(said, /Nothing was changed\./, reason);
    }
  });

  it('say how long to wait, and quote the service', () => {
    assert.match(about('rateLimited', { status: 429, retryAfterMs: 7_000 }), /429.*Try again in 7 seconds\./);
    assert.match(
      about('serverError', { status: 500, serverText: 'out of\u202e [disks](command:x)' }),
      /The service says: “out of \[disks\] \(command:x\)”/,
    );
  });

  it('tell the model to check first if the outcome is unknown', () => {
    const said = about('timeout', { outcomeUnknown: true });
    assert.match(said, /The change may have gone through\. Call agentWorkspace_listSandboxes/);
    assert.doesNotMatch(said, /Call again\. If it fails again/);
  });

  it('name the command that connects or sets the key', () => {
    assert.match(unconnected({ kind: 'none' }), /isn’t connected.*“Agent Workspace: Connect…”/);
    const connection = { name: 'Te\u202eam', baseUrl: 'https://a.example', origin: 'https://a.example' };
    assert.match(unconnected({ kind: 'noKey', connection }), /“Team” has no session key.*Set Session Key…/);
  });

  it('are short for internal errors', () => {
    const said = errorForModel(new Error('x'.repeat(5_000)));
    assert.ok(said.length < 300);
    assert.match(said, /tell the user/);
  });
});
