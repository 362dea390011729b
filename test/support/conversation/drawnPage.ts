import { ConversationApp } from '../../../src/features/conversation/page/app';
import { Feed } from '../../../src/features/conversation/page/feed';
import { itemsOf } from '../../../src/features/conversation/page/items';
import type { TranscriptPage } from '../../../src/features/conversation/page/page';
import { viewOf, type ConversationState } from '../../../src/features/conversation/page/state';
import { conversationPage } from '../../../src/features/conversation/page/view/page';
import type { FromPage } from '../../../src/shared/conversationFromPage';
import type { Head } from '../../../src/shared/transcript';
import { drawn } from '../drawn';
import { head as aHead } from './entries';

/** The page of a conversation without a browser: what it posted, and what it asked of what is around the transcript. */
export function drawnPage(head: Partial<Head> = {}, state: Partial<ConversationState> = {}) {
  const posted: FromPage[] = [];
  const did: string[] = [];
  const ports: TranscriptPage = {
    post: (one) => posted.push(one),
    keep: () => undefined,
    draw: () => undefined,
    place: () => null,
    reveal: (key) => did.push(`reveal ${key}`),
    toEnd: () => did.push('end'),
    move: () => undefined,
    showRest: () => did.push('rest'),
    hold: () => undefined,
    focus: (id) => did.push(`focus ${id}`),
    leaveSearch: (isFound) => did.push(`leave ${isFound}`),
    announce: (words) => did.push(`say ${words}`),
  };
  const app = new ConversationApp(ports, null);
  app.state = { ...app.state, id: 'c', head: { ...aHead(), ...head }, ...state };
  const feed = new Feed(
    () => null,
    () => undefined,
  );
  feed.prepare(itemsOf(app.state.entries, viewOf(app.state)));
  const draw = () => drawn(() => conversationPage(app, feed));
  return { ...draw(), draw, app, posted, did };
}

/** The buttons among these that the page has. */
export const among = ({ buttons }: { buttons: string[] }, ...names: string[]) =>
  buttons.filter((one) => names.some((name) => one.startsWith(name)));
