import assert from 'node:assert/strict';
import { Shelf } from '../../../src/features/conversations/model/shelf';
import { aConversation } from '../../support/builders/records';

const service = 'https://one.example';
const one = aConversation({ id: '0123456789abcdef0123456789abcdef' });
const other = aConversation({ id: 'other' });

function setUp(stored?: unknown) {
  const kept = new Map<string, unknown>([[`shelf ${service}`, stored]]);
  const store = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  const asked: unknown[] = [];
  const client = (answer: boolean | undefined) => ({
    baseUrl: service,
    tagConversation: (...call: unknown[]) => {
      asked.push(call.slice(0, 2));
      return Promise.resolve(answer);
    },
  });
  return { shelf: new Shelf(store, (of) => `shelf ${of}`), kept, asked, client };
}

describe('pinned and archived conversations', () => {
  it('are kept on a service that keeps tags', async () => {
    const { shelf, kept, asked, client } = setUp();
    assert.equal(await shelf.put(client(true), 'pinned', one, true), 'service');
    assert.equal(await shelf.put(client(true), 'archived', one, false), 'service');
    assert.deepEqual(asked, [
      [one.id, { agentworkspacepinned: 'yes' }],
      [one.id, { agentworkspacearchived: null }],
    ]);
    assert.equal(kept.get(`shelf ${service}`), undefined);
    const tagged = { ...one, tags: { agentworkspacepinned: 'yes' } };
    assert.deepEqual(
      [shelf.has(service, 'pinned', tagged), shelf.has(service, 'archived', tagged)],
      [true, false],
    );
    assert.equal(await shelf.put(client(false), 'pinned', one, true), 'lost');
  });

  it('aren’t what other clients write there that means nothing', () => {
    const { shelf } = setUp();
    for (const tag of [null, '', 7, {}, undefined])
      assert.equal(shelf.has(service, 'pinned', { ...one, tags: { agentworkspacepinned: tag } }), false);
  });

  it('are no longer kept on this computer once the service keeps tags', async () => {
    const { shelf, client } = setUp();
    await shelf.put(client(undefined), 'archived', one, true);
    await shelf.put(client(undefined), 'archived', other, true);
    assert.equal(await shelf.put(client(true), 'archived', one, false), 'service');
    assert.equal(await shelf.put(client(false), 'archived', other, false), 'lost');
    assert.deepEqual(
      [one, other].map((each) => shelf.has(service, 'archived', each)),
      [false, true],
    );
  });

  it('are bounded on this computer, the newest', async () => {
    const archived = Array.from({ length: 6_000 }, (_, at) => `${at}`);
    const { shelf, client } = setUp({ pinned: ['a'], archived });
    await shelf.put(client(undefined), 'archived', one, true);
    const has = (id: string) => shelf.has(service, 'archived', aConversation({ id }));
    assert.deepEqual([has(one.id), has('5999'), has('1001'), has('1000')], [true, true, true, false]);
    assert.equal(shelf.has(service, 'pinned', aConversation({ id: 'a' })), true);
  });

  it('are kept on this computer elsewhere, for each service', async () => {
    const { shelf, client } = setUp();
    const elsewhere = client(undefined);
    let changes = 0;
    shelf.onDidChange(() => (changes += 1));
    assert.equal(await shelf.put(elsewhere, 'pinned', one, true), 'computer');
    await shelf.put(elsewhere, 'pinned', one, true);
    await shelf.put(elsewhere, 'pinned', other, true);
    await shelf.put(elsewhere, 'archived', other, true);
    await shelf.put(elsewhere, 'pinned', other, false);
    assert.equal(changes, 5);
    const hyphened = aConversation({ id: '01234567-89ab-cdef-0123-456789abcdef' });
    assert.ok(shelf.has(service, 'pinned', hyphened));
    assert.ok(!shelf.has(service, 'pinned', other));
    assert.ok(shelf.has(service, 'archived', other));
    assert.ok(!shelf.has('https://other.example', 'pinned', one));
  });

  it('survive whatever is stored', async () => {
    for (const stored of [null, 7, 'x', [], { pinned: 7 }, { pinned: [7, null] }]) {
      const { shelf, client } = setUp(stored);
      assert.equal(shelf.has(service, 'pinned', one), false);
      await shelf.put(client(undefined), 'pinned', one, true);
      assert.ok(shelf.has(service, 'pinned', one), JSON.stringify(stored));
    }
  });
});
