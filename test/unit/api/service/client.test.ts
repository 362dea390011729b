import assert from 'node:assert/strict';
import { type ReferenceService, startService } from '../../../service/service';
import type { FlatClient } from '../../../support/builders/client';
import { isSettingsNotFound } from '../../../../src/api/http/errors';
import type { RequestEvent } from '../../../../src/api/http/transport';
import { failureOf, testClient } from '../support/client';

/** The requests, as "GET /path?query". */
const asked = (service: ReferenceService) => service.requests.map(({ method, url }) => `${method} ${url}`);

for (const profile of ['documented', 'observed'] as const) {
  describe(`endpoints of the ${profile} service`, () => {
    let service: ReferenceService;
    let client: FlatClient;
    let events: RequestEvent[];

    before(async () => {
      service = await startService({ profile, seed: 'lifelike' });
    });
    beforeEach(() => {
      service.reset();
      const { url: baseUrl, sessionKey } = service;
      ({ client, events } = testClient(baseUrl, { sessionKey }));
    });
    afterEach(() => {
      assert.deepEqual(service.violations, []);
      assert.ok(events.every(({ skipped }) => skipped === 0));
    });
    after(() => service.close());

    it('reads the settings', async () => {
      const settings = await client.getSettings();
      assert.equal(settings.llm_model, 'anthropic/claude-sonnet-4-5-20250929');
      assert.deepEqual([settings.max_iterations, settings.max_budget_per_task], [150, 7.5]);
      assert.deepEqual([settings.llm_api_key ?? null, settings.llm_api_key_set], [null, true]);
      assert.deepEqual(settings.provider_tokens_set, { github: null });
      assert.deepEqual(
        settings.mcp_config?.stdio_servers?.map(({ name }) => name),
        ['fetch', 'postgres-readonly'],
      );
      assert.equal(settings.mcp_config.shttp_servers?.[0]?.timeout, 120);
    });

    it('saves the settings', async () => {
      const { llm_api_key: _key, secrets_store: _store, ...read } = await client.getSettings();
      const { llm_api_key_set: _1, search_api_key_set: _2, provider_tokens_set: _3, ...rest } = read;
      const body = { ...rest, email: read.email, language: 'de', llm_api_key: 'sk-new' } as Parameters<
        FlatClient['postSettings']
      >[0];
      await client.postSettings(body);
      const { settings } = service.state;
      assert.deepEqual(
        [settings?.language, settings?.llm_api_key, settings?.agent, settings?.max_iterations],
        ['de', 'sk-new', 'CodeActAgent', 150],
      );
    });

    it('stores git provider tokens', async () => {
      await client.addGitProviders({
        provider_tokens: {
          github: { token: '', host: null },
          gitlab: { token: 'glpat-1', host: 'git.example.com' },
        },
      });
      const { github, gitlab } = service.state.providerTokens;
      assert.equal(github!.token, 'ghp_seedGithubToken0001');
      assert.deepEqual([gitlab?.token, gitlab?.host], ['glpat-1', 'git.example.com']);
    });

    it('lists sandboxes and specs', async () => {
      const sandboxes = await client.searchSandboxes();
      assert.equal(sandboxes.items.length, service.state.sandboxes.size);
      assert.ok(sandboxes.items.every(({ id, status }) => id && status));
      const specs = await client.searchSandboxSpecs();
      assert.deepEqual(new Set(specs.items.map(({ id }) => id)), new Set(service.state.specs.keys()));
    });

    it('starts, pauses and resumes a sandbox', async () => {
      const [, spec] = [...service.state.specs.keys()];
      assert.ok(spec!.includes('/'));
      const started = await client.startSandbox(spec);
      assert.equal(service.state.sandboxes.get(started.id)?.sandbox_spec_id, spec);
      assert.ok((await client.startSandbox()).id);
      const running = [...service.state.sandboxes.values()].find(({ status }) => status === 'RUNNING')!;
      await client.pauseSandbox(running.id);
      const paused = [...service.state.sandboxes.values()].find(({ status }) => status === 'PAUSED')!;
      await client.resumeSandbox(paused.id);
      assert.deepEqual(asked(service).slice(-2), [
        `POST /api/v1/sandboxes/${running.id}/pause`,
        `POST /api/v1/sandboxes/${paused.id}/resume`,
      ]);
      const error = await failureOf(client.pauseSandbox('nobody'));
      assert.deepEqual([error.reason, error.status], ['notFound', 404]);
      assert.ok(error.serverText);
    });

    it('lists conversations and remembers the path', async () => {
      const first = await client.listConversations({ limit: 100, includeSubConversations: true });
      assert.equal(first.items.length, service.state.conversations.size);
      await client.listConversations({ limit: 3 });
      const list = '/api/v1/app-conversations';
      assert.deepEqual(
        asked(service),
        profile === 'documented'
          ? [`GET ${list}?limit=100&include_sub_conversations=true`, `GET ${list}?limit=3`]
          : [
              `GET ${list}?limit=100&include_sub_conversations=true`,
              `GET ${list}/search?limit=100&include_sub_conversations=true`,
              `GET ${list}/search?limit=3`,
            ],
      );
    });

    it('starts a conversation', async () => {
      const { id: sandbox_id } = [...service.state.sandboxes.values()].find(
        ({ status }) => status === 'RUNNING',
      )!;
      const created = await client.createConversation({
        sandbox_id,
        title: 'Fix it',
        selected_repository: 'acme/web',
        selected_branch: 'main',
        git_provider: 'github',
        initial_message: { role: 'user', content: [{ type: 'text', text: 'Please.' }] },
      });
      if (profile === 'documented') {
        assert.ok(created.kind === 'conversation');
        assert.equal(service.state.conversations.get(created.conversation.id)?.title, 'Fix it');
        return;
      }
      assert.ok(created.kind === 'task');
      const task = await client.getStartTask(created.task.id);
      assert.equal(task?.id, created.task.id);
      assert.equal(await client.getStartTask('f'.repeat(32)), null);
    });

    if (profile === 'documented') {
      it('reports missing resources', async () => {
        for (const call of [client.listModels(), client.unsetProviderTokens(), client.getStartTask('a')]) {
          assert.equal((await failureOf(call)).reason, 'notFound');
        }
      });
      return;
    }

    it('reads the suggestions', async () => {
      for (const list of [
        await client.listModels(),
        await client.listAgents(),
        await client.listSecurityAnalyzers(),
      ]) {
        assert.ok(list.length > 0 && list.every((each) => typeof each === 'string'));
      }
    });

    it('deletes all git provider tokens', async () => {
      await client.unsetProviderTokens();
      assert.deepEqual((await client.getSettings()).provider_tokens_set, {});
    });

    it('recognizes a user who has never saved settings', async () => {
      service.state.settings = null;
      assert.equal(isSettingsNotFound(await failureOf(client.getSettings())), true);
    });

    it('requests pages and clamps the limit', async () => {
      service.reset({ sandboxes: 250 });
      const seen = new Set<string>();
      let pageId: string | undefined;
      const sizes: number[] = [];
      do {
        const page = await client.searchSandboxes({ pageId, limit: 1_000 });
        sizes.push(page.items.length);
        for (const { id } of page.items) seen.add(id);
        pageId = page.nextPageId ?? undefined;
      } while (pageId !== undefined);
      assert.deepEqual([sizes, seen.size], [[100, 100, 50], 250]);
      for (const limit of [0, -1, Number.NaN, 0.5]) {
        assert.equal((await client.searchSandboxes({ limit })).items.length, 1);
      }
    });

    it('filters conversations', async () => {
      const [newest] = (await client.listConversations()).items;
      const found = await client.listConversations({ titleContains: newest!.title! });
      assert.ok(found.items.length < service.state.conversations.size);
      const { created_at } = newest!;
      const after = await client.listConversations({ createdAfter: created_at!, limit: 100 });
      const beforeIt = await client.listConversations({ createdBefore: created_at!, limit: 100 });
      assert.ok(after.items.some(({ id }) => id === newest!.id));
      assert.ok(!beforeIt.items.some(({ id }) => id === newest!.id) && beforeIt.items.length > 0);
      await client.listConversations({ updatedAfter: created_at!, updatedBefore: created_at! });
      const { query } = service.requests.at(-1)!;
      assert.deepEqual(query, { updated_at__gte: created_at, updated_at__lt: created_at });
    });

    it('locates the issues of a validation error', async () => {
      const servers = [{ url: 'https://a.example.com', api_key: 'k', timeout: 7 }];
      service.fail({
        path: '/api/settings',
        effect: {
          kind: 'answer',
          status: 422,
          body: {
            detail: [
              { loc: ['body', 'mcp_config', 'shttp_servers', 0, 'url'], msg: 'No', type: 'value_error' },
            ],
          },
        },
      });
      const mcp_config = { sse_servers: [], stdio_servers: [], shttp_servers: servers };
      const error = await failureOf(client.postSettings({ mcp_config }));
      assert.deepEqual(error.issues?.[0]?.loc, ['body', 'mcp_config', 'shttp_servers', 0, 'url']);
    });
  });
}

describe('what a client says that the settings can do', () => {
  for (const profile of ['documented', 'observed', 'current'] as const)
    it(`is what the ${profile} service does`, async () => {
      const service = await startService({ profile, seed: 'lifelike' });
      const { client } = testClient(service.url, { sessionKey: service.sessionKey });
      const { replaces, movesTokens, ...others } = client.abilities(await client.getSettings());

      assert.equal(service.state.settings?.max_iterations, 150);
      await client.postSettings({ language: 'de' });
      const { settings, providerTokens } = service.state;
      assert.deepEqual([settings.language, settings.max_iterations === 150], ['de', !replaces]);

      assert.ok(providerTokens['github']);
      await client.addGitProviders({ provider_tokens: { github: { token: '', host: 'git.example.com' } } });
      assert.equal(service.state.providerTokens['github'] !== undefined, movesTokens);

      const lacks = profile === 'current' ? ['enable_solvability_analysis', 'sandbox_api_key'] : [];
      assert.deepEqual(others, { keepsHidden: false, lacks, testsServers: false, hasProviders: true });
      assert.deepEqual(service.violations, []);
      await service.close();
    });
});
