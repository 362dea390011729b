import assert from 'node:assert/strict';
import { createSandboxWorkspace } from '../../../../src/api/agent/workspace';
import { createLimiter } from '../../../../src/api/http/limiter';
import { failureOf, hastyClock } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

describe('workspace of a sandbox', () => {
  afterEach(closeServers);

  const agent = { release: '1.58.0', capabilities: [] };

  async function connect(answer: unknown) {
    const server = await serve((_request, response) => json(response, answer));
    const clock = hastyClock();
    const options = { clock, limiter: createLimiter(clock) };
    return createSandboxWorkspace({ baseUrl: server.origin, id: 'a' }, 'canary-key', agent, options);
  }

  for (const answer of [{ success: false }, {}, []]) {
    it(`doesn’t take ${JSON.stringify(answer)} for a written file`, async () => {
      const workspace = await connect(answer);
      const { reason, outcomeUnknown } = await failureOf(workspace.upload('/a', new Uint8Array()));
      assert.deepEqual([reason, outcomeUnknown], ['badShape', true]);
    });
  }

  for (const [capabilities, root] of [
    [['conversation_runtime_routes_v1'], '/api/conversations/a'],
    [[], '/api'],
  ] as const)
    it(`asks by ${root} with ${capabilities.length} capabilities`, async () => {
      const server = await serve((_request, response) => json(response, { success: true, exit_code: 0 }));
      const clock = hastyClock();
      const options = { clock, limiter: createLimiter(clock) };
      const address = { baseUrl: server.origin, id: 'a' };
      const workspace = createSandboxWorkspace(address, 'key', { ...agent, capabilities }, options);
      assert.equal(workspace.isBound, capabilities.length > 0);
      await workspace.execute({ command: 'true', cwd: '/work' });
      await workspace.download('/work/a b', { maxBytes: 100 });
      await workspace.upload('/work/a', new Uint8Array());
      assert.deepEqual(
        server.requests.map(({ url }) => url),
        [
          '/bash/execute_bash_command',
          '/file/download?path=%2Fwork%2Fa+b',
          '/file/upload?path=%2Fwork%2Fa',
        ].map((path) => root + path),
      );
    });

  it('has no output where a command has none', async () => {
    const workspace = await connect({ exit_code: 0, stdout: null });
    assert.deepEqual(await workspace.execute({ command: 'true', cwd: '/' }), {
      exitCode: 0,
      stdout: '',
      stderr: '',
    });
  });
});
