import assert from 'node:assert/strict';
import type { FlatClient } from '../../../support/builders/client';
import { checkConnection } from '../../../../src/api/service/connectionCheck';
import { type Generation, ownMemory } from '../../../../src/api/service/generation';
import { listedUsage } from '../../../../src/core/lists/usage';
import { startAgentServer, type AgentServerByItself } from '../../../service/agent/byItself';
import { startService } from '../../../service/service';
import { failureOf, testClient } from '../support/client';
import { type ApiClient } from '../../../../src/api/service/client';
import { closeServers, json, serve } from '../support/servers';

describe('standalone agent server', () => {
  let server: AgentServerByItself;
  let client: FlatClient;
  let generation: () => Generation | undefined;
  beforeEach(async () => {
    server = await startAgentServer({ release: '1.58.0', seed: true });
    ({ client, generation } = testClient(server.url, { sessionKey: server.sessionKey }));
  });
  afterEach(() => server.close());

  it('is connected to, and names its release', async () => {
    assert.deepEqual(await checkConnection(client), { kind: 'agentServer', release: '1.58.0' });
    assert.equal(generation(), 'agentServer');
  });

  it('is recognized with any key, by a request that only Connect and a diagnosis make', async () => {
    const { client: stranger, generation: told } = testClient(server.url, { sessionKey: 'wrong' });
    assert.equal((await checkConnection(stranger)).kind, 'refused');
    assert.deepEqual(server.asked, ['/api/settings']);
    assert.equal((await stranger.recognizeAgentServer())?.release, '1.58.0');
    assert.equal(told(), 'agentServer');
  });

  it('keeps tags, and those of others', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    conversation.tags = { clientsource: 'agentcanvas', agentworkspacearchived: 'yes' };
    assert.equal(await client.tagConversation(conversation.id, { agentworkspacepinned: 'yes' }), true);
    assert.deepEqual(conversation.tags, {
      clientsource: 'agentcanvas',
      agentworkspacearchived: 'yes',
      agentworkspacepinned: 'yes',
    });
    const { items } = await client.listConversations();
    const tags = items.find(({ id }) => id === conversation.id)?.tags;
    assert.deepEqual(tags, { agentworkspacearchived: 'yes', agentworkspacepinned: 'yes' }, 'only its own');
    assert.equal(await client.tagConversation(conversation.id, { agentworkspacearchived: null }), true);
    assert.deepEqual(Object.keys(conversation.tags), ['clientsource', 'agentworkspacepinned']);
  });

  it('loses no tag that two clients change at once', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    const theirs = { agentworkspacearchived: 'yes', clientsource: 'agentcanvas' };
    let tags: unknown = {};
    let writes = 0;
    Object.defineProperty(conversation, 'tags', {
      get: () => tags,
      set: (written: unknown) => {
        writes += 1;
        // The other client read before this write, and writes right after it.
        tags = writes === 1 ? theirs : written;
      },
    });
    assert.equal(await client.tagConversation(conversation.id, { agentworkspacepinned: 'yes' }), true);
    assert.deepEqual([tags, writes], [{ ...theirs, agentworkspacepinned: 'yes' }, 2]);
  });

  it('gets tags again that another client undid with an older reading, but not those undone on purpose', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    const pinned = { agentworkspacepinned: 'yes' };
    conversation.tags = { clientsource: 'agentcanvas' };
    assert.equal(await client.tagConversation(conversation.id, pinned), true);
    conversation.tags = { clientsource: 'agentcanvas', agentworkspacearchived: 'yes' };
    assert.equal(await client.settleTags(conversation.id), 'restored');
    assert.deepEqual(conversation.tags, {
      ...{ clientsource: 'agentcanvas', agentworkspacearchived: 'yes' },
      ...pinned,
    });

    assert.equal(await client.tagConversation(conversation.id, { agentworkspacearchived: null }), true);
    conversation.tags = { clientsource: 'agentcanvas', agentworkspacearchived: 'yes', ...pinned };
    assert.equal(await client.settleTags(conversation.id), 'kept');
    assert.deepEqual(Object.keys(conversation.tags).length, 3);
    const asked = server.asked.length;
    assert.equal(await client.settleTags(conversation.id), 'kept');
    assert.equal(server.asked.length, asked, 'nothing is left to settle');
  });

  it('gets tags from what is there now when it refuses a try for now', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    conversation.tags = {};
    let isRefused = true;
    const fetching: typeof fetch = (url, init) => {
      if (init?.method !== 'PATCH' || !isRefused) return fetch(url, init);
      isRefused = false;
      conversation.tags = { agentworkspacearchived: 'yes' };
      return Promise.resolve(new Response('{}', { status: 429 }));
    };
    const { url, sessionKey } = server;
    const { client: limited } = testClient(url, { sessionKey, known: 'agentServer', fetch: fetching });
    assert.equal(await limited.tagConversation(conversation.id, { agentworkspacepinned: 'yes' }), true);
    assert.deepEqual(conversation.tags, { agentworkspacearchived: 'yes', agentworkspacepinned: 'yes' });
  });

  it('isn’t believed to keep tags that it doesn’t', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    Object.defineProperty(conversation, 'tags', { get: () => ({ theirs: 'x' }), set: () => undefined });
    assert.equal(await client.tagConversation(conversation.id, { agentworkspacepinned: 'yes' }), false);
  });

  it('isn’t mistaken for a service', async () => {
    // What 0.60 to 1.6 answer at the same route.
    const { origin } = await serve((_request, response) =>
      json(response, { uptime: 1, idle_time: 0, resources: {} }),
    );
    const { client: other, generation: told } = testClient(origin);
    assert.equal(await other.recognizeAgentServer(), undefined);
    assert.equal(told(), undefined);
    await closeServers();
  });

  it('lists its conversations page by page, each with the way to its agent', async () => {
    await checkConnection(client);
    const ids: string[] = [];
    for (let pageId: string | undefined; ;) {
      const page = await client.listConversations({ pageId, limit: 2, titleContains: 'x' });
      assert.ok(page.items.length <= 2);
      for (const one of page.items) {
        ids.push(one.id);
        assert.ok(one.conversation_url?.startsWith(`${server.url}/api/conversations/`));
        assert.equal(one.session_api_key, server.sessionKey);
        assert.ok(one.created_at && one.execution_status);
        assert.equal(one.llm_model, 'demo');
      }
      if (page.nextPageId === null) break;
      pageId = page.nextPageId;
    }
    assert.deepEqual(new Set(ids).size, server.conversations.size);
  });

  it('says what the container of a conversation does, unless it’s there', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    const read = async () => (await client.getConversation(conversation.id))?.container;
    assert.equal(await read(), null);
    for (const [container, expected] of [
      ['available', null],
      ['missing', 'paused'],
      ['archived', 'archived'],
      ['starting', 'starting'],
      ['error', 'error'],
    ] as const) {
      conversation.container = container;
      assert.equal(await read(), expected);
    }
    // States of later releases say nothing that a row could show.
    Object.assign(conversation, { container: 'hibernating' });
    assert.equal(await read(), null);
  });

  it('takes no agent for working whose container is paused', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    conversation.container = 'missing';
    for (const [status, expected] of [
      ['running', 'paused'],
      ['waiting_for_confirmation', 'waiting_for_confirmation'],
      ['finished', 'finished'],
    ] as const) {
      conversation.status = status;
      assert.equal((await client.getConversation(conversation.id))?.execution_status, expected);
    }
  });

  it('says what all models of a conversation have used together, and takes nothing odd for a number', async () => {
    await checkConnection(client);
    const [conversation] = server.conversations.values();
    assert.ok(conversation);
    const used = async (...every: unknown[]) => {
      const value = { usage_to_metrics: Object.fromEntries(every.map((one, at) => [`profile:${at}`, one])) };
      Object.defineProperty(conversation, 'stats', { value, configurable: true });
      return listedUsage((await client.getConversation(conversation.id)) ?? {});
    };
    const one = (cost: unknown, input: unknown, output: unknown) => ({
      accumulated_cost: cost,
      accumulated_token_usage: { prompt_tokens: input, completion_tokens: output },
    });
    assert.deepEqual(await used(one(1, 2, 3), one(0.5, 20, 30), {}), { cost: 1.5, input: 22, output: 33 });
    const nothing = { cost: undefined, input: undefined, output: undefined };
    assert.deepEqual(await used(), nothing);
    assert.deepEqual(await used(one('1', null, {})), nothing);
    assert.deepEqual(await used(one(5, 5, 5), one(-1, 0, 1)), { cost: undefined, input: 5, output: 6 });
  });

  it('never asks for more than 100 at once, which it refuses', async () => {
    await checkConnection(client);
    assert.ok((await client.listConversations({ limit: 500 })).items.length > 0);
  });

  it('keeps nothing of its agents’ secrets', async () => {
    await checkConnection(client);
    const { items } = await client.listConversations();
    assert.doesNotMatch(JSON.stringify(items), /canary/);
    assert.doesNotMatch(JSON.stringify(await client.getConversation(items[0]!.id)), /canary/);
  });

  it('finds, renames, and deletes a conversation', async () => {
    await checkConnection(client);
    const [first] = (await client.listConversations()).items;
    assert.ok(first);
    await client.renameConversation(first.id, 'Another name');
    assert.equal((await client.getConversation(first.id))?.title, 'Another name');
    await client.deleteConversation(first.id, true);
    assert.equal(await client.getConversation(first.id), null);
  });

  it('has no sandboxes, and is asked nothing that only a service has', async () => {
    await checkConnection(client);
    const before = server.asked.length;
    const { sandboxes, events, repositories, conversationPageUrl } = client as ApiClient;
    assert.deepEqual(
      [sandboxes, events, repositories, conversationPageUrl],
      [undefined, undefined, undefined, undefined],
    );
    for (const call of [
      () => client.unsetProviderTokens(),
      () => client.describeSecret('TOKEN', 'Another description'),
    ])
      assert.equal((await failureOf(call())).reason, 'agentServer');
    assert.deepEqual(server.asked.slice(before), []);
  });

  it('hazard: never asks for the value of a secret', async () => {
    await checkConnection(client);
    server.starts.secrets.set('TOKEN', { value: 'value', description: null });
    const calls = [
      client.listSecrets(),
      client.getSettings(undefined, true),
      client.listConversations(),
      client.getSettings(),
      client.listModels(),
    ];
    await Promise.allSettled(calls);
    assert.ok(server.asked.every((path) => !path.includes('secrets/')));
    assert.ok(server.asked.includes('/api/settings/secrets'));
  });

  it('is no longer mistaken for one when a service has its address', async () => {
    const service = await startService({ profile: 'current', seed: 'lifelike' });
    const generations = ownMemory();
    const { client: later } = testClient(service.url, { sessionKey: service.sessionKey, generations });
    generations.set(service.url, 'agentServer');
    assert.equal((await checkConnection(later)).kind, 'ok');
    assert.ok((await later.searchSandboxes()).items.length > 0);
    await service.close();
  });
});
