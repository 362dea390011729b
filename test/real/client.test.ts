import assert from 'node:assert/strict';
import { isSettingsNotFound } from '../../src/api/http/errors';
import { createLimiter } from '../../src/api/http/limiter';
import type { RequestEvent } from '../../src/api/http/transport';
import { failureOf } from '../unit/api/support/client';
import { withSandboxes, withSettings } from './support/releases';
import { holdSettings } from './support/settings';
import { itWithout, real, realClient, realSuite } from './support/suite';

const unknown = '00000000-0000-4000-8000-000000000000';

realSuite('client', withSettings, () => {
  beforeEach(() => real().service.forgetSettings());

  it('recognizes a user who never saved', async () => {
    assert.ok(isSettingsNotFound(await failureOf(realClient().getSettings())));
  });

  it('detects a wrong or missing key from the settings', async () => {
    for (const sessionKey of ['wrong', null]) {
      const { reason, status } = await failureOf(realClient({ sessionKey }).getSettings());
      assert.deepEqual([reason, status], ['unauthorized', 401]);
    }
  });

  it('reads back what it posted, except secrets', async () => {
    await holdSettings({ language: 'pt', llm_api_key: 'canary', search_api_key: 'canary' });
    const settings = await realClient().getSettings();
    assert.equal(settings.language, 'pt');
    assert.deepEqual([settings.llm_api_key_set, settings.search_api_key_set], [true, true]);
    assert.doesNotMatch(JSON.stringify(settings), /canary/);
  });

  it('unsets provider tokens when there are none', async () => {
    await holdSettings();
    const client = realClient();
    await client.getSettings();
    await client.unsetProviderTokens();
    assert.deepEqual((await client.getSettings()).provider_tokens_set, {});
  });

  it('reads suggestions for models, agents, and security analyzers', async () => {
    const client = realClient();
    await failureOf(client.getSettings());
    assert.ok((await client.listModels()).length > 10);
    // Later releases have one agent and no list.
    const isFirst = real().release.generation === 'first';
    assert.equal((await client.listAgents()).includes('CodeActAgent'), isFirst);
    assert.ok((await client.listSecurityAnalyzers()).includes('llm'));
  });
});

realSuite('client for lists', withSandboxes, () => {
  // 1.9 and 1.10 answer with errors before the first save.
  before(() => holdSettings());

  it('reads sandbox specs page by page', async () => {
    const client = realClient();
    const first = await client.searchSandboxSpecs({ limit: 1 });
    assert.ok(first.nextPageId !== null);
    const second = await client.searchSandboxSpecs({ limit: 1, pageId: first.nextPageId });
    const ids = [...first.items, ...second.items].map(({ id }) => id);
    assert.equal(ids.length, 2);
    assert.equal(ids[1], 'second-spec:1');
    assert.equal(second.nextPageId, null);
  });

  it('names the release', async () => {
    assert.equal(await realClient().getRelease(), real().release.version);
  });

  it('finds the list of conversations, and remembers where', async () => {
    const asked: string[] = [];
    const client = realClient({ log: ({ method, route }) => asked.push(`${method} ${route}`) });
    await client.listConversations();
    await client.listConversations();
    assert.deepEqual(asked, [
      'GET /api/v1/app-conversations',
      'GET /api/v1/app-conversations/search',
      'GET /api/v1/app-conversations/search',
    ]);
  });

  it('reports a missing start task', async () => {
    assert.equal(await realClient().getStartTask(unknown), null);
  });

  it('reports a missing sandbox', async () => {
    for (const change of ['pauseSandbox', 'resumeSandbox'] as const)
      assert.equal((await failureOf(realClient()[change](unknown))).reason, 'notFound');
  });

  it('reports a conversation that can’t be renamed', async () => {
    const { status } = await failureOf(realClient().renameConversation(unknown, 'A title'));
    assert.ok(status !== undefined && status >= 400);
  });

  itWithout(
    'openLists',
    'this release lets anyone read them',
    'detects a wrong key from the lists',
    async () => {
      const { reason } = await failureOf(realClient({ sessionKey: 'wrong' }).searchSandboxes());
      assert.equal(reason, 'unauthorized');
    },
  );

  it('stays below the service’s rate limit', async function () {
    this.timeout(60_000);
    const events: RequestEvent[] = [];
    const client = realClient({ log: (event) => events.push(event) });
    await Promise.all(Array.from({ length: 30 }, () => client.searchSandboxSpecs()));
    assert.deepEqual([...new Set(events.map(({ status }) => status))], [200]);
  });

  it('waits and retries when others use up the rate limit', async function () {
    this.timeout(60_000);
    const statuses = new Set<number | undefined>();
    const log = ({ status }: RequestEvent) => void statuses.add(status);
    const clients = Array.from({ length: 7 }, () => realClient({ log, limiter: createLimiter() }));
    const pages = clients.flatMap((client) => [1, 2, 3, 4].map(() => client.searchSandboxSpecs()));
    assert.equal((await Promise.all(pages)).length, 28);
    assert.deepEqual([...statuses].sort(), [200, 429]);
  });
});
