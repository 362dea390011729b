import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import type { AgentServerCalls, AgentStart } from '../../../../src/api/service/agentServerStart';
import { canReplaceModel } from '../../../../src/api/service/agentServerStart';
import { createClient } from '../../../../src/api/service/client';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { ownMemory } from '../../../../src/api/service/generation';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import type { Release } from '../../../service/agent/release';
import { failureOf, testClient } from '../support/client';

describe('starting on a standalone agent server', () => {
  let server: AgentServerByItself;
  let calls: AgentServerCalls;
  let agentProfileId: string;
  afterEach(() => server.close());

  async function connect(release: Release, { hasModel = true, selectable = false } = {}) {
    server = await startAgentServer({ release, selectable });
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
    for (let at = 0; at < 130; at += 1) await calls.createFolder(`/workspace/many/${at}`);
    assert.equal((await calls.listFolders('/workspace/many'))?.length, 130);
    assert.equal(await calls.listFolders('/workspace/none'), undefined);
  });

  it('works in a worktree of the folder if asked to', async () => {
    await connect('1.58.0');
    await calls.start(aStart({ isWorktree: true }));
    assert.equal(lastBody()['worktree'], true);
  });

  it('says what a worktree begins with only where that’s chosen, or the settings say it', async () => {
    await connect('1.58.0');
    const { files, starts } = server;
    mkdirSync(files.place('/workspace/shop'));
    await files.execute('git init -q -b main && git commit -q --allow-empty -m First', '/workspace/shop', 20);
    const options = async (worktreeBase?: AgentStart['worktreeBase'], isWorktree = true) => {
      await calls.start(aStart({ isWorktree, worktreeBase, message: '' }));
      return lastBody()['worktree_options'];
    };
    assert.equal(await options(), undefined);
    assert.deepEqual(await options({ kind: 'head' }), { base: 'head' });
    assert.deepEqual(await options({ kind: 'ref', ref: 'main' }), { base: 'ref', ref: 'main' });
    const settings = { worktree_base: 'ref', worktree_base_ref: 'main', worktree_branch_prefix: 'agents/' };
    Object.assign(starts.conversationSettings, settings);
    assert.deepEqual(await options(), { base: 'ref', ref: 'main', branch_prefix: 'agents/' });
    assert.deepEqual(await options({ kind: 'defaultBranch' }), {
      base: 'default_branch',
      branch_prefix: 'agents/',
    });
    assert.equal(await options({ kind: 'head' }, false), undefined);
    const unknown = aStart({ isWorktree: true, worktreeBase: { kind: 'ref', ref: 'none' } });
    assert.match((await failureOf(calls.start(unknown))).serverText ?? '', /git worktree add: .*none/);
  });

  it('runs in a container as the settings describe it, where the server offers one', async () => {
    const client = await connect('1.58.0', { selectable: true });
    assert.deepEqual((await calls.about()).runtimes, ['local', 'docker']);
    const { conversationSettings } = server.starts;
    Object.assign(conversationSettings, { container_memory: '4g', container_browser: false });
    const id = await calls.start(aStart({ runtime: 'docker' }));
    const { conversation_runtime: runtime, container } = lastBody();
    assert.deepEqual([runtime, container], ['docker', { memory: '4g', browser: false }]);
    assert.ok(await client.getConversation(id));
    await calls.start(aStart({ runtime: 'local' }));
    assert.deepEqual([lastBody()['conversation_runtime'], lastBody()['container']], ['local', undefined]);
  });

  it('can be paused and resumed with its container, once the server says that it has containers', async () => {
    const client = await connect('1.58.0', { selectable: true });
    const id = await calls.start(aStart({ runtime: 'docker' }));
    const stateOf = async () => (await client.getConversation(id))?.container;
    assert.equal(await stateOf(), null);
    await calls.about();
    assert.equal(await stateOf(), 'running');
    await calls.pauseContainer(id);
    assert.equal(await stateOf(), 'paused');
    await calls.resumeContainer(id);
    assert.equal(await stateOf(), 'running');
    const conversation = [...server.conversations.values()].find((one) => one.container !== undefined);
    assert.ok(conversation);
    conversation.container = 'archived';
    const gone = await failureOf(calls.resumeContainer(id));
    assert.deepEqual([gone.status, gone.serverText?.includes('archived')], [410, true]);
    const local = await calls.start(aStart({ runtime: 'local' }));
    assert.equal((await failureOf(calls.pauseContainer(local))).status, 405);
  });

  it('still knows after a new key that the server has containers', async () => {
    await connect('1.58.0', { selectable: true });
    const id = await calls.start(aStart({ runtime: 'docker' }));
    const generations = ownMemory();
    const withKey = async (sessionKey: string) => {
      const client = createClient({ baseUrl: server.url, sessionKey, generations });
      await checkConnection(client);
      return client;
    };
    await (await withKey(server.sessionKey)).agents?.about();
    const anew = await withKey(server.sessionKey);
    assert.equal((await anew.getConversation(id))?.container, 'running');
  });

  it('hears from a server without containers that it has none', async () => {
    await connect('1.58.0');
    assert.match(
      (await failureOf(calls.start(aStart({ runtime: 'docker' })))).serverText ?? '',
      /only runs local conversations/,
    );
  });

  it('asks an ACP agent for its models, with its secrets by reference', async () => {
    await connect('1.58.0');
    const agent = { id: randomUUID(), name: 'claude' };
    server.starts.agents.push({ ...agent, kind: 'acp', model: '' });
    server.starts.secrets.set('ANTHROPIC_API_KEY', { value: 'canary', description: null });
    assert.deepEqual(await calls.listAgentModels(agent), [
      { id: 'opus', name: 'Opus' },
      { id: 'haiku', name: 'Haiku' },
    ]);
    server.starts.modelsError = { code: 'timeout', detail: 'No answer' };
    assert.equal(await calls.listAgentModels(agent), undefined);
    const id = await calls.start(aStart({ agentProfileId: agent.id, agentModel: 'haiku' }));
    await calls.beginWith(id, 'haiku', true);
    const { models, current } = await calls.listModelsOf(id);
    assert.deepEqual([models.map((one) => one.id), current], [['opus', 'haiku'], 'haiku']);
    const [own] = (await calls.listAgentProfiles()).profiles;
    assert.ok(own);
    assert.equal(await calls.listAgentModels(own), undefined);
  });

  it('knows no models of such an agent on releases that can’t ask it', async () => {
    await connect('1.49.1');
    const agent = { id: randomUUID(), name: 'claude' };
    server.starts.agents.push({ ...agent, kind: 'acp', model: '' });
    assert.equal(await calls.listAgentModels(agent), undefined);
  });

  it('starts with no message and lets the agent wait', async () => {
    await connect('1.58.0');
    await calls.start(aStart({ message: '' }));
    assert.equal('initial_message' in lastBody(), false);
  });
});
