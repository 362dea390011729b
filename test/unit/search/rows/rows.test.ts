import assert from 'node:assert/strict';
import { commandIds } from '../../../../src/ids';
import type { SearchProgress, SearchState } from '../../../../src/features/search/model/search';
import { searchRows, searchWords } from '../../../../src/features/search/rows/rows';
import { anError } from '../../../support/builders/client';
import { aConversation } from '../../../support/builders/records';

const baseUrl = 'https://lab.example';
const progress = (values: Partial<SearchProgress> = {}): SearchProgress => ({
  connection: { name: 'Lab', baseUrl, origin: baseUrl },
  ...{ searched: 3, known: 8, hasMore: true, partial: 0, unread: 0, titlesOnly: 0 },
  ...{ areSecretsUnread: false, isWithoutKey: false, transcriptError: undefined, error: undefined },
  ...values,
});
const state = (values: Partial<SearchState> = {}): SearchState => ({
  ...{ query: 'needle', isGoing: false, isCanceled: false, isCut: false, found: [] },
  progress: [progress()],
  ...values,
});

describe('the results of a search', () => {
  it('are conversations with the entries that match, which open where they are', () => {
    const conversation = aConversation({ id: 'a', title: 'Fix it', selected_repository: 'acme/shop' });
    const entries = [{ id: 'e1', excerpt: 'a needle' }];
    const found = [
      { service: baseUrl, conversation, entries, more: 2 },
      { service: 'https://other.example', conversation, entries, more: 1 },
      { service: 'https://third.example', conversation, entries: [], more: 0 },
      { service: baseUrl, conversation: aConversation({ id: 'd' }), entries: [], more: 0 },
    ];
    const rows = [...searchRows(state({ found }), true, 0)];
    const [first, , third, fourth] = rows;
    assert.deepEqual(
      [first?.label, first?.description, first?.command, first?.ref],
      [
        'Fix it',
        'Lab · 3 · acme/shop',
        commandIds.conversationShow,
        { kind: 'conversation', id: 'a', service: baseUrl },
      ],
    );
    const [entry, more] = first?.children ?? [];
    assert.deepEqual(
      [entry?.label, entry?.tooltip, entry?.command, entry?.ref],
      [
        'a needle',
        [{ value: 'a needle' }],
        commandIds.conversationShowEntry,
        { kind: 'entry', id: 'a', service: baseUrl, entry: 'e1' },
      ],
    );
    assert.equal(more?.label, 'and 2 more');
    assert.deepEqual([third?.description, fourth?.description], ['Title · acme/shop', 'Lab · Title']);
    const ids = rows.flatMap(({ id, children = [] }) => [id, ...children.map((child) => child.id)]);
    assert.equal(new Set(ids).size, 8, 'the tree has each ID once');
  });

  it('have the age of what they’re about', () => {
    const ages = [
      { updated_at: '2026-01-01T00:00:00Z', created_at: '2025-12-01T00:00:00Z' },
      { updated_at: null, created_at: '2025-12-31T00:00:00Z' },
      { updated_at: null, created_at: null },
    ].map((times) => {
      const conversation = aConversation(times);
      const found = [{ service: baseUrl, conversation, entries: [], more: 0 }];
      return [...searchRows(state({ found }), false, Date.parse('2026-01-02T00:00:00Z'))][0]?.badge;
    });
    assert.deepEqual(ages, ['1d', '2d', undefined]);
  });

  it('tell attempts at one message apart', () => {
    const found = ['a', 'b'].map((id) => {
      const conversation = aConversation({ id, title: 'Fix it' });
      return { service: baseUrl, conversation, entries: [], more: 0 };
    });
    const attempts = { of: (_: string, { id }: { id: string }) => ({ label: `Model ${id}` }) };
    assert.deepEqual(
      [...searchRows(state({ found }), false, 0, attempts)].map(({ label }) => label),
      ['Model a – Fix it', 'Model b – Fix it'],
    );
  });

  it('say how far the search got', () => {
    assert.equal(searchWords(state({ query: '' })), undefined);
    assert.equal(searchWords(state({ isGoing: true })), '“needle” · Searching… 3 of 8+ conversations');
    assert.equal(
      searchWords(state({ isCanceled: true })),
      '“needle” · Canceled: 3 of 8+ conversations searched · Nothing found',
    );
    const done = progress({ searched: 8, hasMore: false, partial: 2, unread: 1 });
    assert.equal(
      searchWords(state({ progress: [done] })),
      '“needle” · 8 of 8 conversations searched · Nothing found · 2 partly · 1 couldn’t be read',
    );
    const found = [{ service: baseUrl, conversation: aConversation(), entries: [], more: 0 }];
    assert.equal(
      searchWords(state({ progress: [progress({ searched: 8, hasMore: false })], found })),
      '“needle” · 8 of 8 conversations searched',
    );
    const asleep = progress({ searched: 8, hasMore: false, titlesOnly: 8 });
    assert.match(searchWords(state({ progress: [asleep] })) ?? '', / · Nothing found · 8 by title only$/);
    const endings = (
      [
        [{ transcriptError: anError('notFound', 404) }, 'Lab doesn’t store transcripts'],
        [{ transcriptError: anError('unauthorized', 401) }, 'Lab refused the session key'],
        [{ transcriptError: anError('serverError', 500) }, 'Lab returned an error (HTTP 500)'],
        [{ error: anError('reset'), transcriptError: anError('notFound', 404) }, 'can’t reach Lab'],
        [{ isWithoutKey: true, known: 0 }, 'Lab: No session key on this computer'],
      ] as const
    ).map(([change, expected]) => {
      const words = searchWords(state({ progress: [progress({ hasMore: false, ...change })] }));
      return [words?.split(' · ').at(-1), expected];
    });
    for (const [said, expected] of endings) assert.equal(said, expected);
    const open = progress({ searched: 8, hasMore: false, areSecretsUnread: true });
    assert.match(
      searchWords(state({ progress: [done, open] })) ?? '',
      / · Known secrets couldn’t be read, so they aren’t hidden\.$/,
    );
    const failed = progress({ searched: 0, known: 0, error: anError('unauthorized') });
    assert.match(
      searchWords(state({ progress: [done, failed] })) ?? '',
      /8 of 8 conversations .* · Lab refused the session key$/,
    );
  });
});
