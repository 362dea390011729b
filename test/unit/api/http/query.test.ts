import assert from 'node:assert/strict';
import { type ConversationQuery, pageQuery } from '../../../../src/api/http/query';

const queries: [query: ConversationQuery, asked: string][] = [
  [{}, ''],
  [{ pageId: 'next page' }, 'page_id=next+page'],
  [{ limit: 20 }, 'limit=20'],
  [{ limit: 100 }, 'limit=100'],
  [{ limit: 101 }, 'limit=100'],
  [{ limit: 2.9 }, 'limit=2'],
  [{ limit: 0 }, 'limit=1'],
  [{ limit: -5 }, 'limit=1'],
  [{ limit: NaN }, 'limit=1'],
  [
    { titleContains: 'a&b', createdAfter: '1', createdBefore: '2', updatedAfter: '3', updatedBefore: '4' },
    'title__contains=a%26b&created_at__gte=1&created_at__lt=2&updated_at__gte=3&updated_at__lt=4',
  ],
  [{ includeSubConversations: false }, 'include_sub_conversations=false'],
];

describe('the query of a page', () => {
  for (const [query, asked] of queries) {
    it(`is “${asked}” for ${JSON.stringify(query)}`, () => assert.equal(pageQuery(query).toString(), asked));
  }
});
