import { letterOf } from '../../../core/kit/keys';
import type { SendKey } from '../../../shared/conversationMessages';
import type { ConversationApp } from './app';
import { keyOf, type Feed } from './feed';
import { filterPasses, type Item } from './items';
import type { OnScreen } from './onScreen';

/** Keys of the whole page: find, and the ways between entries. */
export function onKey(
  event: KeyboardEvent,
  app: ConversationApp,
  feed: Feed,
  card: Pick<OnScreen, 'passToEnd'>,
): void {
  const withControl = (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey;
  if (withControl && letterOf(event) === 'f') {
    event.preventDefault();
    app.openSearch();
    return;
  }
  if (isComposer(event.target) && app.mentioning.takesKey(event)) {
    event.preventDefault();
    return;
  }
  if (isComposer(event.target) && sends(event, app.state.sendWith)) {
    event.preventDefault();
    // A key that is held down must not send twice.
    if (!event.repeat) app.send();
    return;
  }
  if (isReason(event.target) && sends(event, app.state.sendWith)) {
    event.preventDefault();
    if (!event.repeat) app.answer('reject');
    return;
  }
  // In one jump, what lies between wouldn’t have been on screen.
  if (event.key === 'End' && isInCard(event.target) && !event.repeat) {
    event.preventDefault();
    card.passToEnd();
    return;
  }
  const article = articleOf(event.target);
  if (!article || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
  const isArticle = event.target === article;
  if (isArticle && (event.key === 'Enter' || event.key === ' ')) {
    const toggle = article.querySelector<HTMLElement>('button[aria-expanded]');
    if (!toggle) return;
    event.preventDefault();
    toggle.click();
    return;
  }
  const to = targets[event.key]?.(keyOf(article), feed);
  if (to === undefined) return;
  event.preventDefault();
  focusItem(app, feed, to);
}

/** The key of the item that a key leads to. */
const targets: Readonly<Partial<Record<string, (key: string, feed: Feed) => string | undefined>>> = {
  ArrowUp: (key, { items }) => items[items.findIndex((item) => item.key === key) - 1]?.key,
  ArrowDown: (key, { items }) => items[items.findIndex((item) => item.key === key) + 1]?.key,
  Home: (_key, { items }) => items[0]?.key,
  End: (_key, { items }) => items.at(-1)?.key,
};

function focusItem(app: ConversationApp, feed: Feed, key: string): void {
  app.set({ active: key });
  if (!itemElement(key)) feed.reveal(key, 0);
  const element = itemElement(key);
  element?.focus({ preventScroll: true });
  element?.scrollIntoView({ block: 'nearest' });
  feed.scrolled();
}

/** Focuses the next or previous message, from where the focus is or else the reader, and puts it at the top. */
export function goToMessage(app: ConversationApp, feed: Feed, by: 1 | -1): void {
  const { items, place } = feed;
  const focused = articleOf(document.activeElement);
  const indexOf = (wanted: string) => items.findIndex(({ key }) => key === wanted);
  let to = items.length;
  if (focused && feed.isOnScreen(focused)) to = indexOf(keyOf(focused));
  // Of a message whose beginning was scrolled away, that comes first.
  else if (place) to = indexOf(place.id) + (by < 0 && place.offset < -1 ? 1 : 0);
  to += by;
  while (items[to] && !isMessage(items[to])) to += by;
  const item = items[to];
  if (!item && by > 0) {
    app.toEnd();
    return;
  }
  const key = item?.key ?? items[0]?.key;
  if (key === undefined) return;
  feed.reveal(key, 0);
  app.set({ active: key });
  itemElement(key)?.focus({ preventScroll: true });
}

const isMessage = (item: Item | undefined) => item?.kind === 'entry' && filterPasses.messages(item.entry);

/** The element of the item with this key, if it’s drawn. */
export function itemElement(key: string): HTMLElement | null {
  return document.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`);
}

/** The element of the item that this is in. */
export function articleOf(target: EventTarget | null): HTMLElement | null {
  return target instanceof HTMLElement ? target.closest<HTMLElement>('[data-key]') : null;
}

/** Whether a key sends the message. An input method takes the Enter that ends its composition for itself. */
function sends(event: KeyboardEvent, key: SendKey): boolean {
  const { altKey, ctrlKey, metaKey, shiftKey } = event;
  // WebKit ends the composition before it reports the key that ended it, with this code.
  // eslint-disable-next-line @typescript-eslint/no-deprecated
  const isComposing = event.isComposing || event.keyCode === 229;
  if (event.key !== 'Enter' || isComposing || altKey || shiftKey) return false;
  return ctrlKey || metaKey || key === 'enter';
}

function isInCard(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest('.card') !== null && target.tagName !== 'TEXTAREA';
}

/** The box for words to reject with. */
function isReason(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.id === 'reason';
}

function isComposer(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.dataset['composer'] !== undefined;
}
