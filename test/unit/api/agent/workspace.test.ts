import assert from 'node:assert/strict';
import { createSandboxWorkspace } from '../../../../src/api/agent/workspace';
import { createLimiter } from '../../../../src/api/http/limiter';
import { failureOf, hastyClock } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

describe('workspace of a sandbox', () => {
  afterEach(closeServers);

  async function connect(answer: unknown) {
    const server = await serve((_request, response) => json(response, answer));
    const clock = hastyClock();
    const options = { clock, limiter: createLimiter(clock) };
    return createSandboxWorkspace({ baseUrl: server.origin }, 'canary-key', '1.58.0', options);
  }

  for (const answer of [{ success: false }, {}, []]) {
    it(`doesn’t take ${JSON.stringify(answer)} for a written file`, async () => {
      const workspace = await connect(answer);
      const { reason, outcomeUnknown } = await failureOf(workspace.upload('/a', new Uint8Array()));
      assert.deepEqual([reason, outcomeUnknown], ['badShape', true]);
    });
  }

  it('has no output where a command has none', async () => {
    const workspace = await connect({ exit_code: 0, stdout: null });
    assert.deepEqual(await workspace.execute({ command: 'true', cwd: '/' }), {
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });
});
