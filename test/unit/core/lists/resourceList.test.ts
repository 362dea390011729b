import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../src/api/service/client';
import type { Page } from '../../../../src/api/page';
import { ResourceList, rowsAtFirst } from '../../../../src/core/lists/resourceList';
import { settled } from '../../../support/settled';

interface Item {
  id: string;
  note?: string;
}

/** A list whose pages the test delivers one by one. */
function setUp() {
  const asked: {
    client: ApiClient;
    pageId: string | undefined;
    signal: AbortSignal;
    answer: (page: Page<Item>) => void;
    fail: (error: Error) => void;
  }[] = [];
  const list = new ResourceList<Item>(
    (client, { pageId }, signal) =>
      new Promise((answer, fail) => asked.push({ client, pageId, signal, answer, fail })),
  );
  return { asked, list };
}

const client = (name: string) => ({ origin: name }) as unknown as ApiClient;
const page = (ids: string[], nextPageId: string | null = null): Page<Item> => ({
  items: ids.map((id) => ({ id })),
  nextPageId,
});
const ids = (list: ResourceList<Item>) => list.state.items.map(({ id }) => id);

describe('resource list', () => {
  it('sends no request without a client', async () => {
    const { asked, list } = setUp();
    await list.refresh();
    await list.readFirst();
    assert.equal(asked.length, 0);
  });

  it('reads the first page, one more per request, and all loaded pages on Refresh', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(['1', '2'], 'p2'));
    await first;
    assert.deepEqual(ids(list), ['1', '2']);
    assert.equal(list.state.nextPageId, 'p2');

    const more = list.loadMore();
    assert.equal(asked[1]?.pageId, 'p2');
    asked[1].answer(page(['3'], 'p3'));
    await more;
    assert.deepEqual(ids(list), ['1', '2', '3']);
    assert.equal(list.state.nextPageId, 'p3');

    const again = list.refresh();
    asked[2]?.answer(page(['0', '1'], 'p2'));
    await settled();
    assert.deepEqual(ids(list), ['0', '1', '2', '3'], 'the first page is shown before the second arrives');
    assert.equal(asked[3]?.pageId, 'p2');
    asked[3].answer(page(['2'], null));
    await again;
    assert.deepEqual(ids(list), ['0', '1', '2']);
    assert.equal(list.state.nextPageId, null);
    assert.equal(asked.length, 4);
  });

  /** A list with three loaded pages of two items. */
  async function threePages() {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const answered = async (work: Promise<unknown>, answer: Page<Item>) => {
      await settled();
      asked.at(-1)?.answer(answer);
      await work;
    };
    await answered(list.refresh(), page(['1', '2'], 'p2'));
    await answered(list.loadMore(), page(['3', '4'], 'p3'));
    await answered(list.loadMore(), page(['5', '6'], 'p4'));
    const failed = async (work: Promise<unknown>) => {
      asked.at(-1)?.fail(new Error('no such page'));
      await work;
    };
    return { asked, list, answered, failed };
  }

  it('updates later pages in turn, and drops items missing from two rounds', async () => {
    const { asked, list, answered } = await threePages();
    const first = () => answered(list.readFirst(), page(['1', '2'], 'p2'));
    const round = async () => {
      await answered(list.readNext(), { items: [{ id: '3', note: 'new' }], nextPageId: 'p3' });
      await first();
      await answered(list.readNext(), page(['6', '7'], 'p4'));
    };
    await first();
    await round();
    assert.deepEqual(list.state.items[2], { id: '3', note: 'new' });
    assert.deepEqual(ids(list), ['1', '2', '3', '6', '7', '4', '5'], 'they may only have moved');
    await first();
    await round();
    assert.deepEqual(ids(list), ['1', '2', '3', '6', '7']);
    assert.deepEqual(
      asked.slice(3).map(({ pageId }) => pageId),
      [undefined, 'p2', undefined, 'p3', undefined, 'p2', undefined, 'p3'],
    );
  });

  it('drops items missing within the first page, but not those pushed off the end', async () => {
    const { list, answered } = await threePages();
    await answered(list.readFirst(), page(['0', '2'], 'p2'));
    assert.deepEqual(ids(list), ['0', '2', '3', '4', '5', '6']);
    await answered(list.readFirst(), page(['new', '0'], 'p2'));
    assert.deepEqual(ids(list), ['new', '0', '2', '3', '4', '5', '6']);
  });

  it('restarts the round after a page fails', async () => {
    const { asked, list, answered, failed } = await threePages();
    await answered(list.readFirst(), page(['1', '2'], 'p2'));
    await failed(list.readNext());
    assert.equal(list.state.error?.message, 'no such page');
    await answered(list.readFirst(), page(['1', '2'], 'p2'));
    assert.ok(list.state.error, 'the first page doesn’t clear the error of another page');
    await answered(list.readNext(), page(['3', '4'], 'p3'));
    assert.equal(asked.at(-1)?.pageId, 'p2');
    assert.equal(list.state.error, undefined);
  });

  it('drops all further pages when the first turns out to be the whole list', async () => {
    const { list, answered, failed } = await threePages();
    await answered(list.readFirst(), page(['1', '2'], 'p2'));
    await failed(list.readNext());
    assert.ok(list.state.error);
    await answered(list.readFirst(), page(['1', '7']));
    assert.deepEqual(ids(list), ['1', '7']);
    assert.equal(list.state.nextPageId, null);
    assert.equal(list.state.error, undefined, 'the error of a page that is gone stays');
    assert.equal(list.hasFurther, false);
  });

  it('forgets why another page couldn’t be read once nothing of one is left to be read again', async () => {
    const { list, answered, failed } = await threePages();
    await answered(list.readFirst(), page(['1', '2'], 'p2'));
    await failed(list.readNext());
    await answered(list.readFirst(), page(['2', '3', '4', '5', '6'], 'p2'));
    assert.deepEqual([ids(list), list.hasFurther], [['2', '3', '4', '5', '6'], false]);
    assert.equal(list.state.error, undefined);
  });

  it('tells whether there is more to read again than the first page', async () => {
    const { list, asked } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(['1', '2'], 'p2'));
    await first;
    assert.equal(list.hasFurther, false);
    const more = list.loadMore();
    asked[1]?.answer(page(['3']));
    await more;
    assert.equal(list.hasFurther, true);
  });

  it('sends one request at a time', async () => {
    const { list, asked } = setUp();
    list.reset(client('a'));
    const all = [list.readFirst(), list.readNext(), list.loadMore()];
    for (const [index, nextPageId] of ['p2', 'p2', null].entries()) {
      assert.equal(asked.length, index + 1);
      asked[index]?.answer(page([String(index)], nextPageId));
      await settled();
    }
    await Promise.all(all);
    assert.equal(asked.length, 3);
  });

  it('fires no event without changes, and reuses unchanged records', async () => {
    const { list, answered } = await threePages();
    let changes = 0;
    list.onDidChange(() => (changes += 1));
    const before = list.state;
    await answered(list.readFirst(), page(['1', '2'], 'p2'));
    assert.equal(changes, 0);
    assert.deepEqual({ ...list.state, readAt: before.readAt }, before);
    assert.equal(list.state.items, before.items);
    await answered(list.readFirst(), { items: [{ id: '1', note: 'x' }, { id: '2' }], nextPageId: 'p2' });
    assert.equal(changes, 1);
    assert.equal(list.state.items[1], before.items[1]);
  });

  it('stops reading further pages once it is canceled', async () => {
    const { asked, list } = await threePages();
    const before = asked.length;
    const abort = new AbortController();
    const refresh = list.refresh(abort.signal);
    asked.at(-1)?.answer(page(['1', '2'], 'p2'));
    await settled();
    assert.equal(asked.length, before + 2, 'the next page is read');
    abort.abort();
    asked.at(-1)?.fail(new Error('canceled'));
    await refresh;
    assert.equal(asked.length, before + 2);
    assert.deepEqual(ids(list), ['1', '2', '3', '4', '5', '6']);
  });

  it('tells while it reads', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    for (const end of [
      () => asked.at(-1)?.answer(page(['1'])),
      () => asked.at(-1)?.fail(new Error('down')),
      () => asked.at(-1)?.answer(page(['1'])),
    ]) {
      const reading = list.readFirst();
      assert.equal(list.state.loading, true);
      end();
      await reading;
      assert.equal(list.state.loading, false);
    }
  });

  it('keeps what it knows while the client stays the same', async () => {
    const { list, asked } = setUp();
    const same = client('a');
    list.reset(same);
    const first = list.refresh();
    asked[0]?.answer(page(['1']));
    await first;
    list.reset(same);
    assert.deepEqual(ids(list), ['1']);
    assert.deepEqual([list.isOf(same), list.isOf(client('a'))], [true, false]);
    list.reset(undefined);
    assert.deepEqual([ids(list), list.state.loaded], [[], false]);
    assert.equal(list.isOf(same), false);
  });

  it('doesn’t report a canceled refresh as an error', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const abort = new AbortController();
    const canceled = list.refresh(abort.signal);
    abort.abort();
    asked[0]?.fail(new Error('canceled'));
    await canceled;
    assert.equal(list.state.error, undefined);
    assert.equal(list.state.loaded, false);
  });

  it('shows the first rows of a large answer, and more without a request', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(Array.from({ length: 2_500 }, (_, index) => String(index))));
    await first;
    assert.equal(list.state.items.length, 2_500);
    assert.equal(list.state.limit, rowsAtFirst);
    await list.loadMore();
    assert.equal(list.state.limit, 2 * rowsAtFirst);
    list.show('2400');
    assert.equal(list.state.limit, 2_500);
    assert.equal(asked.length, 1);
  });

  it('reads the next page when all known rows are shown', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    const rows = Array.from({ length: rowsAtFirst }, (_, index) => String(index));
    asked[0]?.answer(page(rows, 'p2'));
    await first;
    const more = list.loadMore();
    assert.equal(asked[1]?.pageId, 'p2');
    asked[1].answer(page(['next']));
    await more;
    assert.equal(list.state.limit, rowsAtFirst + 1);
  });

  it('shows the rows up to one that is asked for, and no more rows for one that is shown', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(Array.from({ length: rowsAtFirst + 1 }, (_, index) => String(index))));
    await first;
    list.show(String(rowsAtFirst - 1));
    assert.equal(list.state.limit, rowsAtFirst);
    list.show('unknown');
    assert.equal(list.state.limit, rowsAtFirst);
    list.show(String(rowsAtFirst));
    assert.equal(list.state.limit, rowsAtFirst + 1);
  });

  it('keeps items and the error after a failed refresh until one succeeds', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(['1']));
    await first;
    const second = list.refresh();
    asked[1]?.fail(new Error('down'));
    await second;
    assert.deepEqual(ids(list), ['1']);
    assert.equal(list.state.error?.message, 'down');
    assert.equal(list.state.loaded, true);
    const third = list.refresh();
    asked[2]?.answer(page(['1', '2']));
    await third;
    assert.equal(list.state.error, undefined);
  });

  it('runs one refresh at a time, then one more for all requests made during it', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const all = [list.refresh(), list.refresh(), list.refresh()];
    assert.equal(asked.length, 1);
    asked[0]?.answer(page(['old']));
    await settled();
    assert.equal(asked.length, 2);
    asked[1]?.answer(page(['new']));
    await Promise.all(all);
    assert.deepEqual(ids(list), ['new']);
    assert.equal(asked.length, 2);
  });

  it('cancels requests of the previous client and drops their answers', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    list.reset(client('b'));
    assert.equal(asked[0]?.signal.aborted, true);
    asked[0].answer(page(['of a']));
    await first;
    assert.deepEqual(ids(list), []);
    assert.equal(list.state.loaded, false);
    const second = list.refresh();
    asked[1]?.answer(page(['of b']));
    await second;
    assert.deepEqual(ids(list), ['of b']);
  });

  it('shows an item on two pages once, and stops at a page that repeats itself', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(['1', '2'], 'p2'));
    await first;
    const more = list.loadMore();
    asked[1]?.answer(page(['2', '3'], 'p2'));
    await more;
    assert.deepEqual(ids(list).toSorted(), ['1', '2', '3']);
    assert.equal(list.state.nextPageId, null);
  });
});
