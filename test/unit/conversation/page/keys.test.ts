import assert from 'node:assert/strict';
import type { Feed } from '../../../../src/features/conversation/page/feed';
import { goToMessage, onKey } from '../../../../src/features/conversation/page/keyboard';
import type { ConversationState } from '../../../../src/features/conversation/page/state';
import type { Item } from '../../../../src/features/conversation/page/items';
import type { Head } from '../../../../src/shared/transcript';
import { message, read, terminal } from '../../../support/conversation/entries';
import { drawnPage } from '../../../support/conversation/drawnPage';

/** An element as far as keys ask for it. */
class Element {
  id = '';
  tagName = 'DIV';
  dataset: Record<string, string> = {};
  clicks = 0;
  toggle: Element | null = null;
  constructor(
    /** What is around it, itself included. */
    private readonly around: { item?: Element; card?: Element } = {},
  ) {}
  closest = (selector: string) => {
    const found: Record<string, Element | undefined> = {
      '.card': this.around.card,
      '[data-key]': this.around.item,
    };
    return found[selector] ?? null;
  };
  querySelector = (of: string) => (of === 'button[aria-expanded]' ? this.toggle : null);
  click = () => void (this.clicks += 1);
  focus = ({ preventScroll }: FocusOptions) =>
    focused.push(`${preventScroll === true ? '' : 'scrolls to '}${this.dataset['key'] ?? ''}`);
  scrollIntoView = ({ block }: { block: string }) => assert.equal(block, 'nearest');
}
const focused: string[] = [];

/** The element of an item, and one in it. */
function item(key: string) {
  const around: { item?: Element } = {};
  const whole = new Element(around);
  whole.dataset = { key };
  around.item = whole;
  return { whole, inner: new Element(around) };
}
const items: Item[] = [
  { kind: 'entry', key: 'a', entry: message('user', 'Go', { id: 'a' }) },
  { kind: 'entry', key: 'b', entry: terminal('ls', '', 0, { id: 'b' }) },
  { kind: 'entry', key: 'c', entry: message('agent', 'Done', { id: 'c' }) },
];

function page(state: Partial<ConversationState> = {}, head: Partial<Head> = {}) {
  const shown = drawnPage(head, state);
  const did: string[] = [];
  const feed = {
    items,
    place: null as Feed['place'],
    isOnScreen: () => true,
    reveal: (key: string) => did.push(`reveal ${key}`),
    scrolled: () => undefined,
  };
  const press = (target: unknown, key: string, change: object = {}) => {
    let prevented = false;
    const event = {
      ...{ target, key, ctrlKey: false, metaKey: false, shiftKey: false, altKey: false, repeat: false },
      ...{ isComposing: false, keyCode: 0, code: '', preventDefault: () => (prevented = true), ...change },
    };
    onKey(event as unknown as KeyboardEvent, shown.app, feed as unknown as Feed, {
      passToEnd: () => did.push('to the end'),
    });
    return prevented;
  };
  const go = (by: 1 | -1) => goToMessage(shown.app, feed as unknown as Feed, by);
  return { ...shown, feed, heard: did, press, go };
}

describe('the keys of a conversation', () => {
  let drawnKeys: string[];
  let activeElement: Element | null;
  const globals = { HTMLElement: Element, CSS: { escape: String } };
  beforeEach(() => {
    focused.length = 0;
    drawnKeys = ['a', 'b', 'c'];
    activeElement = null;
    const page = {
      get activeElement() {
        return activeElement;
      },
      querySelector: (selector: string) => {
        const key = /data-key="(.*)"/.exec(selector)?.[1] ?? '';
        return drawnKeys.includes(key) ? item(key).whole : null;
      },
    };
    Object.assign(globalThis, globals, { navigator: { userAgent: 'Linux' } });
    inPage = () => Object.assign(globalThis, { document: page });
  });
  afterEach(() => {
    for (const name of [...Object.keys(globals), 'document']) Reflect.deleteProperty(globalThis, name);
  });
  let inPage: () => void;
  const opened = (...of: Parameters<typeof page>) => {
    const shown = page(...of);
    inPage();
    return shown;
  };
  const box = Object.assign(new Element(), { dataset: { composer: '' }, tagName: 'TEXTAREA' });

  it('find, but not with another key held', () => {
    for (const change of [{ ctrlKey: true }, { metaKey: true }]) {
      const { app, press } = opened();
      assert.ok(press(null, 'f', change));
      assert.ok(app.state.search);
    }
    assert.ok(opened().press(null, 'а', { ctrlKey: true, code: 'KeyF' }), 'on a Russian keyboard');
    for (const change of [{}, { ctrlKey: true, altKey: true }, { ctrlKey: true, shiftKey: true }]) {
      const { app, press } = opened();
      assert.ok(!press(null, 'f', change));
      assert.equal(app.state.search, null);
    }
  });

  it('send a message, as the user wants it', () => {
    const sent = (
      sendWith: ConversationState['sendWith'],
      key: string,
      change: object = {},
      target: unknown = box,
    ) => {
      const { press, posted } = opened({ text: 'Go', sendWith }, { sendEffect: 'starts' });
      const prevented = press(target, key, change);
      return [prevented, posted.filter(({ type }) => type === 'send').length];
    };
    assert.deepEqual(sent('enter', 'Enter'), [true, 1]);
    assert.deepEqual(sent('enter', 'Enter', { repeat: true }), [true, 0], 'held down');
    assert.deepEqual(sent('ctrlEnter', 'Enter'), [false, 0]);
    assert.deepEqual(sent('ctrlEnter', 'Enter', { ctrlKey: true }), [true, 1]);
    assert.deepEqual(sent('ctrlEnter', 'Enter', { metaKey: true }), [true, 1]);
    for (const change of [{ shiftKey: true }, { altKey: true }, { isComposing: true }, { keyCode: 229 }])
      assert.deepEqual(sent('enter', 'Enter', change), [false, 0], JSON.stringify(change));
    assert.deepEqual(sent('enter', 'a'), [false, 0]);
    assert.deepEqual(sent('enter', 'Enter', {}, new Element()), [false, 0]);
  });

  it('reject with the words in the box', () => {
    const reason = Object.assign(new Element(), { id: 'reason' });
    const asking = { execution: 'waiting_for_confirmation', proof: 'missing' } as const;
    const rejects = (repeat: boolean) => {
      const { app, press, posted } = opened({}, asking);
      app.state = { ...app.state, card: { ...app.state.card, reason: 'No' } };
      return [press(reason, 'Enter', { repeat }), posted.some(({ type }) => type === 'reject')];
    };
    assert.deepEqual(
      [rejects(false), rejects(true)],
      [
        [true, true],
        [true, false],
      ],
    );
  });

  it('scroll through all of the card, instead of past it', () => {
    const card = new Element();
    const inCard = new Element({ card });
    const { press, heard } = opened();
    assert.ok(press(inCard, 'End'));
    assert.deepEqual(heard, ['to the end']);
    assert.ok(!press(inCard, 'End', { repeat: true }));
    assert.ok(!press(Object.assign(new Element({ card }), { tagName: 'TEXTAREA' }), 'End'));
    assert.ok(!press(inCard, 'Home'));
    assert.deepEqual(heard, ['to the end']);
  });

  it('go from entry to entry, to the first, and to the last', () => {
    for (const [key, to] of [
      ['ArrowUp', 'a'],
      ['ArrowDown', 'c'],
      ['Home', 'a'],
      ['End', 'c'],
    ] as const) {
      const { app, press } = opened();
      assert.ok(press(item('b').inner, key));
      assert.deepEqual([app.state.active, focused.splice(0)], [to, [to]]);
    }
    const { app, press, heard } = opened();
    assert.ok(!press(item('a').whole, 'ArrowUp'), 'there’s nothing above');
    assert.ok(!press(item('c').whole, 'ArrowDown'));
    assert.ok(!press(item('b').whole, 'x'));
    assert.ok(!press(null, 'ArrowUp'));
    for (const change of [{ ctrlKey: true }, { metaKey: true }, { altKey: true }, { shiftKey: true }])
      assert.ok(!press(item('b').whole, 'ArrowUp', change));
    assert.equal(app.state.active, undefined);
    assert.deepEqual(heard, []);
    drawnKeys = ['b', 'c'];
    press(item('b').whole, 'ArrowUp');
    assert.deepEqual(heard, ['reveal a'], 'it isn’t drawn');
    drawnKeys = ['a', 'b', 'c'];
    press(item('b').whole, 'ArrowUp');
    assert.deepEqual(heard, ['reveal a']);
  });

  it('choose in the list of what was found before they send', () => {
    const { app, press, posted } = opened({ text: '#a' }, { sendEffect: 'starts' });
    const found = [{ id: 'i', label: 'a.ts', detail: '' }];
    app.set({ mention: { sign: '#', query: 'a', end: 2, items: found, active: 0 } });
    assert.ok(press(box, 'Enter'));
    assert.deepEqual(posted, []);
    assert.ok(!press(new Element(), 'Escape'), 'outside the box');
  });

  it('open and close an entry, but leave buttons in it alone', () => {
    const { press } = opened();
    for (const [index, key] of ['Enter', ' '].entries()) {
      const { whole, inner } = item('b');
      const toggle = new Element();
      assert.ok(!press(whole, key), 'nothing opens there');
      whole.toggle = toggle;
      assert.ok(!press(inner, key));
      assert.ok(press(whole, key));
      assert.equal(toggle.clicks, 1, String(index));
    }
  });

  it('go from message to message, beyond steps', () => {
    const from = (place: Feed['place'], by: 1 | -1, focus?: string) => {
      const { app, go, did, feed } = opened();
      feed.place = place;
      activeElement = focus === undefined ? null : item(focus).whole;
      go(by);
      return did.at(-1) ?? app.state.active;
    };
    assert.equal(from(null, -1), 'c', 'from the end');
    assert.equal(from(null, -1, 'c'), 'a');
    assert.equal(from(null, 1, 'a'), 'c');
    assert.equal(from(null, 1, 'c'), 'end');
    assert.equal(from({ id: 'b', offset: 0 }, -1), 'a');
    assert.equal(from({ id: 'a', offset: 0 }, 1), 'c');
    assert.equal(from({ id: 'c', offset: -50 }, -1), 'c', 'its beginning first');
    assert.equal(from({ id: 'c', offset: -1 }, -1), 'a');
    assert.equal(from(null, -1, 'a'), 'a', 'there’s none above');
    const { app, go, feed } = opened();
    const [first, , last] = items as [Item, Item, Item];
    feed.items = [first, { kind: 'fold', key: 'f', steps: [read('src')], open: false }, last];
    feed.place = { id: 'c', offset: 0 };
    go(-1);
    assert.equal(app.state.active, 'a', 'beyond a fold');
    assert.equal(focused.at(-1), 'a');
    feed.items = [];
    feed.place = null;
    go(-1);
    assert.deepEqual([app.state.active, focused.at(-1)], ['a', 'a'], 'there’s none at all');
  });
});
