import assert from 'node:assert/strict';
import type { ConversationState } from '../../../../src/features/conversation/page/state';
import { drawnPage as page } from '../../../support/conversation/drawnPage';

const found = (label: string, detail = '') => ({ id: `id-${label}`, label, detail });
type Mention = NonNullable<ConversationState['mention']>;
const files: Mention = {
  sign: '#',
  query: 'a',
  end: 2,
  items: [found('a.ts', 'src'), found('ab.ts')],
  active: 0,
};

/** The box for the message, with the caret behind this text. */
function boxWith(before: string, after = '') {
  const box = {
    value: before + after,
    selectionEnd: before.length,
    setRangeText: (text: string, start: number, end: number, caret: string) => {
      assert.equal(caret, 'end', 'the caret goes behind it');
      box.value = box.value.slice(0, start) + text + box.value.slice(end);
    },
  };
  return box;
}
/** The page after somebody typed this. */
function typed(before: string, after = '', state: Partial<ConversationState> = {}) {
  const shown = page({}, state);
  const box = boxWith(before, after);
  shown.dispatch('id="composer"', 'input', { target: box });
  return { ...shown, box, mention: () => shown.app.state.mention };
}

describe('the box for a message', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));
  /** What waits until nobody types anymore. */
  const waiting = new Map<number, () => void>();
  const { setTimeout, clearTimeout } = globalThis;
  beforeEach(() => {
    waiting.clear();
    let count = 0;
    Object.assign(globalThis, {
      setTimeout: (act: () => void) => (waiting.set((count += 1), act), count),
      clearTimeout: (id: number) => waiting.delete(id),
    });
  });
  afterEach(() => Object.assign(globalThis, { setTimeout, clearTimeout }));
  const pass = () => {
    for (const act of waiting.values()) act();
  };

  it('looks for context after a “#”, and for skills after a “/” at its beginning', () => {
    for (const [before, sign, query] of [
      ['#', '#', ''],
      ['See #Mai', '#', 'Mai'],
      ['See\n#a', '#', 'a'],
      ['/rev', '/', 'rev'],
      ['/', '/', ''],
    ] as const) {
      const { mention, app } = typed(before, ' and more');
      assert.deepEqual(
        [mention()?.sign, mention()?.query, mention()?.end],
        [sign, query, before.length],
        before,
      );
      assert.equal(app.state.text, `${before} and more`);
    }
    for (const before of ['See', 'C#', '#a b', '##', 'a /b', '/a b', `#${'x'.repeat(300)}`])
      assert.equal(typed(before).mention(), null, before);
  });

  it('asks once nobody types for a moment', () => {
    for (const [before, type, query] of [
      ['See #m', 'findContext', 'm'],
      ['/r', 'findSkills', 'r'],
    ] as const) {
      const { posted, dispatch } = typed(before);
      const asked = () => posted.filter((one) => one.type === 'findContext' || one.type === 'findSkills');
      assert.deepEqual(asked(), []);
      pass();
      assert.deepEqual(asked(), [{ type, query }]);
      dispatch('id="composer"', 'input', { target: boxWith(before) });
      dispatch('id="composer"', 'click');
      pass();
      assert.equal(asked().length, 1, 'the caret was moved away');
    }
  });

  it('keeps what still fits of what was found', () => {
    const state = { mention: { ...files, active: 1 } };
    const labels = (...of: Parameters<typeof typed>) =>
      typed(...of)
        .mention()
        ?.items.map(({ label }) => label);
    assert.deepEqual(labels('#AB', '', state), ['ab.ts']);
    assert.deepEqual(labels('#src/a', '', state), ['a.ts']);
    assert.deepEqual(labels('/a', '', state), [], 'skills are something else');
    assert.equal(typed('#a', '', state).mention()?.active, 0);
  });

  it('takes what was found for what is typed, and for nothing else', () => {
    const { app, mention } = typed('#a');
    const items = [found('a.ts')];
    app.mentioning.found('#', { type: 'context', query: 'b', items });
    app.mentioning.found('/', { type: 'skills', query: 'a', items });
    assert.deepEqual(mention()?.items, []);
    app.mentioning.found('#', { type: 'context', query: 'a', items });
    assert.deepEqual(mention()?.items, items);
    app.mentioning.close();
    app.mentioning.found('#', { type: 'context', query: 'a', items });
    assert.equal(mention(), null);
  });

  it('lists what was found, and takes what is clicked', () => {
    const { html } = page({}, { mention: files });
    assert.match(html, /role="listbox"\s+aria-label="Context"/);
    assert.match(html, /id="mention-0"\s+aria-selected="true"[^]*id="mention-1"\s+aria-selected="false"/);
    assert.match(html, /aria-controls="mentions"\s+aria-activedescendant="mention-0"/);
    assert.match(page({}, { mention: { ...files, sign: '/' } }).html, /aria-label="Skills"/);
    assert.doesNotMatch(
      page({}, { mention: { ...files, items: [] } }).html,
      /listbox|aria-controls="mentions"/,
    );
    const { app, box, draw, posted } = typed('See #a', ' now');
    app.set({ mention: { ...app.state.mention!, items: files.items } });
    let prevented = false;
    draw().dispatch('id="mention-1"', 'mousedown', { preventDefault: () => (prevented = true) });
    assert.deepEqual([prevented, box.value], [true, 'See #ab.ts  now']);
    assert.equal(app.state.text, box.value);
    assert.deepEqual(posted.at(-1), { type: 'mention', id: 'id-ab.ts' });
    assert.equal(app.state.mention, null);
    const skill = typed('/a');
    skill.app.set({ mention: { ...skill.app.state.mention!, items: [found('/apply')] } });
    skill.app.mentioning.take(0);
    assert.equal(skill.box.value, '/apply ');
    const none = typed('#a');
    none.app.mentioning.take(0);
    assert.equal(none.box.value, '#a', 'nothing was found');
    const before = page({}, { mention: files });
    before.app.mentioning.take(0);
    assert.deepEqual(before.posted, [], 'nothing was typed yet');
    assert.ok(!skill.posted.some(({ type }) => type === 'mention'));
  });

  it('leaves the keys of the list to it', () => {
    const press = (
      key: string,
      change: object = {},
      mention: (Mention & { isDrawn?: boolean }) | null = files,
    ) => {
      const shown = typed('#a');
      shown.app.set({ mention });
      const scrolled: string[] = [];
      const scrollTo = (id: string, { block }: { block: string }) => scrolled.push(`${id} ${block}`);
      // The list is drawn a frame later.
      const getElementById = (id: string) =>
        mention?.isDrawn === false ? null : { scrollIntoView: scrollTo.bind(null, id) };
      const document = { getElementById };
      Object.assign(globalThis, { document });
      try {
        const event = { ...{ key, isComposing: false, shiftKey: false }, ...change };
        const takes = shown.app.mentioning.takesKey(event as KeyboardEvent);
        return [takes, shown.mention()?.active, scrolled.join() || shown.box.value];
      } finally {
        Reflect.deleteProperty(globalThis, 'document');
      }
    };
    assert.deepEqual(press('ArrowDown'), [true, 1, 'mention-1 nearest']);
    assert.deepEqual(press('ArrowUp'), [true, 1, 'mention-1 nearest'], 'around');
    const three = { ...files, items: [...files.items, found('c')], active: 2 };
    assert.deepEqual(press('ArrowUp', {}, three), [true, 1, 'mention-1 nearest']);
    assert.deepEqual(press('ArrowDown', {}, { ...files, active: 1 }), [true, 0, 'mention-0 nearest']);
    assert.deepEqual(press('ArrowDown', {}, { ...files, isDrawn: false }), [true, 1, '#a']);
    for (const key of ['Enter', 'Tab']) assert.deepEqual(press(key), [true, undefined, '#a.ts ']);
    assert.deepEqual(press('Escape'), [true, undefined, '#a']);
    assert.deepEqual(press('Escape', {}, { ...files, items: [] }), [false, undefined, '#a']);
    assert.deepEqual(press('Home'), [false, undefined, '#a'], 'the caret moves away');
    for (const key of ['b', 'Shift', 'Backspace', 'Delete']) assert.deepEqual(press(key), [false, 0, '#a']);
    for (const key of ['shiftKey', 'ctrlKey', 'metaKey', 'altKey'])
      assert.deepEqual(press('Enter', { [key]: true }), [false, undefined, '#a'], key);
    assert.deepEqual(press('Enter', { isComposing: true }), [false, 0, '#a']);
    assert.deepEqual(press('Enter', {}, null), [false, undefined, '#a']);
  });

  it('takes files that are dropped, and nothing that a page may drop', () => {
    const drop = (...uris: string[]) => {
      const shown = page();
      let prevented = false;
      const preventDefault = () => (prevented = true);
      const data = {
        getData: (type: string) => (type === 'text/uri-list' ? uris.join('\r\n') : ''),
        files: [],
      };
      shown.dispatch('id="composer"', 'drop', { dataTransfer: data, preventDefault });
      return [prevented, shown.posted.flatMap((one) => (one.type === 'attachFiles' ? one.uris : []))];
    };
    assert.deepEqual(drop('# a comment', 'file:///a', 'file:///b'), [true, ['file:///a', 'file:///b']]);
    assert.deepEqual(drop('https://a.example', 'data:,', 'JavaScript:x'), [false, []]);
    let prevented = false;
    page().dispatch('id="composer"', 'dragover', { preventDefault: () => (prevented = true) });
    assert.ok(prevented);
  });

  it('closes the list when something else gets the focus, and offers context', () => {
    const shown = typed('#a');
    shown.dispatch('id="composer"', 'blur');
    assert.equal(shown.mention(), null);
    shown.press('Add Context…');
    assert.deepEqual(shown.posted.at(-1), { type: 'addContext' });
  });
});

describe('the head of a conversation', () => {
  before(() => Object.assign(globalThis, { navigator: { userAgent: 'Linux' } }));

  it('has what can be done with all of it', () => {
    const shown = page();
    for (const name of ['Show Changes', 'Open as Text', 'Export…']) shown.press(name);
    assert.deepEqual(
      shown.posted.map(({ type }) => type),
      ['showChanges', 'openAsText', 'export'],
    );
    shown.press('Find');
    assert.ok(shown.app.state.search);
    assert.match(shown.html, /data-vscode-context="{&quot;webviewSection&quot;:&quot;conversation&quot;/);
  });

  it('opens the menu of the editor below its button', () => {
    const events: unknown[] = [];
    class MouseEvent {
      constructor(
        readonly type: string,
        readonly at: object,
      ) {}
    }
    const button = {
      getBoundingClientRect: () => ({ left: 7, bottom: 9 }),
      dispatchEvent: (event: MouseEvent) => events.push([event.type, event.at]),
    };
    const { press } = page();
    Object.assign(globalThis, { MouseEvent, document: { getElementById: () => button } });
    try {
      press('More Actions…');
    } finally {
      for (const name of ['MouseEvent', 'document']) Reflect.deleteProperty(globalThis, name);
    }
    assert.deepEqual(events, [['contextmenu', { bubbles: true, cancelable: true, clientX: 7, clientY: 9 }]]);
  });

  it('filters the entries by what is selected', () => {
    const shown = page({}, { filter: 'errors' });
    assert.match(shown.html, /<option value="errors" selected/);
    assert.equal(shown.html.match(/<option [^>]*selected/g)?.length, 1);
    shown.dispatch('id="filter"', 'change', { target: { value: 'messages' } });
    assert.equal(shown.app.state.filter, 'messages');
    shown.dispatch('id="filter"', 'change', { target: { value: 'odd' } });
    assert.equal(shown.app.state.filter, 'messages');
  });

  it('shows a start as one, and no state that nobody knows', () => {
    assert.match(page({ execution: 'running' }).html, /data-execution="running"/);
    assert.match(page({ execution: 'running', problem: 'No.' }).html, /data-execution="unknown"/);
    assert.doesNotMatch(page().html, /<header class="head" data-start/);
    assert.match(page({ limit: 'starting' }).html, /<header class="head" data-start/);
    assert.match(page({ title: '' }).html, /<h1 class="visually-hidden">Conversation</);
    assert.match(page({ title: 'Fix it' }).html, /<h1 class="visually-hidden">Fix it</);
  });
});
