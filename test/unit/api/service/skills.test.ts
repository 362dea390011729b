import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { failureOf, testClient } from '../support/client';

describe('skills and plugins of an agent server', () => {
  let server: AgentServerByItself;
  let calls: AgentServerCalls;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.49.1' });
    const { client } = testClient(server.url, { sessionKey: server.sessionKey, known: 'agentServer' });
    await checkConnection(client);
    calls = client.agents!;
  });
  afterEach(() => server.close());

  for (const kind of ['skill', 'plugin'] as const)
    it(`installs a ${kind}, switches it, refreshes and removes it`, async () => {
      await calls.install(kind, 'github:a/notes');
      const [added] = await calls.listAddOns();
      assert.deepEqual(added, {
        ...{ kind, name: 'notes', description: '', source: 'github:a/notes', isOn: true },
      });
      assert.equal((await failureOf(calls.install(kind, 'github:a/notes'))).status, 409);
      await calls.switchAddOn(added, false);
      assert.equal((await calls.listAddOns())[0]?.isOn, false);
      await calls.refreshAddOn(added);
      await calls.removeAddOn(added);
      assert.deepEqual(await calls.listAddOns(), []);
      assert.equal((await failureOf(calls.removeAddOn(added))).status, 404);
    });

  it('lists what applies to a folder, with its text', async () => {
    assert.deepEqual(await calls.listSkills(undefined), []);
    const [skill] = await calls.listSkills('/workspace/shop');
    assert.deepEqual([skill?.name, skill?.content], ['release-notes', '# Release notes']);
  });

  it('reaches nothing else by the name of a skill', async () => {
    for (const name of ['..', '.', ''])
      assert.equal((await failureOf(calls.removeAddOn({ kind: 'skill', name }))).reason, 'badId');
  });
});
