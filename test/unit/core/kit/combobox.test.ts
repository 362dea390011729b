import assert from 'node:assert/strict';
import { Combobox, type Option } from '../../../../src/core/kit/combobox';
import { drawn } from '../../../support/drawn';

const fruits: Option[] = [{ value: 'apple' }, { value: 'pear', detail: 'Green' }, { value: 'plum' }];

/** A box with these suggestions, its input, and what a key or the mouse does to it. */
function boxOf(options: readonly Option[] = fruits, value = '') {
  const events: string[] = [];
  const scrolled: string[] = [];
  let focused = 0;
  const input = {
    value,
    focus: () => (focused += 1),
    dispatchEvent: ({ type }: Event) => events.push(`${type} ${input.value}`),
  };
  const box = Object.assign(new Combobox(), {
    ...{
      inputId: 'fruit',
      field: 'fruit',
      labelledBy: 'label',
      describedBy: '',
      placeholder: '',
      invalid: false,
    },
    ...{ options, value, contains: (one: unknown) => one === input },
    querySelector: (selector: string) => {
      if (selector === 'input') return input;
      const isThere = selector === '[aria-selected="true"]' && now().html.includes('aria-selected="true"');
      return isThere ? { scrollIntoView: ({ block }: { block: string }) => scrolled.push(block) } : null;
    },
  });
  const now = () => drawn(() => (box as unknown as { render: () => unknown }).render());
  const dispatch = (mark: string, type: string, detail: object = {}) => {
    const done: string[] = [];
    now().dispatch(mark, type, {
      ...detail,
      preventDefault: () => done.push('default'),
      stopPropagation: () => done.push('others'),
    });
    return done;
  };
  return {
    ...{ box, input, events, now, dispatch, scrolled },
    redrawn: () => (box as unknown as { updated: () => void }).updated(),
    focused: () => focused,
    key: (key: string) => dispatch('<input', 'keydown', { key }),
    type: (text: string) => {
      input.value = text;
      dispatch('<input', 'input');
    },
    /** The suggestions, the active one in brackets. */
    shown: () =>
      [...now().html.matchAll(/aria-selected="(\w+)"[^>]*>\s*<span>([^<]*)/g)].map(([, is, name]) =>
        is === 'true' ? `[${name}]` : name,
      ),
  };
}

describe('a text input with suggestions', () => {
  before(() => Object.assign(globalThis, { InputEvent: Event }));
  after(() => Reflect.deleteProperty(globalThis, 'InputEvent'));

  it('shows none until an arrow key or its button opens the list, at its value', () => {
    const { shown, key, now, focused } = boxOf(fruits, 'pear');
    assert.deepEqual(shown(), []);
    assert.match(now().html, /role="combobox"[^>]*aria-autocomplete="list"\s+aria-expanded="false"/);
    assert.deepEqual(key('ArrowDown'), ['default']);
    assert.deepEqual(shown(), ['apple', '[pear]', 'plum']);
    assert.match(
      now().html,
      /aria-expanded="true"\s+aria-controls="fruit-list"\s+aria-activedescendant="fruit-list-1"/,
    );
    now().press('Show suggestions');
    assert.deepEqual([shown(), focused()], [[], 1]);
    now().press('Show suggestions');
    assert.deepEqual([shown(), focused()], [['apple', '[pear]', 'plum'], 2]);
  });

  it('shows the first 100, and says how many more there are', () => {
    const many = (count: number) => {
      const { shown, key, now } = boxOf(Array.from({ length: count }, (_, at) => ({ value: `v${at}` })));
      key('ArrowDown');
      return [shown().length, /(\d+) more\. Type to narrow the list\./.exec(now().html)?.[1]];
    };
    assert.deepEqual(
      [many(100), many(101), many(250)],
      [
        [100, undefined],
        [100, '1'],
        [100, '150'],
      ],
    );
  });

  it('begins at the first if its value is beyond those that are shown', () => {
    const { shown, key } = boxOf(
      Array.from({ length: 120 }, (_, at) => ({ value: `v${at}` })),
      'v110',
    );
    key('ArrowDown');
    key('ArrowDown');
    assert.equal(
      shown().find((one) => one?.startsWith('[')),
      '[v0]',
    );
  });

  it('keeps the active suggestion in view, as little as that moves the list', () => {
    const { key, redrawn, scrolled } = boxOf();
    redrawn();
    assert.deepEqual(scrolled, []);
    key('ArrowDown');
    key('ArrowDown');
    redrawn();
    assert.deepEqual(scrolled, ['nearest']);
  });

  it('goes around with the arrow keys, and takes with Enter', () => {
    const { shown, key, events } = boxOf();
    key('ArrowUp');
    assert.deepEqual(shown(), ['apple', 'pear', 'plum']);
    const active = (name: string) => {
      key(name);
      return shown().find((one) => one?.startsWith('['));
    };
    assert.deepEqual(['ArrowUp', 'ArrowDown', 'ArrowDown', 'ArrowUp', 'ArrowUp'].map(active), [
      '[plum]',
      '[apple]',
      '[pear]',
      '[apple]',
      '[plum]',
    ]);
    assert.deepEqual(key('Enter'), ['default']);
    assert.deepEqual([shown(), events], [[], ['input plum']]);
    assert.deepEqual([key('Enter'), key('Escape'), key('Tab')], [[], [], []]);
  });

  it('closes with Escape, with Enter on none, and when the focus leaves it', () => {
    const { box, input, shown, key, events } = boxOf();
    const leave = (relatedTarget: unknown) =>
      box.dispatchEvent(Object.assign(new Event('focusout'), { relatedTarget }));
    key('ArrowDown');
    assert.deepEqual([key('Escape'), shown()], [['default', 'others'], []]);
    key('ArrowDown');
    assert.deepEqual([key('Enter'), shown(), events], [['default'], [], []]);
    key('ArrowDown');
    leave(input);
    assert.equal(shown().length, 3);
    leave(null);
    assert.deepEqual(shown(), []);
  });

  it('is narrowed by what is typed, in values and details, and closes at a whole value', () => {
    const { shown, type, key, events, dispatch, now } = boxOf();
    type(' P');
    assert.deepEqual(shown(), ['apple', 'pear', 'plum']);
    assert.match(now().text, /apple pear Green plum$/);
    assert.equal(now().html.match(/class="detail"/g)?.length, 1);
    type('green ');
    assert.deepEqual(shown(), ['pear']);
    assert.deepEqual(dispatch('role="option"', 'mousedown'), ['default'], 'the input keeps the focus');
    dispatch('role="option"', 'click');
    assert.deepEqual([shown(), events], [[], ['input pear']]);
    type(' ');
    assert.deepEqual(shown(), ['apple', 'pear', 'plum']);
    type('plum');
    assert.deepEqual(shown(), []);
    type('none');
    key('ArrowDown');
    assert.deepEqual([shown(), key('Enter')], [[], ['default']]);
  });

  it('keeps the focus when its button is pressed', () => {
    assert.deepEqual(boxOf().dispatch('class="open-list"', 'mousedown'), ['default']);
  });

  it('shows 100 suggestions, and how many more there are', () => {
    const many = (count: number) => Array.from({ length: count }, (_, at) => ({ value: `v${at}` }));
    const { now, key, shown } = boxOf(many(103));
    key('ArrowDown');
    assert.equal(shown().length, 100);
    assert.match(now().text, /3 more\. Type to narrow the list\.$/);
    key('ArrowUp');
    assert.equal(shown().at(-1), '[v99]');
    const short = boxOf(many(100));
    short.key('ArrowDown');
    assert.doesNotMatch(short.now().text, /more/);
  });

  it('is a plain text input without suggestions', () => {
    const { now, key } = boxOf([]);
    assert.deepEqual([key('ArrowDown'), now().buttons], [[], []]);
    assert.doesNotMatch(now().html, /role=|aria-expanded|aria-autocomplete/);
  });
});
