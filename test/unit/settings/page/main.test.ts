import assert from 'node:assert/strict';
import { sections } from '../../../../src/shared/fields';
import type { ShownForm, WebviewMessage } from '../../../../src/features/settings/shared/messages';
import { startedPage } from '../../../support/startedPage';
import { formMessage, noEdits, reviewMessage } from '../../../ui/form/samples';

/** The last section has 100 pixels, the others 900. */
const scrollHeight = (sections.length - 1) * 900 + 100;

/** Starts the page without a browser, in a window of 900 pixels. */
function startedForm(kept?: unknown) {
  const frames: (() => void)[] = [];
  const idle: (() => void)[] = [];
  const did: string[] = [];
  const layout = {
    scrollY: 0,
    isOpen: false,
    select: { value: '' },
    measured: (_: object[]) => undefined as unknown,
  };
  const heights: Record<string, string> = {};
  const style = { setProperty: (name: string, value: string) => void (heights[name] = value) };
  const ofSide = { setProperty: (name: string, value: string) => void (heights[`side ${name}`] = value) };
  const links = sections.map((target) => ({
    ...{ dataset: { target }, current: '' },
    setAttribute: (_name: string, value: string) => {
      links.find((one) => one.dataset.target === target)!.current = value;
    },
    removeAttribute: () => {
      links.find((one) => one.dataset.target === target)!.current = '';
    },
  }));
  let focused = '';
  class Element {
    constructor(readonly mark: string) {}
    get isConnected() {
      return page.now().html.includes(this.mark);
    }
    focus = ({ preventScroll }: { preventScroll: boolean }) => {
      if (!this.isConnected) return;
      focused = this.mark;
      did.push(`focus ${this.mark}${preventScroll ? '' : ', scrolling'}`);
    };
    closest = (of: string) => (of === '.sticky' && this.mark === 'id="save"' ? this : null);
    scrollIntoView = () => did.push(`scroll to ${this.mark}`);
    getBoundingClientRect = () => {
      const at = sections.findIndex((section) => this.mark === `id="section-${section}"`);
      return { top: at * 900 - layout.scrollY };
    };
  }
  const ifThere = (mark: string) => (page.now().html.includes(mark) ? new Element(mark) : null);
  const dialog = {
    get open() {
      return layout.isOpen;
    },
    showModal: () => {
      layout.isOpen = true;
      did.push('modal');
    },
  };
  const parts = new Map(
    ['.bar', '.side'].map((name) => [name, { matches: (one: string) => one === name, style: ofSide }]),
  );
  const watched: string[] = [];
  let page: Parameters<NonNullable<Parameters<typeof startedPage>[2]>>[0];
  page = startedPage('features/settings/page', kept, (itself) => {
    page = itself;
    return {
      element: ifThere,
      document: {
        get activeElement(): unknown {
          return (focused === '' ? null : ifThere(focused)) ?? page.body;
        },
        documentElement: { lang: 'en', style, scrollHeight },
        querySelector: (selector: string) => {
          if (selector === 'nav select') return page.now().html.includes('<nav') ? layout.select : null;
          if (selector !== 'dialog') return page.now().html.includes('<nav') ? parts.get(selector) : null;
          if (page.now().html.includes('<dialog')) return dialog;
          layout.isOpen = false;
          return null;
        },
        querySelectorAll: (selector: string) =>
          selector === 'nav a' ? links : [parts.get(selector)].filter((one) => one !== undefined),
      },
      globals: {
        HTMLElement: Element,
        requestAnimationFrame: (act: () => void) => frames.push(act),
        requestIdleCallback: (act: () => void, { timeout }: { timeout: number }) => idle.push(act) && timeout,
        ResizeObserver: class {
          constructor(measured: (entries: object[]) => void) {
            layout.measured = measured;
          }
          observe = (one: { matches: (name: string) => boolean }) =>
            watched.push([...parts.keys()].find((name) => one.matches(name)) ?? '');
          unobserve = (one: { matches: (name: string) => boolean }) =>
            watched.push(`no more ${[...parts.keys()].find((name) => one.matches(name))}`);
        },
        setTimeout: () => 0,
        clearTimeout: () => undefined,
        window: {
          innerHeight: 900,
          addEventListener: page.listen('window'),
          get scrollY() {
            return layout.scrollY;
          },
        },
      },
    };
  });
  return {
    ...page,
    posted: page.posted as WebviewMessage[],
    ...{ layout, heights, parts, watched, did },
    focusOn: (mark: string) => (focused = mark),
    focus: () => (focused === '' || !page.now().html.includes(focused) ? '' : focused),
    frame: () => {
      for (const act of frames.splice(0)) act();
    },
    rest: () => {
      while (idle.length > 0) idle.shift()?.();
    },
    current: () => links.filter(({ current }) => current === 'true').map(({ dataset }) => dataset.target),
  };
}

describe('the page of the settings, as it starts', () => {
  let end: () => void = () => undefined;
  afterEach(() => end());
  const page = (kept?: unknown) => {
    const started = startedForm(kept);
    ({ end } = started);
    const types = () => started.posted.splice(0).map(({ type }) => type);
    return { ...started, types };
  };
  const opened = (change: Partial<ShownForm> = {}) => {
    const shown = page();
    shown.receive(formMessage(undefined, change));
    shown.rest();
    shown.frame();
    shown.types();
    return shown;
  };
  const edit = ({ now }: ReturnType<typeof opened>, value = 'Grace') =>
    now().dispatch('id="field-git_user_name"', 'input', { target: { value } });
  const key = (name: string, change: object = {}) => {
    const prevented: string[] = [];
    const preventDefault = () => prevented.push(name);
    const held = { ctrlKey: true, metaKey: false, shiftKey: false, altKey: false, repeat: false };
    return { ...held, key: name, code: '', preventDefault, prevented, ...change };
  };

  it('says that it can be filled, with the edits that it has kept', () => {
    assert.deepEqual(page().posted, [{ type: 'ready', kept: null }]);
    end();
    const edits = { ...noEdits, values: { git_user_name: 'Grace' } };
    const kept = {
      edits: { document: formMessage().document, steps: 0, edits },
      ...{
        texts: {},
        open: ['one'],
        reviewed: false,
        addedProviders: ['gitlab'],
        hosts: { forgejo: 'a.example' },
      },
    };
    const again = page(kept);
    assert.deepEqual(again.posted, [{ type: 'ready', kept: kept.edits }]);
    again.receive(formMessage(undefined, { edits }));
    assert.deepEqual(again.stored.at(-1), kept);
    end();
    assert.deepEqual(page({ ...kept, open: 1 }).posted, [{ type: 'ready', kept: null }]);
  });

  it('draws the window first, and the rest when nothing else is to be done', () => {
    const { now, rest, receive } = page();
    receive(formMessage());
    const inputs = () => now().html.match(/<(?:input|select|aw-combobox)\b/g)?.length ?? 0;
    const first = inputs();
    rest();
    assert.ok(inputs() > first);
    assert.match(now().html, /<main\s+aria-busy="false"/);
  });

  it('leads to a section, and shows which one is read', () => {
    const { receive, did, layout, frame, current, tell } = opened();
    assert.deepEqual(current(), [sections[0]]);
    receive({ type: 'reveal', section: 'git' });
    assert.deepEqual(did, ['scroll to id="section-git"', 'focus id="section-git-title"']);
    for (const [scrollY, section] of [
      [-400, sections[0]],
      [599, sections[0]],
      [600, sections[0]],
      [601, sections[1]],
      [1_800, sections[2]],
      [scrollHeight - 903, sections.at(-2)],
      [scrollHeight - 902, sections.at(-1)],
    ] as const) {
      layout.scrollY = scrollY;
      tell('window scroll');
      assert.deepEqual([current(), layout.select.value], [[section], section]);
    }
    layout.scrollY = 0;
    tell('window resize');
    assert.deepEqual(current(), [sections[0]]);
    layout.scrollY = 1_800;
    receive(formMessage());
    frame();
    assert.deepEqual(current(), [sections[2]]);
  });

  it('keeps what it scrolls to clear of what sticks to the top', () => {
    const { heights, layout, parts, watched, receive } = opened();
    receive(formMessage());
    assert.deepEqual(watched, ['.bar', '.side'], 'each once');
    layout.measured([
      { target: parts.get('.bar'), borderBoxSize: [{ blockSize: 40 }] },
      { target: parts.get('.side'), borderBoxSize: [{ blockSize: 300 }] },
      { target: { matches: () => false }, borderBoxSize: [{ blockSize: 1 }] },
      { target: parts.get('.side'), borderBoxSize: [] },
    ]);
    assert.deepEqual(heights, {
      ...{ '--bar-height': '40px', '--side-height': '300px' },
      ...{ 'side --bar-height': '40px', 'side --side-height': '300px' },
    });
    parts.set('.bar', { ...parts.get('.bar')! });
    receive(formMessage());
    assert.deepEqual(watched, ['.bar', '.side', 'no more .bar', '.bar'], 'another one');
  });

  it('focuses the first that’s there of what it’s told to, once that’s drawn', async () => {
    const { receive, did } = opened();
    receive(formMessage(undefined, { goTo: { list: 'servers', id: 'gone' } }));
    assert.deepEqual(did, []);
    await Promise.resolve();
    assert.deepEqual(did, ['focus id="add-server", scrolling']);
  });

  it('tells the extension of edits before it’s hidden', () => {
    const shown = opened();
    edit(shown);
    assert.deepEqual(shown.types(), []);
    shown.tell('document visibilitychange');
    assert.deepEqual(shown.types(), ['edits']);
  });

  it('saves and searches by key, if no other key is held', () => {
    const shown = opened();
    edit(shown);
    const press = (name: string, change: object = {}) => {
      const event = key(name, change);
      shown.tell('window keydown', event);
      return [event.prevented.length, shown.types()];
    };
    for (const change of [{ ctrlKey: false }, { shiftKey: true }, { altKey: true }])
      assert.deepEqual(press('s', change), [0, []], JSON.stringify(change));
    assert.deepEqual(press('a'), [0, []]);
    assert.deepEqual(press('s', { repeat: true }), [1, []], 'held down');
    assert.deepEqual(press('f'), [1, []]);
    assert.equal(shown.focus(), 'id="search"');
    shown.focusOn('');
    assert.deepEqual(press('s', { ctrlKey: false, metaKey: true }), [1, ['edits', 'review']]);
    press('f');
    assert.equal(shown.focus(), '', 'the review is open');
    shown.receive(reviewMessage());
    assert.deepEqual(press('s'), [1, ['save']]);
  });

  it('shows a review over the form, and gives the focus back after it', () => {
    const shown = opened();
    edit(shown);
    shown.focusOn('id="field-git_user_name"');
    shown.now().press('Review changes');
    assert.deepEqual(shown.did, ['modal']);
    shown.focusOn('<dialog');
    shown.receive(reviewMessage());
    shown.now().press('Back');
    assert.deepEqual(shown.did, ['modal', 'focus id="field-git_user_name"']);
    edit(shown, 'Ada');
    assert.equal(shown.did.length, 2, 'once');
  });

  it('gives the focus back after a save, or else to Save', () => {
    const shown = opened();
    edit(shown);
    shown.focusOn('id="field-git_user_name"');
    shown.tell('window keydown', key('s'));
    shown.receive(reviewMessage());
    shown.focusOn('<dialog');
    shown.tell('window keydown', key('s'));
    // What can’t be used loses it.
    shown.focusOn('');
    const saved = formMessage();
    shown.receive({ ...saved, working: 'Saving…' });
    assert.deepEqual(shown.did, ['modal']);
    shown.receive({ ...saved, result: { kind: 'failed', message: 'No.' } });
    assert.equal(shown.did[1], 'focus id="field-git_user_name"');
    end();
    const other = opened();
    other.receive(formMessage(undefined, { working: 'Restoring…' }));
    other.receive(formMessage());
    assert.deepEqual(other.did, ['focus id="save"'], 'nothing had it');
    end();
    const gone = opened({ offers: [{ id: 'd', words: ['Two changes.'] }] });
    gone.focusOn('class="notice offer"');
    gone.receive(formMessage(undefined, { working: 'Restoring…' }));
    gone.focusOn('');
    gone.receive(formMessage());
    assert.deepEqual(gone.did, ['focus id="save"'], 'what had it is gone');
    end();
    const meanwhile = opened();
    meanwhile.receive(formMessage(undefined, { working: 'Restoring…' }));
    meanwhile.focusOn('id="search"');
    meanwhile.receive(formMessage());
    assert.deepEqual(meanwhile.did, []);
  });
});
