import assert from 'node:assert/strict';
import type { AgentServerCalls } from '../../../../src/api/service/agentServerStart';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { testClient } from '../support/client';

for (const release of ['1.49.1', '1.58.0'] as const)
  describe(`model profiles of an agent server (${release})`, () => {
    let server: AgentServerByItself;
    let calls: AgentServerCalls;
    let seen: string[];

    beforeEach(async () => {
      seen = [];
      server = await startAgentServer({ release });
      const { client } = testClient(server.url, {
        sessionKey: server.sessionKey,
        fetch: async (input, init) => {
          const answer = await fetch(input, init);
          seen.push(await answer.clone().text());
          return answer;
        },
      });
      await checkConnection(client);
      assert.ok(client.agents);
      calls = client.agents;
      store({ model: 'demo/large', api_key: 'stored-key', temperature: 0.5, aws_secret_access_key: 'aws' });
    });
    afterEach(() => server.close());

    const store = (llm: Record<string, unknown>) =>
      server.starts.models.set('work', { model: String(llm['model']), hasKey: true, llm });
    const stored = () => server.starts.models.get('work')?.llm ?? {};
    const model = (was: string, to: string) => calls.changeModelProfile('work', { member: 'model', was, to });

    it('change one member, and keep the key, which is never seen, and everything else', async () => {
      assert.equal(await model('demo/large', 'demo/small'), 'kept');
      const address = 'https://models.example.com/v1';
      const moved = await calls.changeModelProfile('work', { member: 'base_url', was: null, to: address });
      assert.equal(moved, 'kept');
      const { model: name, base_url, api_key, temperature, aws_secret_access_key } = stored();
      assert.deepEqual(
        [name, base_url, api_key, temperature, aws_secret_access_key],
        ['demo/small', address, 'stored-key', 0.5, 'aws'],
      );
      assert.deepEqual(await calls.readModelProfile('work'), { model: 'demo/small', baseUrl: address });
      const back = await calls.changeModelProfile('work', { member: 'base_url', was: address, to: null });
      assert.deepEqual([back, stored()['base_url']], ['kept', null]);
      assert.doesNotMatch(seen.join(), /stored-key/);
    });

    it('say which meta profile chooses among them, if any', async () => {
      assert.equal((await calls.activeMetaProfile()) ?? null, null);
      server.starts.metaProfile = 'router';
      assert.equal(await calls.activeMetaProfile(), release === '1.58.0' ? 'router' : undefined);
    });

    it('get another key, and lose it only when that’s meant', async () => {
      assert.equal(await calls.changeModelProfile('work', { member: 'api_key', to: 'typed-key' }), 'kept');
      assert.deepEqual([stored()['api_key'], stored()['temperature']], ['typed-key', 0.5]);
      assert.equal(await calls.changeModelProfile('work', { member: 'api_key', to: null }), 'kept');
      assert.deepEqual([stored()['api_key'], stored()['model']], [null, 'demo/large']);
    });

    it('keep what another client has changed since, and aren’t changed where it changed the same', async () => {
      store({ ...stored(), temperature: 0.9, api_key: 'their-key' });
      assert.equal(await model('demo/large', 'demo/small'), 'kept');
      assert.deepEqual([stored()['temperature'], stored()['api_key']], [0.9, 'their-key']);
      const before = structuredClone(stored());
      assert.equal(await model('demo/large', 'demo/other'), 'elsewhere');
      assert.deepEqual(stored(), before);
    });

    it('aren’t posted without a key that the server has but can’t read (it would be wiped)', async () => {
      Object.assign(server.starts.models.get('work') ?? {}, { isUnreadable: true });
      assert.equal(await model('demo/large', 'demo/small'), 'unreadable');
      assert.deepEqual([stored()['model'], stored()['api_key']], ['demo/large', 'stored-key']);
      assert.equal(await calls.changeModelProfile('work', { member: 'api_key', to: 'new-key' }), 'kept');
      assert.equal(stored()['api_key'], 'new-key');
    });

    it('with a provider connection keep it, and get no key or address of their own', async () => {
      store({ model: 'demo/large', provider_connection_id: 'p1' });
      const key = { member: 'api_key', to: 'typed-key' } as const;
      assert.equal(await calls.changeModelProfile('work', key), 'elsewhere');
      assert.equal(await model('demo/large', 'demo/small'), 'kept');
      const { profiles } = await calls.listModelProfiles();
      const listed = profiles.find(({ name }) => name === 'work');
      assert.deepEqual(
        [listed?.model, listed?.api_key_set, listed?.provider_connection_id],
        ['demo/small', true, 'p1'],
      );
    });

    it('are checked with the key that they have, whose value isn’t quoted', async () => {
      assert.deepEqual(await calls.checkModelProfile('work'), { isSupported: true, problem: undefined });
      await model('demo/large', 'openai/other');
      const { problem } = await calls.checkModelProfile('work');
      assert.match(problem ?? '', /^Invalid API key/);
      assert.doesNotMatch(problem ?? '', /stored-key/);
      server.starts.checksNoModels = true;
      assert.deepEqual(await calls.checkModelProfile('work'), { isSupported: false, problem: undefined });
    });
  });
