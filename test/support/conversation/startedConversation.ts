import type { FromPage } from '../../../src/shared/conversationFromPage';
import type { ToPage } from '../../../src/shared/conversationMessages';
import type { Entry, Head } from '../../../src/shared/transcript';
import { startedPage } from '../startedPage';
import { head as aHead, message, start } from './entries';

const viewHeight = 500;

/** Messages of the agent: e0, e1, and so on. */
export const many = (count: number, first = 0): Entry[] =>
  Array.from({ length: count }, (_, at) =>
    message('agent', `Say ${at + first}`, { id: `e${at + first}`, at: start + at + first }),
  );

/** Starts the page of a conversation without a browser, in a view of 500 pixels, with items of 100 pixels. */
export function startedConversation(kept?: unknown) {
  let page: ReturnType<typeof startedPage>;
  const frames: (() => void)[] = [];
  const looked: unknown[] = [];
  const events: [mark: string, event: object][] = [];
  const highlights = new Map<string, Set<Found>>();
  const layout = { scrollTop: 0, height: 100, visibility: 'visible', resized: () => undefined as unknown };
  const sheets: { text: string }[] = [];
  let focused = '';
  const elements = new Map<string, Element>();
  const elementOf = (mark: string) => {
    const known = elements.get(mark) ?? new Element(mark);
    elements.set(mark, known);
    return known;
  };

  class Element {
    readonly id: string;
    readonly dataset: Record<string, string> = {};
    textContent = '';
    constructor(private readonly mark: string) {
      const [, name = '', value = ''] = /([\w-]+)="(.*)"/.exec(mark) ?? [];
      this.id = name === 'id' ? value : '';
      if (name.startsWith('data-')) this.dataset[name.slice('data-'.length)] = value;
    }
    get isConnected() {
      return html().includes(this.mark);
    }
    focus = () => {
      if (!this.isConnected) return;
      focused = this.mark;
      page.tell('document focusin', { target: this });
    };
    closest = () => (this.dataset['key'] === undefined ? null : this);
    contains = (one: unknown) => one === this;
    scrollIntoView = () => undefined;
    dispatchEvent = (event: object) => events.push([this.mark, event]);
    getBoundingClientRect = () => {
      const at = keys().indexOf(this.dataset['key'] ?? '');
      const top = spacers()[0] + at * layout.height - layout.scrollTop;
      return { left: 0, top, bottom: top + layout.height, height: layout.height };
    };
  }

  /** For `instanceof`. */
  const HTMLElement = { [Symbol.hasInstance]: (one: unknown) => one instanceof Element || one === page.body };

  const html = () => page.now().html;
  const keys = () => [...html().matchAll(/data-key="([^"]*)"/g)].map(([, key = '']) => key);
  const spacers = (): [number, number] => {
    const [above, below] = [...html().matchAll(/style="height: ([\d.]+)px"/g)].map(([, px]) => Number(px));
    return [above ?? 0, below ?? 0];
  };
  const scroller = Object.assign(new Element('id="feed"'), {
    clientHeight: viewHeight,
    getBoundingClientRect: () => ({ top: 0, bottom: viewHeight }),
    querySelectorAll: () => keys().map((key) => elementOf(`data-key="${key}"`)),
  });
  Object.defineProperties(scroller, {
    scrollHeight: { get: () => spacers()[0] + keys().length * layout.height + spacers()[1] },
    scrollTop: {
      get: () => layout.scrollTop,
      set: (wanted: number) => {
        const most = (scroller as unknown as { scrollHeight: number }).scrollHeight - viewHeight;
        layout.scrollTop = Math.max(0, Math.min(wanted, most));
      },
    },
  });
  /** The box of an action of 300 pixels, of which 200 are on screen. */
  const actions = {
    ...{ scrollTop: 0, clientHeight: 200, scrollHeight: 300, parentElement: null },
    getBoundingClientRect: () => ({ top: 0, bottom: 200, width: 300 }),
    querySelectorAll: () => {
      const [top, bottom] = [-actions.scrollTop, 300 - actions.scrollTop];
      return [{ dataset: {}, getBoundingClientRect: () => ({ top, bottom, height: 300 }) }];
    },
  };
  elements.set('id="feed"', scroller);
  const focusedNow = () => (focused === '' ? null : ifThere(focused));
  const ifThere = (mark: string) => (html().includes(mark) ? elementOf(mark) : null);

  const around = (itself: typeof page) => {
    page = itself;
    return {
      document: {
        adoptedStyleSheets: sheets,
        get visibilityState() {
          return layout.visibility;
        },
        get activeElement(): unknown {
          return focusedNow() ?? page.body;
        },
        querySelector: (selector: string) => {
          if (selector === '.actions') return html().includes('class="actions"') ? actions : null;
          return ifThere(selector.slice(1, -1));
        },
        querySelectorAll: (selector: string) =>
          selector === '[data-since]'
            ? [...html().matchAll(/data-since="\d+"/g)].map(([mark]) => elementOf(mark))
            : ['id="feed"', 'class="dock"'].flatMap((mark) => ifThere(mark) ?? []),
        createTreeWalker: (root: unknown) => {
          if (root === null) throw new TypeError('No node.');
          const texts = html()
            .slice(html().indexOf('id="feed"'))
            .split(/<[^>]*>/)
            .map((nodeValue) => ({ nodeValue }));
          return { nextNode: () => texts.shift() ?? null };
        },
        createRange: () => new Found(),
      },
      element: ifThere,
      globals: {
        ...{ HTMLElement, navigator: { userAgent: 'Linux' }, NodeFilter: { SHOW_TEXT: 4 } },
        ...{ Highlight: class extends Set {}, CSS: { escape: String, highlights } },
        MouseEvent: function (type: string, options: object) {
          return { type, ...options };
        },
        CSSStyleSheet: class {
          text = '';
          replaceSync(text: string) {
            this.text = text;
          }
        },
        ResizeObserver: class {
          constructor(resized: () => void) {
            layout.resized = resized;
          }
          observe(one: unknown) {
            looked.push(one);
          }
        },
        getComputedStyle: () => ({ overflowY: 'auto' }),
        requestAnimationFrame: (act: () => void) => frames.push(act),
        getSelection: () => null,
        setTimeout: () => 0,
        clearTimeout: () => undefined,
      },
    };
  };
  page = startedPage('features/conversation/page', kept, around);
  const receive = (...messages: ToPage[]) => {
    for (const one of messages) page.receive(structuredClone(one));
  };
  return {
    ...page,
    posted: page.posted as FromPage[],
    ...{ layout, actions, scroller, sheets, looked, events, keys, receive, ifThere, head: aHead() },
    /** Says which conversation this is, and what is in it. */
    begin: (entries: readonly Entry[], head: Partial<Head> = {}, hasOlder = false) =>
      receive(
        { type: 'begin', id: 'c', service: 's', draft: { text: '', revision: 0 } },
        { type: 'head', head: { ...aHead(), ...head } },
        { type: 'entries', at: 0, removed: 0, added: [...entries], hasOlder },
      ),
    /** Does what waits for the next frame. */
    frame: () => {
      for (const act of frames.splice(0)) act();
    },
    /** What the user does to the view. */
    scrollTo: (top: number) => {
      Object.assign(scroller, { scrollTop: top });
      page.now().dispatch('id="feed"', 'scroll');
      page.tell('document scroll', {}, false);
    },
    /** The items on screen, the first with where it begins. */
    onScreen: () => {
      const all = scroller.querySelectorAll().map((one) => ({ one, ...one.getBoundingClientRect() }));
      const shown = all.filter(({ top, bottom }) => bottom > 0 && top < viewHeight);
      return shown.map(({ one, top }, at) => `${one.dataset['key']}${at === 0 ? ` at ${top}` : ''}`);
    },
    focusOn: (mark: string) => ifThere(mark)?.focus(),
    /** As Safari does when a button is clicked. */
    blur: () => (focused = ''),
    /** What has the focus: the key of an item or the id of anything else; nothing for the page itself. */
    focus: () => {
      const has = focusedNow();
      return has?.dataset['key'] ?? has?.id;
    },
    /** What a search marks. */
    marked: () =>
      [...(highlights.get('found') ?? [])].map(({ text, from, to }) => text.nodeValue.slice(from, to)),
  };
}

/** A range in a text. */
class Found {
  text = { nodeValue: '' };
  from = 0;
  to = 0;
  setStart(text: { nodeValue: string }, at: number) {
    this.text = text;
    this.from = at;
  }
  setEnd(_text: unknown, at: number) {
    this.to = at;
  }
}
