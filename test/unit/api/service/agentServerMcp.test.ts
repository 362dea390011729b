import assert from 'node:assert/strict';
import type { ServerToTest } from '../../../../src/api/service/agentServerMcp';
import type { ApiClient } from '../../../../src/api/service/client';
import { mask } from '../../../../src/api/service/schemas/secret';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { testClient } from '../support/client';

for (const release of ['1.49.1', '1.58.0'] as const)
  describe(`testing an MCP server on an agent server (${release})`, () => {
    let server: AgentServerByItself;
    let client: ApiClient;
    beforeEach(async () => {
      server = await startAgentServer({ release, seed: true });
      ({ client } = testClient(server.url, { sessionKey: server.sessionKey }));
      await checkConnection(client);
    });
    afterEach(() => server.close());

    const test = (about: ServerToTest) => client.agents!.testServer(about);
    const last = () => server.starts.tested.at(-1);
    const url = 'https://issues.example.com/mcp';

    it('sends what was typed, and secrets that nobody sees as the server encrypts them', async () => {
      const search = { name: 'search', command: 'uvx', args: ['mcp-search'], enabled: false };
      const env = { SEARCH_TOKEN: mask, MORE: 'typed' };
      const outcome = await test({ kind: 'stdio', server: { ...search, env }, heldName: 'search' });
      assert.deepEqual(outcome, { ok: true, tools: ['search', 'fetch'] });
      assert.deepEqual(last(), {
        type: 'stdio',
        command: 'uvx',
        args: ['mcp-search'],
        env: { SEARCH_TOKEN: 'stored-token', MORE: 'typed' },
      });
      await test({ kind: 'shttp', server: { name: 'issues', url, api_key: mask }, heldName: 'issues' });
      assert.deepEqual(last()?.['auth'], { strategy: 'bearer', value: 'stored-issues-token' });
      await test({ kind: 'shttp', server: { name: 'issues', url, api_key: 'typed' }, heldName: 'issues' });
      assert.deepEqual(last(), { type: 'http', url, headers: { Authorization: 'Bearer typed' } });
    });

    it('finds a token in a header, too, whatever its case', async () => {
      const { agentSettings } = server.starts;
      const headers = { authorization: 'Bearer in-header', 'X-Team': 'red' };
      agentSettings['mcp_config'] = { issues: { url, headers } };
      const masked = { name: 'issues', url, api_key: mask, headers: { 'X-Team': mask } };
      await test({ kind: 'sse', server: masked, heldName: 'issues' });
      assert.deepEqual(last()?.['headers'], { 'X-Team': 'red', Authorization: 'Bearer in-header' });
    });

    it('never sends a mask, nor the secrets of another server', async () => {
      const masked = { name: 'new', command: 'uvx', args: [], env: { OTHER: mask } };
      for (const heldName of [undefined, 'search', 'gone'])
        assert.deepEqual(await test({ kind: 'stdio', server: masked, heldName }), {
          ok: false,
          reason: 'masked',
        });
      delete server.starts.agentSettings['mcp_config'];
      const outcome = await test({ kind: 'stdio', server: masked, heldName: 'search' });
      assert.deepEqual(outcome, { ok: false, reason: 'masked' });
      assert.deepEqual(server.starts.tested, []);
    });

    it('says how a test failed, without secrets', async () => {
      const about = { kind: 'stdio', heldName: undefined } as const;
      const missing = { command: 'missing', args: [], env: { A: 'canary-secret' } };
      const failed = await test({ ...about, server: missing });
      assert.ok(
        !failed.ok && failed.reason === 'failed' && failed.error.startsWith('[Errno 2] No such file'),
      );
      assert.doesNotMatch(JSON.stringify(failed), /canary/);
      const slow = await test({ ...about, server: { command: 'slow', args: [], env: {} } });
      assert.ok(!slow.ok && slow.reason === 'timeout');
    });
  });
