import { render } from 'lit/html.js';
import { keptPageSchema } from '../../shared/conversationMessages';
import { root, vscode } from '../kit/host';
import './ansiColors';
import { App } from './app';
import { Feed, keyOf } from './feed';
import { markFound } from './highlights';
import { indexOfEntry, ItemMaker } from './items';
import '../kit/base.css';
import { articleOf, onKey } from './keyboard';
import './main.css';
import './card.css';
import { OnScreen } from './onScreen';
import { toggled } from './state';
import { page } from './view/page';
import { spanWords } from './words';

const kept = keptPageSchema.safeParse(vscode.getState()).data ?? null;

const scroller = () => document.getElementById('feed');
const feed: Feed = new Feed(scroller, draw);
const itemMaker = new ItemMaker();

/** Outside of what's drawn, because it must exist before its words do. */
const announcer = document.createElement('div');
announcer.className = 'visually-hidden';
announcer.setAttribute('role', 'status');
document.body.append(announcer);

const app = new App(
  {
    post: (message) => vscode.postMessage(message),
    keep: (state) => vscode.setState(state),
    draw,
    place: () => {
      const { place } = feed;
      // Headings of days and folds are named after their first entry.
      return place && { ...place, id: place.id.replace(/^(?:day|fold):/, '') };
    },
    reveal: (id, offset) => {
      const found = () => feed.items[indexOfEntry(feed.items, id)];
      const folded = found();
      if (folded?.kind === 'fold' && app.state.search?.current === id)
        app.set({ open: toggled(app.state.open, folded.key, true) });
      const item = found();
      if (!item) return;
      feed.reveal(item.key, offset);
      app.set({ active: item.key });
    },
    toEnd: () => feed.toEnd(),
    hold: () => feed.stay(),
    focus: (id) => {
      wanted = id;
      queueMicrotask(focusWanted);
    },
    announce: (words) => (announcer.textContent = words),
  },
  kept,
);
const onScreen = new OnScreen(app);

/** Id of the element that gets the focus once it's there, unless the user does something else before. */
let wanted: string | undefined;

function focusWanted(): void {
  const element = wanted === undefined ? null : document.getElementById(wanted);
  if (!element) return;
  wanted = undefined;
  element.focus();
}

function draw(): void {
  const focused = document.activeElement;
  const { entries, filter, open } = app.state;
  feed.prepare(itemMaker.itemsOf(entries, filter, open));
  render(page(app, feed), root);
  feed.settle();
  // What had the focus may have been scrolled out of what is drawn.
  if (focused?.isConnected === false && document.activeElement === document.body)
    scroller()?.focus({ preventScroll: true });
  markFound(app.state.search?.query, scroller());
  requestAnimationFrame(afterDrawing);
}

function afterDrawing(): void {
  focusWanted();
  onScreen.look();
  watchSizes();
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
window.addEventListener('keydown', (event) => onKey(event, app, feed));
for (const type of ['keydown', 'pointerdown'])
  window.addEventListener(type, () => (wanted = undefined), { capture: true });
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
