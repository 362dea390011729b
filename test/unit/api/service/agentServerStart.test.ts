import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import type { AgentServerCalls, AgentStart } from '../../../../src/api/service/agentServerStart';
import { canReplaceModel } from '../../../../src/api/service/agentServerStart';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import type { Release } from '../../../service/agent/release';
import { failureOf, testClient } from '../support/client';

describe('starting on a standalone agent server', () => {
  let server: AgentServerByItself;
  let calls: AgentServerCalls;
  let agentProfileId: string;
  afterEach(() => server.close());

  async function connect(release: Release, { hasModel = true } = {}) {
    server = await startAgentServer({ release });
    if (hasModel) server.starts.models.set('default', { model: 'demo/large', hasKey: true });
    const { client } = testClient(server.url, { sessionKey: server.sessionKey, known: 'agentServer' });
    await checkConnection(client);
    assert.ok(client.agents);
    calls = client.agents;
    agentProfileId = (await calls.listAgentProfiles()).active_agent_profile_id ?? '';
    return client;
  }
  const aStart = (more: Partial<AgentStart> = {}): AgentStart => ({
    conversationId: randomUUID(),
    folder: '/workspace/shop',
    isWorktree: false,
    agentProfileId,
    message: 'Fix the slug.',
    ...more,
  });
  const lastBody = () => server.starts.bodies.at(-1) ?? {};

  for (const release of ['1.49.1', '1.58.0'] as const) {
    it(`reads what there is to choose from (${release})`, async () => {
      await connect(release);
      server.starts.workspaces.push({ id: '/workspace/shop', name: 'shop', path: '/workspace/shop' });
      server.starts.models.set('small', { model: 'demo/small', hasKey: false });
      const about = await calls.about();
      assert.deepEqual([about.release, canReplaceModel(about)], [release, release === '1.58.0']);
      const { profiles } = await calls.listAgentProfiles();
      assert.deepEqual(
        profiles.map(({ id, name, llm_profile_ref: model }) => [id, name, model]),
        [[agentProfileId, 'default', 'default']],
      );
      const models = (await calls.listModelProfiles()).profiles;
      assert.deepEqual(
        models.map(({ name, api_key_set: hasKey }) => [name, hasKey]),
        [
          ['default', true],
          ['small', false],
        ],
      );
      assert.deepEqual(
        (await calls.listWorkspaces()).map(({ path }) => path),
        ['/workspace/shop'],
      );
      assert.equal(await calls.homeFolder(), '/workspace');
    });

    it(`saves a folder once, and removes it (${release})`, async () => {
      await connect(release);
      const shop = { name: 'shop', path: '/workspace/shop & co' };
      await calls.addWorkspace(shop);
      await calls.addWorkspace({ ...shop, name: 'other' });
      assert.deepEqual(await calls.listWorkspaces(), [shop]);
      await calls.removeWorkspace(shop.path);
      await calls.removeWorkspace(shop.path);
      assert.deepEqual(await calls.listWorkspaces(), []);
    });

    it(`hazard 0.3: sends policy, iterations and custom secrets each time, which a start ignores (${release})`, async () => {
      await connect(release);
      const { starts } = server;
      starts.secrets.set('DEPLOY_TOKEN', { value: 'canary-value', description: 'For staging' });
      starts.secrets.set('OPENHANDS_AUTOMATION_API_KEY', { value: server.sessionKey, description: null });
      const settings = { confirmation_mode: true, max_iterations: 42 };
      for (const [analyzer, policy, judge] of [
        ['llm', { kind: 'ConfirmRisky', threshold: 'HIGH', confirm_unknown: true }, 'LLMSecurityAnalyzer'],
        ['none', { kind: 'AlwaysConfirm' }, undefined],
        [null, { kind: 'AlwaysConfirm' }, undefined],
      ] as const) {
        starts.conversationSettings = { ...settings, security_analyzer: analyzer };
        await calls.start(aStart());
        const body = lastBody();
        assert.deepEqual(body['confirmation_policy'], policy);
        assert.equal((body['security_analyzer'] as { kind?: string } | null)?.kind, judge);
        assert.equal(body['max_iterations'], 42);
        assert.deepEqual(body['secrets'], {
          DEPLOY_TOKEN: {
            kind: 'LookupSecret',
            url: '/api/settings/secrets/DEPLOY_TOKEN',
            headers: { 'X-Session-API-Key': server.sessionKey },
            description: 'For staging',
          },
        });
      }
      assert.ok(!server.asked.some((path) => path.startsWith('/api/settings/secrets/')));
      starts.conversationSettings = { ...settings, confirmation_mode: false };
      await calls.start(aStart());
      assert.deepEqual(lastBody()['confirmation_policy'], { kind: 'NeverConfirm' });
      await calls.start(aStart({ policy: 'riskyLow' }));
      assert.equal((lastBody()['security_analyzer'] as { kind: string }).kind, 'LLMSecurityAnalyzer');
    });

    it(`gives an agent only the secrets that were chosen, as far as its profile has them (${release})`, async () => {
      await connect(release);
      const { starts } = server;
      for (const name of ['ONE', 'TWO', 'THREE', 'OPENHANDS_AUTOMATION_API_KEY'])
        starts.secrets.set(name, { value: `canary-${name}`, description: null });
      const names = async (chosen?: string[]) => {
        await calls.start(aStart({ secrets: chosen }));
        return Object.keys(lastBody()['secrets'] as object);
      };
      assert.deepEqual(await calls.listSecretNames(agentProfileId), ['ONE', 'TWO', 'THREE']);
      assert.deepEqual(await names(), ['ONE', 'TWO', 'THREE']);
      assert.deepEqual(await names(['TWO', 'DELETED', 'OPENHANDS_AUTOMATION_API_KEY']), ['TWO']);
      assert.deepEqual(await names([]), []);
      await calls.changeAgentProfile('default', { secret_refs: ['ONE'] });
      assert.deepEqual(await calls.listSecretNames(agentProfileId), ['ONE']);
      assert.deepEqual([await names(), await names(['TWO'])], [['ONE'], []]);
      assert.doesNotMatch(JSON.stringify(starts.bodies), /canary/);
    });

    it(`starts one conversation however often it’s asked with the same id (${release})`, async () => {
      const client = await connect(release);
      server.starts.unanswered = 1;
      const start = aStart();
      assert.equal((await failureOf(calls.start(start))).outcomeUnknown, true);
      assert.equal(await calls.start(start), start.conversationId);
      const { items } = await client.listConversations();
      assert.deepEqual(
        items.map(({ id }) => id),
        [start.conversationId],
      );
      const agent = [...server.conversations.values()][0];
      assert.equal(agent?.workingDir, '/workspace/shop');
    });

    it(`hazard 0.8: keeps what refusals quote to itself (${release})`, async () => {
      await connect(release);
      // As 1.58.2 answers a wrong type beside a key.
      server.starts.refusal =
        "Value error, 1 validation error for ACPAgentSettings\nllm\n  Not allowed [type=value_error, input_value={'api_key': 'canary-key'}, input_type=dict]";
      const error = await failureOf(calls.start(aStart()));
      assert.equal(error.status, 422);
      assert.match(error.serverText ?? '', /Value error/);
      assert.doesNotMatch(JSON.stringify(error), /canary|input_value/);
    });

    it(`says what is wrong with a profile before a start (${release})`, async () => {
      await connect(release, { hasModel: false });
      const { isValid, errors, hasModel, hasKey } = await calls.checkAgentProfile('default');
      assert.deepEqual([isValid, hasModel, hasKey], [false, false, false]);
      assert.deepEqual(errors, ["LLM profile 'default' not found"]);
      server.starts.models.set('default', { model: 'demo', hasKey: true });
      assert.deepEqual(await calls.checkAgentProfile('default'), {
        isValid: true,
        errors: [],
        hasModel: true,
        hasKey: true,
        missingServers: [],
      });
      assert.equal((await failureOf(calls.checkAgentProfile('other'))).reason, 'notFound');
    });
  }

  it('replaces the model of a profile where the server takes that', async () => {
    const client = await connect('1.58.0');
    server.starts.models.set('small', { model: 'demo/small', hasKey: true });
    const id = await calls.start(aStart({ modelProfile: 'small' }));
    assert.equal((await client.getConversation(id))?.llm_model, 'demo/small');
  });

  it('lists the folders of a folder, page by page, and none of a missing one', async () => {
    await connect('1.58.0');
    for (let at = 0; at < 130; at += 1)
      await calls.start(aStart({ folder: `/workspace/many/${at}`, message: '' }));
    assert.equal((await calls.listFolders('/workspace/many'))?.length, 130);
    assert.equal(await calls.listFolders('/workspace/none'), undefined);
  });

  it('works in a worktree of the folder if asked to', async () => {
    await connect('1.58.0');
    await calls.start(aStart({ isWorktree: true }));
    assert.equal(lastBody()['worktree'], true);
  });

  it('starts with no message and lets the agent wait', async () => {
    await connect('1.58.0');
    await calls.start(aStart({ message: '' }));
    assert.equal('initial_message' in lastBody(), false);
  });
});
