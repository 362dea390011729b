import { render } from 'lit/html.js';
import { keptPageSchema } from '../../../shared/conversationMessages';
import { searchPattern } from '../shared/searchPattern';
import { root, vscode } from '../../../core/kit/host';
import { ConversationApp } from './app';
import { Feed, keyOf } from './feed';
import { entryOf, foldOf, foldsEntry, indexOfKey, ItemMaker, withWritten, type Item } from './items';
import { articleOf, goToMessage, itemElement, onKey } from './keyboard';
import './main.css';
import './card.css';
import { OnScreen } from './onScreen';
import { toggled, viewOf } from './state';
import { conversationPage } from './view/page';
import { spanWords } from '../../../core/kit/numbers';

document.adoptedStyleSheets.push(terminalColors());

const kept = keptPageSchema.safeParse(vscode.getState()).data ?? null;

const scroller = () => document.getElementById('feed');
const feed: Feed = new Feed(scroller, draw);
const itemMaker = new ItemMaker();

/** Outside of what's drawn, because it must exist before its words do. */
const announcer = document.createElement('div');
announcer.className = 'visually-hidden';
announcer.setAttribute('role', 'status');
document.body.append(announcer);

const app = new ConversationApp(
  {
    post: (message) => vscode.postMessage(message),
    keep: (state) => vscode.setState(state),
    draw,
    place: () => feed.place,
    reveal: (key, offset) => {
      const isThere = () => indexOfKey(feed.items, key, 0) >= 0;
      if (!isThere()) {
        key = entryOf(key);
        // A turn can have folds.
        for (let fold = foldOf(feed.items, key); fold; fold = foldOf(feed.items, key))
          app.set({ open: toggled(app.state.open, fold.key, true) });
        if (!isThere()) return;
      }
      const { active } = app.state;
      feed.reveal(key, offset);
      app.set({ active: key });
      // Whoever comes for the entry continues from there; a page that starts over returns to where the focus was.
      const on = offset === undefined ? key : (active ?? key);
      if (document.activeElement === scroller()) itemElement(on)?.focus({ preventScroll: true });
    },
    toEnd: () => feed.toEnd(),
    move: (by) => goToMessage(app, feed, by),
    showRest: () => onScreen.showRest(),
    hold: () => feed.stay(),
    focus: (id) => {
      if (id === 'search' && document.activeElement?.id !== id) beforeSearch = document.activeElement;
      wanted = id;
      queueMicrotask(focusWanted);
    },
    leaveSearch: (isFound) => {
      const back = isFound ? itemElement(app.state.active ?? '') : beforeSearch;
      const isThere = back instanceof HTMLElement && back !== document.body && back.isConnected;
      (isThere ? back : scroller())?.focus({ preventScroll: true });
    },
    announce: (words) => (announcer.textContent = words),
  },
  kept,
);
const onScreen: OnScreen = new OnScreen(app);

/** What had the focus before the search. */
let beforeSearch: Element | null = null;

/** Id of the element that gets the focus once it's there, unless the user does something else before; or empty. */
let wanted = '';

function focusWanted(): void {
  const element = document.getElementById(wanted);
  if (!element) return;
  wanted = '';
  element.focus();
}

const isTurn = (item: Item) => item.kind === 'turn';

/** A turn that ends while somebody reads it stays open. */
function keepReadOpen(): void {
  const { items } = feed;
  const next = itemMaker.itemsOf(app.state.entries, viewOf(app.state));
  if (next === items) return;
  const known = new Set(items.filter(isTurn).map(({ key }) => key));
  const ended = next.filter((item) => isTurn(item) && !known.has(item.key));
  if (ended.length === 0) return;
  const { read } = feed;
  const kept = ended.filter((item) => read.some((key) => foldsEntry(item, key)));
  app.state = { ...app.state, open: new Set([...app.state.open, ...kept.map(({ key }) => key)]) };
}

function draw(): void {
  const focused = document.activeElement;
  keepReadOpen();
  const { entries, filter, head } = app.state;
  feed.prepare(withWritten(itemMaker.itemsOf(entries, viewOf(app.state)), entries, filter, head?.written));
  render(conversationPage(app, feed), root);
  feed.settle();
  // What had the focus may have been scrolled out of what is drawn.
  if (focused?.isConnected === false && document.activeElement === document.body)
    scroller()?.focus({ preventScroll: true });
  const { search, finding } = app.state;
  markFound(searchPattern(search?.query ?? '', finding), scroller());
  requestAnimationFrame(afterDrawing);
}

/** Classes of the theme's colors for a terminal, by their codes: `fg-1`, `bg-4`. */
function terminalColors(): CSSStyleSheet {
  const names = ['Black', 'Red', 'Green', 'Yellow', 'Blue', 'Magenta', 'Cyan', 'White'];
  const rules = [...names, ...names.map((name) => `Bright${name}`)].map(
    (name, code) => `.fg-${code} { color: var(--vscode-terminal-ansi${name}, inherit); }
.bg-${code} { background: var(--vscode-terminal-ansi${name}, transparent); }`,
  );
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(rules.join('\n'));
  return sheet;
}

/** Maximum number of places to mark; only a query of a letter or two has more. */
const most = 2_000;

/** Marks what a search found in the entries that are drawn, without changing them. */
function markFound(pattern: RegExp | undefined, feed: Element | null): void {
  CSS.highlights.delete('found');
  if (!pattern || !feed) return;
  const highlight = new Highlight();
  const texts = document.createTreeWalker(feed, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node && highlight.size < most; node = texts.nextNode()) {
    for (const { index, 0: found } of (node.nodeValue ?? '').matchAll(pattern)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + found.length);
      highlight.add(range);
    }
  }
  CSS.highlights.set('found', highlight);
}

function afterDrawing(): void {
  focusWanted();
  onScreen.look();
  watchSizes();
  app.files.ask();
  if (feed.isNearTop) app.wantOlder();
}

/** Elements that grow or shrink must not move what the user is reading. */
const sizes = new ResizeObserver(() => {
  feed.hold();
  onScreen.look();
});
const watched = new WeakSet<Element>();

function watchSizes(): void {
  for (const element of document.querySelectorAll('.scroller, .feed, .dock, .actions')) {
    if (!watched.has(element)) sizes.observe(element);
    watched.add(element);
  }
}

let isScrolling = false;

/** Once a frame, however often the view scrolls. */
function scrolled(): void {
  isScrolling = false;
  app.setAtEnd(feed.isFollowing);
  onScreen.look();
  if (feed.isFollowing && app.state.unseen > 0) app.set({ unseen: 0 });
  if (feed.isNearTop) app.wantOlder();
  app.keep();
}

document.addEventListener(
  'scroll',
  () => {
    if (!isScrolling) requestAnimationFrame(scrolled);
    isScrolling = true;
  },
  { capture: true, passive: true },
);

/** Counts the seconds of what the agent does now. */
setInterval(() => {
  for (const element of document.querySelectorAll<HTMLElement>('[data-since]'))
    element.textContent = spanWords(Date.now() - Number(element.dataset['since']));
}, 1_000);

window.addEventListener('message', (event) => app.receive(event.data));
window.addEventListener('resize', () => onScreen.look());
window.addEventListener('keydown', (event) => onKey(event, app, feed, onScreen));
for (const type of ['keydown', 'pointerdown'])
  window.addEventListener(type, () => (wanted = ''), { capture: true });
document.addEventListener('focusin', ({ target }) => {
  const article = articleOf(target);
  if (article && keyOf(article) !== app.state.active) app.set({ active: keyOf(article) });
});
document.addEventListener('visibilitychange', () => {
  app.report();
  app.keep();
  onScreen.look();
});
app.start();
