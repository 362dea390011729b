import assert from 'node:assert/strict';
import type { ConversationQuery } from '../../../../src/api/http/query';
import { conversationsTitled } from '../../../../src/core/lists/conversationFilter';
import { aConversation } from '../../../support/builders/records';

/** The titles found in a service with 250 conversations that filters by titles, or doesn't. */
async function found(title: string, { filters = true, pages = (pageId: string | null) => pageId } = {}) {
  const all = Array.from({ length: 250 }, (_, n) =>
    aConversation({ id: `c-${n}`, title: n % 2 === 0 ? `Fix slug ${n}` : `Add Test ${n}` }),
  );
  const asked: ConversationQuery[] = [];
  const client = {
    listConversations: (query: ConversationQuery = {}) => {
      asked.push(query);
      const part = query.titleContains?.toLowerCase() ?? '';
      const items = filters ? all.filter((one) => one.title?.toLowerCase().includes(part)) : all;
      const start = Number(query.pageId ?? 0);
      const next = start + 100 < items.length ? String(start + 100) : null;
      return Promise.resolve({ items: items.slice(start, start + 100), nextPageId: pages(next) });
    },
  };
  const titles: (string | null | undefined)[] = [];
  for await (const some of conversationsTitled(client, title, 0))
    titles.push(...some.map((one) => one.title));
  return { titles, asked };
}

describe('the search for a title', () => {
  for (const filters of [true, false]) {
    it(`finds conversations on later pages (the service ${filters ? 'filters' : 'doesn’t filter'})`, async () => {
      assert.deepEqual((await found('SLUG 248', { filters })).titles, ['Fix slug 248']);
      assert.equal((await found('add test', { filters })).titles.length, 125);
    });
  }

  it('requests no more pages than exist, and stops if pages never end', async () => {
    assert.equal((await found('slug 1')).asked.length, 1);
    assert.equal((await found('slug', { pages: () => '0' })).asked.length, 2);
    let next = 0;
    assert.equal(
      (await found('slug', { filters: false, pages: () => `${(next += 1)}e9` })).asked.length,
      100,
    );
  });
});
