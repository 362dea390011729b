import assert from 'node:assert/strict';
import { failureOf, testClient } from './support/client';
import { closeServers, json, serve } from './support/servers';

const list = '/api/v1/app-conversations';

describe('where conversations are listed', () => {
  afterEach(closeServers);

  for (const status of [404, 405, 422]) {
    it(`is /search after ${status}, until the client is made anew`, async () => {
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

  it('stays unknown when /search fails, which is then what went wrong', async () => {
    const server = await serve((request, response) => json(response, {}, request.url === list ? 422 : 403));
    const { client } = testClient(server.origin);
    assert.equal((await failureOf(client.listConversations())).status, 403);
    assert.equal((await failureOf(client.listConversations())).status, 403);
    assert.deepEqual(
      server.requests.map(({ url }) => url),
      [list, `${list}/search`, list, `${list}/search`],
    );
  });

  it('is nowhere when both are missing: the answer at the specified path is told', async () => {
    const server = await serve((request, response) => json(response, {}, request.url === list ? 422 : 404));
    assert.equal((await failureOf(testClient(server.origin).client.listConversations())).status, 422);
  });

  it('does not turn in a circle when a page names itself as the next', async () => {
    const server = await serve((_request, response) =>
      json(response, { items: [{ id: 'a' }], next_page_id: '2' }),
    );
    const { client } = testClient(server.origin);
    assert.equal((await client.listConversations()).nextPageId, '2');
    assert.equal((await client.listConversations({ pageId: '2' })).nextPageId, null);
  });
});

describe('what a new conversation is answered with', () => {
  afterEach(closeServers);

  for (const [name, answer, kind] of [
    ['a task by its request', { id: 'a', request: {} }, 'task'],
    ['a task by its conversation', { id: 'a', app_conversation_id: null, status: 'NEW_STATE' }, 'task'],
    ['a task by its status', { id: 'a', status: 'WAITING_FOR_SANDBOX' }, 'task'],
    ['a conversation', { id: 'a', title: 'T', sandbox_id: 's' }, 'conversation'],
    ['a conversation with a status of its own', { id: 'a', status: 'RUNNING' }, 'conversation'],
  ] as const) {
    it(name, async () => {
      const server = await serve((_request, response) => json(response, answer));
      const created = await testClient(server.origin).client.createConversation({});
      assert.equal(created.kind, kind);
      assert.equal(created.kind === 'task' ? created.task.id : created.conversation.id, 'a');
    });
  }

  for (const answer of [null, [], 'x', {}, { id: 7 }, { request: {} }]) {
    it(`${JSON.stringify(answer)} is not one`, async () => {
      const server = await serve((_request, response) => json(response, answer));
      const error = await failureOf(testClient(server.origin).client.createConversation({}));
      assert.deepEqual([error.reason, error.outcomeUnknown], ['badShape', true]);
    });
  }

  it('finds the task in a batch, a page, and under another spelling of its id', async () => {
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

describe('suggestions', () => {
  afterEach(closeServers);

  it('are the strings of a list', async () => {
    const server = await serve((_request, response) => json(response, ['a', 7, null, 'b']));
    assert.deepEqual(await testClient(server.origin).client.listModels(), ['a', 'b']);
  });

  it('are not anything else', async () => {
    const server = await serve((_request, response) => json(response, { models: [] }));
    assert.equal((await failureOf(testClient(server.origin).client.listAgents())).reason, 'badShape');
  });
});
