import assert from 'node:assert/strict';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve, type TestServer } from '../support/servers';

const requests = (server: TestServer) => server.requests.map(({ method, url }) => `${method} ${url}`);
const newer = 'DELETE /api/v1/app-conversations/c';
const legacy = 'DELETE /api/conversations/c';

describe('deleting a conversation', () => {
  afterEach(closeServers);
  const client = (server: TestServer) => testClient(server.origin).client;

  it('uses the newer path, which spares others in the sandbox', async () => {
    const server = await serve((_request, response) => json(response, { success: true }));
    await client(server).deleteConversation('c', false);
    assert.deepEqual(requests(server), [newer]);
  });

  for (const status of [404, 405]) {
    const only = (path: string, answer: unknown) =>
      serve((request, response) => json(response, answer, request.url?.startsWith(path) ? 200 : status));

    it(`uses the legacy path after ${status} for a conversation that is alone in its sandbox`, async () => {
      const server = await only('/api/conversations/', true);
      await client(server).deleteConversation('c', true);
      assert.deepEqual(requests(server), [newer, legacy]);
    });

    it(`never uses the legacy path after ${status}, which takes the sandbox along, if others may be in there`, async () => {
      const server = await only('/api/conversations/', true);
      assert.equal((await failureOf(client(server).deleteConversation('c', false))).status, status);
      assert.deepEqual(requests(server), [newer]);
    });
  }

  it('takes nothing but true for success on the legacy path', async () => {
    for (const answer of [false, {}, null]) {
      const server = await serve((request, response) =>
        json(response, answer, request.url?.startsWith('/api/v1') ? 405 : 200),
      );
      const error = await failureOf(client(server).deleteConversation('c', true));
      assert.deepEqual([error.reason, error.outcomeUnknown], ['badShape', true]);
    }
  });

  it('is never repeated', async () => {
    const server = await serve((_request, response) => response.destroy());
    assert.equal((await failureOf(client(server).deleteConversation('c', true))).outcomeUnknown, true);
    assert.equal(server.requests.length, 1);
  });

  it('refuses an ID that climbs', async () => {
    const server = await serve((_request, response) => json(response, true));
    for (const id of ['', '..', 'a/b', 'a?b'])
      assert.equal((await failureOf(client(server).deleteConversation(id, true))).reason, 'badId');
    assert.equal(server.requests.length, 0);
  });
});

describe('deleting a sandbox', () => {
  afterEach(closeServers);

  it('names it in path and query', async () => {
    const server = await serve((_request, response) => json(response, { success: true }));
    await testClient(server.origin).client.deleteSandbox('box 1');
    assert.deepEqual(requests(server), ['DELETE /api/v1/sandboxes/box%201?sandbox_id=box+1']);
  });
});
