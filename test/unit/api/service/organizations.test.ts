import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../../../service/service';
import { failureOf, testClient } from '../support/client';
import { closeServers, json, serve } from '../support/servers';

const signIn = { authentication: 'signIn' } as const;

describe('organizations', () => {
  let service: ReferenceService;
  before(async () => {
    service = await startService({ profile: 'hosted', seed: 'lifelike' });
  });
  beforeEach(() => {
    service.reset();
    service.behaviour.organizations = [
      { id: 'one', name: 'One' },
      { id: 'two', name: 'Two' },
    ];
  });
  afterEach(closeServers);
  after(() => service.close());

  const clientOf = (organization?: string) =>
    testClient(service.url, { sessionKey: service.sessionKey, ...signIn, organization }).client;

  it('are listed, page by page', async () => {
    const all = Array.from({ length: 230 }, (_, at) => ({ id: `org-${at}`, name: `Organization ${at}` }));
    service.behaviour.organizations = all;
    assert.deepEqual(await clientOf().listOrganizations(), all);
    assert.equal(service.requests.length, 3);
  });

  it('are named in every request, and show only what is theirs', async () => {
    const [first] = service.state.conversations.keys();
    assert.ok(first);
    service.behaviour.organizationOf = { [first]: 'two' };
    const client = clientOf('two');
    assert.deepEqual(
      (await client.listConversations()).items.map(({ id }) => id),
      [first],
    );
    assert.ok((await clientOf('one').listConversations()).items.every(({ id }) => id !== first));
    await client.getSettings();
    const { organizations } = service.behaviour;
    assert.deepEqual(await client.listOrganizations(), organizations, 'the user’s, not its own');
    const named = service.requests.map(({ headers }) => headers['x-org-id']);
    const inTurn = named.filter((organization, at) => organization !== named[at - 1]);
    assert.deepEqual(inTurn, ['two', 'one', 'two']);
    const elsewhere = await failureOf(clientOf('three').listConversations());
    assert.equal(elsewhere.reason, 'forbidden');
  });

  it('aren’t named to a service that takes a session key, nor asked for there', async () => {
    const { client } = testClient(service.url, { organization: 'two' });
    assert.deepEqual(await client.listOrganizations(), []);
    await failureOf(client.getSettings());
    assert.deepEqual(
      service.requests.map(({ headers }) => headers['x-org-id']),
      service.requests.map(() => undefined),
    );
  });

  it('aren’t named to another origin', async () => {
    const other = await serve((_request, response) => json(response, {}));
    const server = await serve((_request, response) =>
      response.writeHead(308, { Location: `${other.origin}/api/organizations` }).end(),
    );
    const { client } = testClient(server.origin, { ...signIn, organization: 'two' });
    assert.equal((await failureOf(client.listOrganizations())).reason, 'redirected');
    assert.equal(other.requests.length, 0);
  });

  it('are read from odd answers as far as they can be sent back', async () => {
    const answers: [unknown, string[]][] = [
      [[{ id: 'a', name: 'A' }], ['a']],
      [
        { items: [{ id: 'a', name: null }, { id: 'b\r\nX: y', name: 'B' }, { id: 7 }, null, { id: 'a' }] },
        ['a'],
      ],
      [{ items: [{ id: 'a' }], next_page_id: '' }, ['a']],
    ];
    for (const [answer, ids] of answers) {
      const server = await serve((_request, response) => json(response, answer));
      const found = await testClient(server.origin, signIn).client.listOrganizations();
      assert.deepEqual(
        found.map(({ id }) => id),
        ids,
      );
      assert.ok(found.every(({ name }) => name !== ''));
    }
    const endless = await serve((_request, response, number) =>
      json(response, { items: [], next_page_id: number }),
    );
    assert.deepEqual(await testClient(endless.origin, signIn).client.listOrganizations(), []);
    assert.equal(endless.requests.length, 10);
    const without = await serve((_request, response) => json(response, { detail: 'Not Found' }, 404));
    assert.deepEqual(await testClient(without.origin, signIn).client.listOrganizations(), []);
  });

  it('are asked for with a key that says so when it’s refused', async () => {
    service.accounts?.clear();
    const { client } = testClient(service.url, { sessionKey: 'gone', ...signIn });
    const refused = await failureOf(client.listOrganizations());
    assert.deepEqual([refused.reason, refused.signIn], ['unauthorized', true]);
    const asKey = testClient(service.url, { sessionKey: 'gone', authentication: 'apiKey' }).client;
    assert.equal((await failureOf(asKey.listOrganizations())).signIn, undefined);
  });
});
