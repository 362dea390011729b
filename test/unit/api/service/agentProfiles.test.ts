import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { changeAgent } from '../../../../src/features/start/model/agentProblem';
import { addAgent, MaybeAdded } from '../../../../src/features/managing/model/adding';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { agentCalls, failureOf } from '../support/client';

describe('agent profiles of an agent server', () => {
  let server: AgentServerByItself;
  let calls: AgentServerCalls;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.49.1' });
    server.starts.models.set('default', { model: 'demo/large', hasKey: true });
    calls = await agentCalls(server);
  });
  afterEach(() => server.close());

  const openHands = { agent_kind: 'openhands', llm_profile_ref: 'default' };
  const tries = () => ({ mayHaveStored: false });

  it('are created, used, renamed, and deleted', async () => {
    await addAgent(calls, 'work', openHands, tries());
    await addAgent(calls, 'claude', { agent_kind: 'acp', acp_server: 'claude-code' }, tries());
    const { profiles } = await calls.listAgentProfiles();
    assert.deepEqual(
      profiles.map(({ name, agent_kind: kind }) => [name, kind]),
      [
        ['default', 'openhands'],
        ['work', 'openhands'],
        ['claude', 'acp'],
      ],
    );
    await calls.activateAgentProfile(profiles[1]!.id);
    await calls.renameAgentProfile('work', 'office');
    const after = await calls.listAgentProfiles();
    assert.equal(after.active_agent_profile_id, profiles[1]!.id);
    assert.equal(after.profiles[1]?.name, 'office');
    await calls.deleteAgentProfile('office');
    assert.equal((await calls.listAgentProfiles()).profiles.length, 2);
  });

  it('keep what isn’t changed, since a post resets what it lacks', async () => {
    await calls.addAgentProfile('work', { ...openHands, disabled_skills: ['slow'], secret_refs: ['TOKEN'] });
    const before = await calls.readAgentProfile('work');
    await changeAgent(calls, 'work', { system_message_suffix: 'Write tests.\nKeep it short.' });
    assert.deepEqual(await calls.readAgentProfile('work'), {
      ...before,
      revision: 1,
      system_message_suffix: 'Write tests.\nKeep it short.',
    });
    await changeAgent(calls, 'work', { mcp_server_refs: ['search'] });
    await changeAgent(calls, 'work', { mcp_server_refs: null });
    assert.deepEqual((await calls.readAgentProfile('work'))['secret_refs'], ['TOKEN']);
  });

  it('aren’t replaced by a new one of the same name', async () => {
    await addAgent(calls, 'work', { ...openHands, system_message_suffix: 'Mine.' }, tries());
    await assert.rejects(addAgent(calls, 'work', openHands, tries()), /already one with this name/);
    const lost = { mayHaveStored: true };
    await assert.rejects(addAgent(calls, 'work', openHands, lost), MaybeAdded);
    assert.equal((await calls.readAgentProfile('work'))['system_message_suffix'], 'Mine.');
  });

  it('don’t come back by a change after another client deleted them', async () => {
    await calls.addAgentProfile('work', openHands);
    await calls.deleteAgentProfile('work');
    assert.equal((await failureOf(changeAgent(calls, 'work', { secret_refs: [] }))).status, 404);
    assert.deepEqual(
      server.starts.agents.map(({ name }) => name),
      [],
    );
  });

  it('are reported if the server didn’t keep them as they were sent', async () => {
    await calls.addAgentProfile('work', openHands);
    const change = calls.changeAgentProfile('work', { secret_refs: [] });
    assert.equal(await change, true);
    const other = { changeAgentProfile: () => Promise.resolve(false) };
    await assert.rejects(changeAgent(other, 'work', { secret_refs: [] }), /didn’t keep the change/);
  });

  it('are checked with all that they name', async () => {
    await calls.addAgentProfile('work', { ...openHands, mcp_server_refs: ['gone'] });
    const { isValid, missingServers } = await calls.checkAgentProfile('work');
    assert.deepEqual([isValid, missingServers], [false, ['gone']]);
    assert.deepEqual(await calls.listServerNames(), []);
  });

  for (const name of ['', '.', '..', '.hidden', 'a/b', 'a b', 'x'.repeat(65), '-x'])
    it(`aren’t sent under the name ${JSON.stringify(name.slice(0, 10))}`, async () => {
      assert.equal((await failureOf(calls.addAgentProfile(name, openHands))).reason, 'badId');
      assert.equal((await failureOf(calls.renameAgentProfile('default', name))).reason, 'badId');
    });
});
