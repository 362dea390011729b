import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client';
import type { Page } from '../../../src/api/schemas/page';
import { ResourceList } from '../../../src/state/resourceList';

interface Item {
  id: string;
  note?: string;
}

/** A list whose pages the test hands out one by one. */
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
const settled = () => new Promise((resolve) => setImmediate(resolve));

describe('resource list', () => {
  it('asks nothing without a client', async () => {
    const { asked, list } = setUp();
    await list.refresh();
    assert.equal(asked.length, 0);
  });

  it('reads the first page only, then as many pages as were asked for', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(['1', '2'], 'p2'));
    await first;
    assert.deepEqual(ids(list), ['1', '2']);
    assert.equal(list.state.nextPageId, 'p2');

    const more = list.loadMore();
    asked[1]?.answer(page(['1', '2'], 'p2'));
    await settled();
    assert.equal(asked[2]?.pageId, 'p2');
    asked[2].answer(page(['3']));
    await more;
    assert.deepEqual(ids(list), ['1', '2', '3']);
    assert.equal(list.state.nextPageId, null);
  });

  it('keeps the items and says why when a refresh fails, and forgets the error after a good one', async () => {
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

  it('has one refresh in flight, and one more for all triggers that came meanwhile', async () => {
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

  it('cancels and drops what a former client still answers', async () => {
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

  it('shows an item once that stands on two pages, and stops at a page that repeats itself', async () => {
    const { asked, list } = setUp();
    list.reset(client('a'));
    const first = list.refresh();
    asked[0]?.answer(page(['1', '2'], 'p2'));
    await first;
    const more = list.loadMore();
    asked[1]?.answer(page(['1', '2'], 'p2'));
    await settled();
    asked[2]?.answer(page(['2', '3'], 'p2'));
    await more;
    assert.deepEqual(ids(list), ['1', '2', '3']);
    assert.equal(list.state.nextPageId, null);
  });
});
