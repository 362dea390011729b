import assert from 'node:assert/strict';
import type { ApiError } from '../../../../src/api/http/errors';
import { pagesOf } from '../../../../src/api/page';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

const list = '/api/v1/app-conversations';

describe('path of the conversation list', () => {
  afterEach(closeServers);

  for (const status of [404, 405, 422]) {
    it(`stays /search after ${status} for the life of the client`, async () => {
      const server = await serve((request, response) => {
        if (request.url!.startsWith(`${list}/search`)) json(response, [{ id: 'a' }]);
        else json(response, { detail: 'no' }, status);
      });
      const { client } = testClient(server.origin);
      assert.equal((await client.listConversations()).items.length, 1);
      await client.listConversations({ pageId: '2' });
      await testClient(server.origin).client.listConversations();
      assert.deepEqual(
        server.requests.map(({ url }) => url),
        [list, `${list}/search`, `${list}/search?page_id=2`, list, `${list}/search`],
      );
    });
  }

  for (const status of [400, 401, 403]) {
    it(`stays unknown after ${status}`, async () => {
      const server = await serve((_request, response) => json(response, {}, status));
      assert.equal((await failureOf(testClient(server.origin).client.listConversations())).status, status);
      assert.equal(server.requests.length, 1);
    });
  }

  it('stays unknown and reports the error when /search fails', async () => {
    const server = await serve((request, response) => json(response, {}, request.url === list ? 422 : 403));
    const { client } = testClient(server.origin);
    assert.equal((await failureOf(client.listConversations())).status, 403);
    assert.equal((await failureOf(client.listConversations())).status, 403);
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      [list, `${list}/search`, list, `${list}/search`],
    );
  });

  it('reports the error of the specified path when both are missing', async () => {
    const server = await serve((request, response) => json(response, {}, request.url === list ? 422 : 404));
    assert.equal((await failureOf(testClient(server.origin).client.listConversations())).status, 422);
  });

  it('stops when a page names itself as the next page', async () => {
    const server = await serve((_request, response) =>
      json(response, { items: [{ id: 'a' }], next_page_id: '2' }),
    );
    const { client } = testClient(server.origin);
    assert.deepEqual(await client.listConversations(), { items: [{ id: 'a' }], nextPageId: '2' });
    const { nextPageId, skipped } = await client.listConversations({ pageId: '2' });
    assert.deepEqual([nextPageId, skipped], [null, 1]);
  });

  it('takes a next page that isn’t named by text for no end of the list', async () => {
    let next: unknown;
    const server = await serve((_request, response) =>
      json(response, { items: [{ id: 'a' }], next_page_id: next }),
    );
    const { client } = testClient(server.origin);
    const ends: unknown[] = [];
    for (next of [2, 0, null, undefined, '']) ends.push((await client.listConversations()).nextPageId);
    assert.deepEqual(ends, ['2', '0', null, null, null]);
    for (next of [true, ['2'], { id: '2' }])
      assert.equal((await failureOf(client.listConversations())).reason, 'badShape', JSON.stringify(next));
  });
});

describe('renaming a conversation', () => {
  afterEach(closeServers);
  const requests = (server: Awaited<ReturnType<typeof serve>>) =>
    server.requests.map(({ method, url }) => `${method} ${url}`);

  it('uses the legacy path', async () => {
    const server = await serve((_request, response) => json(response, true));
    await testClient(server.origin).client.renameConversation('a b', 'New');
    assert.deepEqual(requests(server), ['PATCH /api/conversations/a%20b']);
  });

  for (const status of [404, 405]) {
    it(`uses the newer path after ${status}`, async () => {
      const server = await serve((request, response) =>
        json(response, {}, request.url?.startsWith(list) ? 200 : status),
      );
      await testClient(server.origin).client.renameConversation('a', 'New');
      assert.deepEqual(requests(server), ['PATCH /api/conversations/a', `PATCH ${list}/a`]);
    });
  }

  it('returns the title in the service’s answer, if any', async () => {
    const cases: [unknown, string | undefined][] = [
      [{ id: 'a', title: 'Old' }, 'Old'],
      [{ title: 'New' }, 'New'],
      ...[true, {}, { title: null }, { title: 5 }, [], 'New'].map((body): [unknown, undefined] => [
        body,
        undefined,
      ]),
    ];
    for (const [body, title] of cases) {
      const server = await serve((_request, response) => json(response, body));
      assert.equal(await testClient(server.origin).client.renameConversation('a', 'New'), title);
    }
  });

  it('does not retry and reports an unknown outcome when the response is lost', async () => {
    const server = await serve((_request, response) => response.destroy());
    const error = await failureOf(testClient(server.origin).client.renameConversation('a', 'New'));
    assert.equal(error.outcomeUnknown, true);
    assert.equal(server.requests.length, 1);
  });
});

describe('response to a new conversation', () => {
  afterEach(closeServers);

  for (const [name, answer, kind] of [
    ['a task by its request', { id: 'a', request: {} }, 'task'],
    ['a task by its conversation', { id: 'a', app_conversation_id: null, status: 'NEW_STATE' }, 'task'],
    ['a task by its status', { id: 'a', status: 'WAITING_FOR_SANDBOX' }, 'task'],
    ['a conversation', { id: 'a', title: 'T', sandbox_id: 's' }, 'conversation'],
    ['a conversation with a status of its own', { id: 'a', status: 'RUNNING' }, 'conversation'],
  ] as const) {
    it(`recognizes ${name}`, async () => {
      const server = await serve((_request, response) => json(response, answer));
      const created = await testClient(server.origin).client.createConversation({});
      assert.equal(created.kind, kind);
      assert.equal(created.kind === 'task' ? created.task.id : created.conversation.id, 'a');
    });
  }

  for (const answer of [null, [], 'x', {}, { id: 7 }, { request: {} }]) {
    it(`rejects ${JSON.stringify(answer)}`, async () => {
      const server = await serve((_request, response) => json(response, answer));
      const error = await failureOf(testClient(server.origin).client.createConversation({}));
      assert.deepEqual([error.reason, error.outcomeUnknown], ['badShape', true]);
    });
  }

  it('finds the task in a list, in a page, and by a differently formatted ID', async () => {
    const id = '0f8fad5b-d9cb-469f-a165-70867728950e';
    for (const answer of [
      [null, { id, status: 'READY' }],
      { items: [{ id: 'other' }, { id, status: 'READY' }] },
      [{ id: id.replaceAll('-', '').toUpperCase(), status: 'READY' }],
    ]) {
      const server = await serve((_request, response) => json(response, answer));
      assert.equal((await testClient(server.origin).client.getStartTask(id))?.status, 'READY');
      assert.equal(server.requests[0]?.url, `${list}/start-tasks?ids=${id}`);
    }
    for (const answer of [[], [null], { items: [] }, [{ id: 'other' }]]) {
      const server = await serve((_request, response) => json(response, answer));
      assert.equal(await testClient(server.origin).client.getStartTask(id), null);
    }
  });
});

describe('what a list in pages may have', () => {
  afterEach(closeServers);

  it('isn’t taken for missing if the pages never end', async () => {
    for (const next of [
      ['2', '3', '2'],
      ['2', '3', '4', '3'],
      ['2', ''],
    ]) {
      let page = 0;
      const server = await serve((_request, response) => {
        json(response, { items: [{ id: `other-${page}` }], next_page_id: next[page % next.length] ?? 'x' });
        page += 1;
      });
      const { client } = testClient(server.origin);
      const found = client.getConversation('wanted').then(
        (conversation) => conversation,
        (error: unknown) => (error as ApiError).reason,
      );
      assert.equal(await found, next.includes('') ? null : 'badShape', next.join());
      assert.ok(server.requests.length <= 5);
    }
  });

  it('is read to the end, within a bound', async () => {
    const read = (size: number) => (pageId: string | undefined) => {
      const number = Number(pageId ?? 1);
      return Promise.resolve({ items: [number], nextPageId: number < size ? `${number + 1}` : null });
    };
    const all = async (size: number) => {
      const items: number[] = [];
      for await (const page of pagesOf('/list', read(size))) items.push(...page.items);
      return items.length;
    };
    assert.deepEqual([await all(1), await all(500)], [1, 500]);
    assert.equal((await failureOf(all(501))).reason, 'badShape');
  });
});

describe('suggestions', () => {
  afterEach(closeServers);

  it('keeps the strings of a list', async () => {
    const server = await serve((_request, response) => json(response, ['a', 7, null, 'b']));
    assert.deepEqual(await testClient(server.origin).client.listModels(), ['a', 'b']);
  });

  it('rejects anything but a list', async () => {
    const server = await serve((_request, response) => json(response, { models: [] }));
    assert.equal((await failureOf(testClient(server.origin).client.listAgents())).reason, 'badShape');
  });
});
