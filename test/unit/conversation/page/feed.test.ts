import assert from 'node:assert/strict';
import { Feed } from '../../../../src/features/conversation/page/feed';
import type { Item } from '../../../../src/features/conversation/page/items';
import { message } from '../../../support/conversation/entries';

const viewHeight = 500;

/** A feed in a view of 500 pixels, whose items are as high as `heightOf` says. */
function laidOut(count: number, heightOf: (key: string) => number = () => 100) {
  const view = { top: 20, scrollTop: 0, isThere: true };
  let drawings = 0;
  let items: Item[] = [];
  const itemsOf = (keys: readonly string[]) =>
    keys.map((key): Item => ({ kind: 'entry', key, entry: message('user', key, { id: key }) }));
  const keysOf = (length: number, first = 0) => Array.from({ length }, (_, at) => `e${at + first}`);
  const drawn = () => feed.items.slice(feed.range.start, feed.range.end);
  const heights = () => drawn().reduce((sum, { key }) => sum + heightOf(key), 0);
  const scroller = {
    clientHeight: viewHeight,
    get scrollHeight() {
      return feed.range.above + heights() + feed.range.below;
    },
    get scrollTop() {
      // A view can’t be below its content.
      view.scrollTop = Math.max(0, Math.min(view.scrollTop, scroller.scrollHeight - viewHeight));
      return view.scrollTop;
    },
    set scrollTop(wanted: number) {
      view.scrollTop = Math.max(0, Math.min(wanted, scroller.scrollHeight - viewHeight));
    },
    getBoundingClientRect: () => ({ top: view.top, bottom: view.top + viewHeight }),
    querySelectorAll: (of: string) => {
      if (of !== '[data-key]') return [];
      let top = view.top + feed.range.above - scroller.scrollTop;
      return drawn().map(({ key }) => {
        const rect = { top, bottom: top + heightOf(key), height: heightOf(key) };
        top += heightOf(key);
        return {
          dataset: { key },
          getBoundingClientRect: () => rect,
          contains: (one: unknown) => one === key,
        };
      });
    },
  };
  /** What the page does after every change. */
  const draw = () => {
    drawings += 1;
    feed.prepare(items);
    feed.settle();
  };
  const feed = new Feed(() => (view.isThere ? (scroller as unknown as HTMLElement) : null), draw);
  const set = (keys: readonly string[]) => {
    items = itemsOf(keys);
    draw();
  };
  set(keysOf(count));
  /** What the user scrolls to, with the event for it. */
  const scrollTo = (top: number) => {
    scroller.scrollTop = top;
    feed.scrolled();
  };
  /** The first item on screen, and how far below the top of the view it begins. */
  const first = () => {
    const one = scroller
      .querySelectorAll('[data-key]')
      .find((each) => each.getBoundingClientRect().bottom > view.top);
    return one && `${one.dataset.key} at ${Math.round(one.getBoundingClientRect().top - view.top)}`;
  };
  return { feed, view, scroller, set, keysOf, scrollTo, first, drawings: () => drawings };
}

describe('the part of a transcript that is drawn', () => {
  it('follows the end, and whatever comes there', () => {
    const { feed, first, set, keysOf } = laidOut(10);
    assert.deepEqual([feed.isFollowing, first(), feed.place], [true, 'e5 at 0', null]);
    set(keysOf(12));
    assert.equal(first(), 'e7 at 0');
  });

  it('stays where somebody reads, whatever comes before or after', () => {
    const { feed, first, set, keysOf, scrollTo } = laidOut(20);
    scrollTo(730);
    assert.deepEqual(
      [feed.isFollowing, first(), feed.place],
      [false, 'e7 at -30', { id: 'e7', offset: -30 }],
    );
    set(keysOf(30));
    assert.equal(first(), 'e7 at -30');
    set(['x', 'y', ...keysOf(30)]);
    assert.equal(first(), 'e7 at -30');
    set(keysOf(30).filter((key) => key !== 'e7'));
    assert.equal(first(), 'e6 at -30', 'the next one, e8, stays');
  });

  it('goes to the end if nothing is left from there on', () => {
    const { first, set, keysOf, scrollTo } = laidOut(20);
    scrollTo(730);
    set(keysOf(5));
    assert.equal(first(), 'e0 at 0');
    set([...keysOf(3), ...keysOf(20, 100)]);
    assert.match(first() ?? '', /^e11\d at /);
  });

  it('follows again at the end, or a few pixels from it', () => {
    const { feed, scrollTo } = laidOut(20);
    scrollTo(1_491);
    assert.equal(feed.isFollowing, false);
    scrollTo(1_492);
    assert.equal(feed.isFollowing, true);
    scrollTo(0);
    assert.equal(feed.isFollowing, false);
    feed.toEnd();
    assert.deepEqual([feed.isFollowing, feed.place], [true, null]);
  });

  it('stays in place while something grows above, but not for fractions', () => {
    let grown = 100;
    const { feed, first, scroller, scrollTo } = laidOut(20, (key) => (key === 'e2' ? grown : 100));
    scrollTo(730);
    grown = 160;
    feed.settle();
    assert.deepEqual([first(), scroller.scrollTop], ['e7 at -30', 790]);
    grown = 160.5;
    feed.hold();
    assert.equal(scroller.scrollTop, 790);
  });

  it('stays where something opens, though it followed', () => {
    const { feed, first, set, keysOf } = laidOut(10);
    feed.stay();
    set(keysOf(15));
    assert.deepEqual([feed.isFollowing, first()], [false, 'e5 at 0']);
  });

  it('draws 160 items at most, and others once they’re about to be seen', () => {
    const { feed, scrollTo, drawings, first } = laidOut(1_000);
    assert.deepEqual([feed.range.end - feed.range.start, feed.range.end], [160, 1_000]);
    const { start, above } = feed.range;
    const before = drawings();
    scrollTo(above + 600);
    assert.equal(drawings(), before, 'far enough from what isn’t drawn');
    scrollTo(above + 599);
    assert.equal(drawings(), before + 1);
    assert.ok(feed.range.start < start);
    scrollTo(30_000);
    assert.equal(first(), 'e300 at 0');
    assert.ok(feed.range.start < 300 && feed.range.end > 320);
    const down = drawings();
    const bottom = feed.range.above + 160 * 100;
    scrollTo(bottom - viewHeight - 600);
    assert.equal(drawings(), down);
    scrollTo(bottom - viewHeight - 599);
    assert.equal(drawings(), down + 1);
    const all = laidOut(100);
    const once = all.drawings();
    for (const top of [0, 10, 5_000]) all.scrollTo(top);
    assert.equal(all.drawings(), once, 'nothing is left to draw');
  });

  it('reveals an item a quarter below the top, or where it was', () => {
    const { feed, first } = laidOut(1_000);
    feed.reveal('e500');
    assert.deepEqual(feed.place, { id: 'e500', offset: 125 });
    assert.equal(first(), 'e498 at -75');
    feed.reveal('e100', 0);
    assert.equal(first(), 'e100 at 0');
  });

  it('is near the top where older entries are about to be wanted', () => {
    const { feed, scrollTo } = laidOut(30);
    scrollTo(599);
    assert.equal(feed.isNearTop, true);
    scrollTo(600);
    assert.equal(feed.isNearTop, false);
    const long = laidOut(1_000);
    assert.equal(long.feed.isNearTop, false);
    long.feed.reveal('e500', 0);
    long.scroller.scrollTop = 10;
    assert.equal(long.feed.isNearTop, false, 'there are others above what is drawn');
  });

  it('notes where somebody has scrolled before the event for it comes', () => {
    const { first, set, keysOf, scroller } = laidOut(20);
    scroller.scrollTop = 730;
    set(keysOf(25));
    assert.equal(first(), 'e7 at -30');
  });

  it('says what somebody reads: what is on screen, or what has the focus at the end', () => {
    const { feed, scrollTo } = laidOut(20);
    const globals = { document: { activeElement: null }, getSelection: () => null };
    Object.assign(globalThis, globals);
    try {
      assert.deepEqual(feed.read, []);
      Object.assign(globalThis, { document: { activeElement: 'e18' } });
      assert.deepEqual(feed.read, ['e18']);
      Object.assign(globalThis, { getSelection: () => ({ isCollapsed: false, anchorNode: 'e19' }) });
      assert.deepEqual(feed.read, ['e18', 'e19']);
      scrollTo(730);
      assert.deepEqual(feed.read, ['e7', 'e8', 'e9', 'e10', 'e11', 'e12']);
      scrollTo(700);
      assert.deepEqual(feed.read, ['e7', 'e8', 'e9', 'e10', 'e11']);
    } finally {
      for (const name of Object.keys(globals)) Reflect.deleteProperty(globalThis, name);
    }
  });

  it('does nothing before the page is drawn', () => {
    const { feed, view } = laidOut(5);
    view.isThere = false;
    feed.scrolled();
    feed.settle();
    feed.hold();
    assert.deepEqual([feed.read, feed.isNearTop], [[], false]);
    const item = { getBoundingClientRect: () => ({ top: 0, bottom: 9 }) } as HTMLElement;
    assert.equal(feed.isOnScreen(item), false);
    feed.reveal('e2');
    assert.deepEqual(feed.place, { id: 'e2', offset: 0 });
  });
});
