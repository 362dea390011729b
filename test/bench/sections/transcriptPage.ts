import type { Page } from 'playwright-core';
import type { Entry } from '../../../src/shared/transcript';
import { entryText } from '../../../src/features/transcript/model/entryText';
import { manyEntries, message } from '../../support/conversation/entries';
import { ConversationPage } from '../../ui/conversation/conversationPage';
import { buildPage, type Built } from '../../ui/support/builtPage';
import { alternately } from '../support/pacing';
import { atMost, figure, never, pairFigures, type Figure, type Pair } from '../support/figures';

const many = 10_000;
const veryMany = 100_000;
/** The longest frame that people don't notice, in milliseconds. */
const longMs = 50;

/** Shows the texts of all entries as plain paragraphs and does nothing else. */
const bareScript = `
const feed = Object.assign(document.createElement('div'), { id: 'feed' });
feed.style = 'height: 100vh; overflow-y: auto';
document.body.append(feed);
acquireVsCodeApi().postMessage({ type: 'ready', draft: { text: '', revision: 0 } });
window.addEventListener('message', ({ data }) => {
  if (!data.texts) return;
  feed.append(...data.texts.map((text) => Object.assign(document.createElement('p'), { textContent: text })));
  feed.scrollTop = feed.scrollHeight;
});`;

/** One of the two pages, with a function that makes its message for new entries. */
interface Shown {
  page: ConversationPage;
  add: (entries: readonly Entry[]) => unknown;
}

/** The page in plain Chromium, compared with one that shows the same text. */
export async function transcriptPage(runs: number): Promise<Figure[]> {
  const built = await buildPage('conversation');
  const bare = { ...built, script: bareScript, style: '' };
  const entries = manyEntries(many);
  const times = Math.min(runs, 5);
  const ours = (use: (shown: Shown) => Promise<number>) => () => withPage(built, ourMessage, use);
  const beside = (use: (shown: Shown) => Promise<number>) => () => withPage(bare, textsOf, use);
  const side = (use: (shown: Shown) => Promise<number>): Promise<Pair[]> =>
    alternately(times, ours(use), beside(use));

  const first = await side(({ page, add }) => painted(page.page, add(entries.slice(-200))));
  const newer = await side(async ({ page, add }) => {
    await filled({ page, add }, entries);
    return painted(page.page, add([message('agent', 'The newest')]));
  });
  const scrolled = await side(async ({ page, add }) => {
    await filled({ page, add }, entries);
    return longFrames(page.page);
  });
  const drawn = await ours(async ({ page, add }) => {
    await filled({ page, add }, entries);
    for (let turn = 0; turn < 20; turn += 1) await page.scrollBy(-2_000);
    return page.page.locator('[data-key]').count();
  })();
  const last = await ours(async (shown) => {
    await filled(shown, manyEntries(veryMany));
    return painted(shown.page.page, shown.add([message('agent', 'The newest')]));
  })();
  await built.close();
  return [
    ...pairFigures('the newest 200 entries to paint', 'page with the same text', 'ms', first),
    figure(`entries drawn of ${many}`, '', [drawn], never(200)),
    ...pairFigures(`new entry after ${many} to paint`, 'page with the same text', 'ms', newer, {
      ours: atMost(150),
    }),
    figure(`  after ${veryMany}`, 'ms', [last], atMost(150)),
    ...pairFigures(
      `frames over ${longMs} ms of 300 while scrolling`,
      'page with the same text',
      '',
      scrolled,
      {
        ours: atMost(0),
      },
    ).slice(0, 2),
  ];
}

let count = 0;
const ourMessage = (added: readonly Entry[]) => {
  const at = count;
  count += added.length;
  return { type: 'entries', at, removed: 0, added, hasOlder: false };
};
const textsOf = (added: readonly Entry[]) => ({ texts: added.map(entryText) });

async function withPage(
  built: Built,
  add: (entries: readonly Entry[]) => unknown,
  use: (shown: Shown) => Promise<number>,
): Promise<number> {
  const page = await ConversationPage.open(built);
  await page.page.evaluate('globalThis.__name ??= (value) => value');
  await page.begin([]);
  count = 0;
  const result = await use({ page, add });
  await page.close();
  return result;
}

/** Sends the entries in batches, as the extension host does. */
async function filled({ page, add }: Shown, entries: readonly Entry[]): Promise<void> {
  for (let from = 0; from < entries.length; from += 1_000)
    await page.send(add(entries.slice(from, from + 1_000)) as Record<string, unknown>);
  await page.frame();
}

/** Sends the page a message. Returns the milliseconds until the frame that shows it has been painted. */
function painted(page: Page, data: unknown): Promise<number> {
  return page.evaluate((message) => {
    const began = performance.now();
    window.dispatchEvent(new MessageEvent('message', { data: message }));
    return new Promise<number>((resolve) => {
      requestAnimationFrame(() => {
        const channel = new MessageChannel();
        channel.port1.onmessage = () => resolve(performance.now() - began);
        channel.port2.postMessage(null);
      });
    });
  }, data);
}

/** Scrolls up by 100 pixels a frame. Returns how many frames took longer than `longMs`. */
function longFrames(page: Page): Promise<number> {
  return page.evaluate(async (limit) => {
    const frame = () => new Promise<number>((resolve) => requestAnimationFrame(resolve));
    const feed = document.getElementById('feed');
    let long = 0;
    let last = await frame();
    for (let turn = 0; turn < 300; turn += 1) {
      feed?.scrollBy(0, -100);
      const now = await frame();
      if (now - last > limit) long += 1;
      last = now;
    }
    return long;
  }, longMs);
}
