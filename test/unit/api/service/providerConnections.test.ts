import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { addProvider, MaybeAdded } from '../../../../src/features/managing/model/adding';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { agentCalls, failureOf } from '../support/client';

describe('provider connections of an agent server', () => {
  let server: AgentServerByItself;
  let calls: AgentServerCalls;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.49.1' });
    calls = await agentCalls(server);
  });
  afterEach(() => server.close());

  const work = { name: 'work', provider: 'anthropic', key: 'first-key', baseUrl: '' };
  const stored = () => server.starts.providers;

  it('are added, get another key, and are deleted; no key ever comes back', async () => {
    await addProvider(calls, work, { mayHaveStored: false });
    const [listed] = (await calls.listProviders()) ?? [];
    assert.deepEqual(
      [listed?.display_name, listed?.provider, listed?.api_key_set],
      ['work', 'anthropic', true],
    );
    assert.doesNotMatch(JSON.stringify(listed), /first-key/);
    await calls.replaceProviderKey(listed!.id, 'second-key');
    assert.deepEqual(
      stored().map(({ name, key }) => [name, key]),
      [['work', 'second-key']],
    );
    await calls.deleteProvider(listed!.id);
    assert.deepEqual(await calls.listProviders(), []);
  });

  it('aren’t added twice, also after an answer was lost', async () => {
    await addProvider(calls, work, { mayHaveStored: false });
    await assert.rejects(addProvider(calls, work, { mayHaveStored: false }), /already one with this name/);
    await assert.rejects(addProvider(calls, work, { mayHaveStored: true }), MaybeAdded);
    assert.equal(stored().length, 1);
  });

  for (const key of ['', '  ', '**********', ' ********** '])
    it(`never get ${JSON.stringify(key)} as their key (0.6: a mask or nothing)`, async () => {
      await calls.addProvider(work);
      const [held] = stored();
      assert.equal((await failureOf(calls.addProvider({ ...work, key }))).reason, 'invalid');
      assert.equal((await failureOf(calls.replaceProviderKey(held!.id, key))).reason, 'invalid');
      assert.deepEqual(
        stored().map((one) => one.key),
        ['first-key'],
      );
    });

  it('aren’t deleted while a model profile uses them', async () => {
    await calls.addProvider(work);
    const [held] = stored();
    const llm = { provider_connection_id: held!.id };
    server.starts.models.set('shared', { model: 'demo/large', hasKey: true, llm });
    assert.equal((await failureOf(calls.deleteProvider(held!.id))).status, 409);
    assert.equal(stored().length, 1);
  });
});
