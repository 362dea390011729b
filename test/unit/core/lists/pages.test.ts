import assert from 'node:assert/strict';
import type { PageQuery } from '../../../../src/api/http/query';
import { readPages, recordReader, Unreadable } from '../../../../src/core/lists/pages';

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

describe('list pages', () => {
  it('reads to the end, 100 records at a time', async () => {
    const { asked, fetchPage } = aList();
    const { items, complete } = await readPages(fetchPage);
    assert.equal(items.map(({ id }) => id).join(' '), 'r0 r1 r2 r3 r4 r5');
    assert.equal(complete, true);
    assert.deepEqual(asked, [{ limit: 100 }, { limit: 100, pageId: '1' }, { limit: 100, pageId: '2' }]);
  });

  it('reads at most the requested pages and reports whether the list is complete', async () => {
    for (const [pages, records, complete] of [
      [1, 2, false],
      [2, 4, false],
      [3, 6, true],
    ] as const) {
      const read = await readPages(aList().fetchPage, { pages });
      assert.deepEqual([read.items.length, read.complete], [records, complete]);
    }
  });

  it('requests each page once in a loop, and reports the list as incomplete', async () => {
    const asked: (string | undefined)[] = [];
    const next: Record<string, string> = { '': 'A', A: 'B', B: 'A' };
    const { items, complete } = await readPages(({ pageId = '' }) => {
      asked.push(pageId);
      return Promise.resolve({ items: [{ id: `r${pageId}` }], nextPageId: next[pageId]! });
    });
    assert.deepEqual(asked, ['', 'A', 'B']);
    assert.deepEqual([items.length, complete], [3, false]);
  });

  it('reports a list as incomplete if a page had something that can’t be read, whichever page', async () => {
    for (const skips of [0, 1, 2]) {
      const { fetchPage } = aList();
      const withSkipped = async (query: PageQuery) => {
        const page = await fetchPage(query);
        return Number(query.pageId ?? 0) === skips ? { ...page, skipped: 1 } : page;
      };
      const { items, complete } = await readPages(withSkipped);
      assert.deepEqual([items.length, complete], [6, false]);
      await assert.rejects(recordReader(withSkipped, 'other')(), Unreadable);
      assert.equal((await recordReader(withSkipped, 'r5')())?.id, 'r5');
    }
  });

  it('stops after 500 pages of an endless list', async () => {
    let asked = 0;
    const endless = () => Promise.resolve({ items: [{ id: 'same' }], nextPageId: `p${(asked += 1)}` });
    const { items, complete } = await readPages(endless);
    assert.deepEqual([items.length, complete, asked], [1, false, 500]);
    asked = 0;
    await assert.rejects(recordReader(endless, 'other')(), Unreadable);
    assert.equal(asked, 500);
  });

  it('rereads only the record’s page, or all pages if the record moved', async () => {
    const { asked, fetchPage } = aList();
    let isThere = true;
    const read = recordReader(async (query) => {
      const page = await fetchPage(query);
      return isThere ? page : { ...page, items: [] };
    }, 'r3');
    const pagesOf = async () => {
      const found = await read();
      return [
        found?.id,
        asked
          .splice(0)
          .map(({ pageId }) => pageId ?? 'first')
          .join(' '),
      ];
    };
    assert.deepEqual(await pagesOf(), ['r3', 'first 1']);
    assert.deepEqual(await pagesOf(), ['r3', '1']);
    isThere = false;
    assert.deepEqual(await pagesOf(), [undefined, '1 first 1 2']);
    isThere = true;
    assert.deepEqual(await pagesOf(), ['r3', 'first 1']);
  });

  it('stops reading when the record is found', async () => {
    const { asked, fetchPage } = aList();
    const { items } = await readPages(fetchPage, { found: ({ id }) => id === 'r2' });
    assert.ok(items.some(({ id }) => id === 'r2'));
    assert.equal(asked.length, 2);
  });
});
