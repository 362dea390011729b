import assert from 'node:assert/strict';
import { ApiError, type ErrorReason } from '../../../src/api/errors';
import { errorForModel, unconnected } from '../../../src/tools/errors';

const about = (reason: ErrorReason, facts = {}) =>
  errorForModel(new ApiError(reason, 'POST', '/api/v1/sandboxes', facts));

describe('errors for the model', () => {
  it('tell of every reason what happened and what to do next', () => {
    const next: Record<ErrorReason, RegExp> = {
      cancelled: /only if the user wants it/,
      badId: /agentWorkspace_listSandboxes/,
      badUrl: /“Agent Workspace: Connect…”: ask them to/,
      networkOption: /Diagnose Connection/,
      dns: /Diagnose Connection/,
      refused: /Diagnose Connection/,
      reset: /once more/,
      tls: /Diagnose Connection/,
      proxy: /Diagnose Connection/,
      connectTimeout: /Diagnose Connection/,
      timeout: /once more/,
      redirected: /Diagnose Connection/,
      notService: /Diagnose Connection/,
      badShape: /Diagnose Connection/,
      truncated: /once more/,
      tooLarge: /tell the user/,
      unauthorized: /“Agent Workspace: Set Session Key…”: ask them to/,
      forbidden: /“Agent Workspace: Set Session Key…”: ask them to/,
      notFound: /Call agentWorkspace_listSandboxes/,
      methodNotAllowed: /Diagnose Connection/,
      conflict: /Call agentWorkspace_listSandboxes/,
      payloadTooLarge: /shorter/,
      invalid: /Correct the input/,
      rateLimited: /wait that long/,
      serverError: /once more/,
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

  it('have the model look first when nobody knows whether it took effect', () => {
    const said = about('timeout', { outcomeUnknown: true });
    assert.match(said, /It is not known whether it took effect\. Call agentWorkspace_listSandboxes/);
    assert.doesNotMatch(said, /once more/);
  });

  it('name the command that connects, or sets the key', () => {
    assert.match(unconnected({ kind: 'none' }), /not connected.*“Agent Workspace: Connect…”/);
    const connection = { name: 'Te\u202eam', baseUrl: 'https://a.example', origin: 'https://a.example' };
    assert.match(unconnected({ kind: 'noKey', connection }), /“Team” has no session key.*Set Session Key…/);
  });

  it('of a defect are short', () => {
    const said = errorForModel(new Error('x'.repeat(5_000)));
    assert.ok(said.length < 300);
    assert.match(said, /tell the user/);
  });
});
