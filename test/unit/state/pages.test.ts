import assert from 'node:assert/strict';
import type { PageQuery } from '../../../src/api/query';
import { readPages } from '../../../src/state/pages';

/** A list of six records on three pages. */
function aList() {
  const asked: PageQuery[] = [];
  const fetchPage = (query: PageQuery) => {
    asked.push(query);
    const page = Number(query.pageId ?? 0);
    const items = [2 * page, 2 * page + 1].map((number) => ({ id: `r${number}` }));
    return Promise.resolve({ items, nextPageId: page < 2 ? `${page + 1}` : null });
  };
  return { asked, fetchPage };
}

describe('pages of a list', () => {
  it('are read to the end, a hundred records at a time', async () => {
    const { asked, fetchPage } = aList();
    const { items, complete } = await readPages(fetchPage);
    assert.equal(items.map(({ id }) => id).join(' '), 'r0 r1 r2 r3 r4 r5');
    assert.equal(complete, true);
    assert.deepEqual(asked, [{ limit: 100 }, { limit: 100, pageId: '1' }, { limit: 100, pageId: '2' }]);
  });

  it('are read so far as is asked for, which is told from the end', async () => {
    for (const [pages, records, complete] of [
      [1, 2, false],
      [2, 4, false],
      [3, 6, true],
    ] as const) {
      const read = await readPages(aList().fetchPage, { pages });
      assert.deepEqual([read.items.length, read.complete], [records, complete]);
    }
  });

  it('are read until the one looked for is found', async () => {
    const { asked, fetchPage } = aList();
    const { items } = await readPages(fetchPage, { found: ({ id }) => id === 'r2' });
    assert.ok(items.some(({ id }) => id === 'r2'));
    assert.equal(asked.length, 2);
  });
});
