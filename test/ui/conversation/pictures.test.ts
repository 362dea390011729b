import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import { action, head, lifelike, message, smallPicture } from '../../support/conversation/entries';
import { takePicture } from '../../support/picture';
import { buildPage, type Built } from '../support/builtPage';
import { themes } from '../support/themes';
import { ConversationPage } from './conversationPage';

describe('a conversation in the four themes', function () {
  this.timeout(120_000);
  let built: Built;

  before(async () => {
    built = await buildPage('conversation');
  });
  after(() => built.close());

  const picture = (of: Page | Locator, name: string, options?: { fullPage: true }) =>
    takePicture(of, `conversation-${name}`, options);

  for (const theme of themes) {
    it(`shows every kind of entry in ${theme.name}, and axe finds nothing serious`, async () => {
      const conversation = await ConversationPage.open(built, { theme, height: 2600 });
      const seen = message('user', 'It looks like this.', { id: 'seen', images: 2 });
      await conversation.begin([...lifelike(), seen], { masked: 2 });
      await conversation.send({ type: 'pictures', id: 'seen', uris: [smallPicture, smallPicture] });
      const lines = conversation.page.locator('button[aria-expanded="false"]');
      while ((await lines.count()) > 0) await lines.first().click();
      await conversation.page.mouse.move(0, 0);
      assert.deepEqual(await conversation.axe(), []);
      await picture(conversation.page, `entries-${theme.name}`);
      assert.deepEqual(conversation.complaints, []);
    });

    it(`shows what waits for approval in ${theme.name}, and axe finds nothing serious`, async () => {
      const conversation = await ConversationPage.open(built, { theme, height: 900 });
      await conversation.begin(lifelike(), waiting);
      await conversation.send(
        {
          type: 'attachments',
          attachments: [
            { id: 'a', kind: 'quote', label: 'src/slug.ts, lines 3–9', preview: null },
            { id: 'p', kind: 'picture', label: 'Picture 1', preview: smallPicture },
          ],
        },
        { type: 'notice', message: 'The file’s contents are no longer available.' },
      );
      assert.deepEqual(await conversation.axe(), []);
      await picture(conversation.page, `card-${theme.name}`);
      await conversation.button('Reject…').click();
      assert.deepEqual(await conversation.axe(), []);
      await picture(conversation.page, `rejecting-${theme.name}`);
    });
  }

  it('works at 320 px', async () => {
    const conversation = await ConversationPage.open(built, { width: 320, height: 900 });
    await conversation.begin(lifelike(), waiting);
    const overflow = () =>
      conversation.page.evaluate(() =>
        Math.max(
          document.documentElement.scrollWidth - window.innerWidth,
          ...[...document.querySelectorAll('.page *')].map(
            (element) => element.getBoundingClientRect().right - window.innerWidth,
          ),
        ),
      );
    assert.ok((await overflow()) <= 0, `${await overflow()}`);
    assert.deepEqual(await conversation.axe(), []);
    await picture(conversation.page, 'narrow');
    await conversation.send({
      type: 'head',
      head: head({ execution: 'running', live: { text: 'Running `pytest -q`', since: Date.now() - 40_000 } }),
    });
    await conversation.scroller.evaluate((element) => element.scrollTo(0, 0));
    await conversation.frame();
    await picture(conversation.page, 'narrow-top');
  });
});

const waiting = {
  execution: 'waiting_for_confirmation',
  sendEffect: 'rejects',
  limit: 'busy',
  pending: [
    action('a', 'rm -rf build && npm run build', { risk: 'HIGH', thought: 'I clean the folder first.' }),
    action('b', 'Replace the pattern', {
      tool: 'file_editor',
      path: 'src/slug.ts',
      risk: 'LOW',
      diff: [
        { kind: 'removed', text: 'const a = 1;' },
        { kind: 'added', text: 'const a = 2;' },
      ],
    }),
  ],
  outgoing: [
    {
      id: 'o',
      text: 'Also update the changelog.',
      state: 'unknown',
      problem: 'The sandbox didn’t answer. Check the conversation before sending it again.',
    },
  ],
} as const satisfies Partial<ReturnType<typeof head>> as unknown as Partial<ReturnType<typeof head>>;
