import assert from 'node:assert/strict';
import type { Locator, Page } from 'playwright-core';
import {
  action,
  head,
  lifelike,
  message,
  read,
  separator,
  smallPicture,
  terminal,
} from '../../support/conversation/entries';
import { takePicture, takesPictures } from '../../support/picture';
import { canInstallSystemPackages, installSystemPackages } from '../../support/systemPackages';
import { buildPage, type Built } from '../support/builtPage';
import { themes } from '../support/themes';
import { ConversationPage } from './conversationPage';

describe('a conversation in the four themes', function () {
  this.timeout(120_000);
  let built: Built;

  before(async () => {
    // For people who look at the pictures. A browser has the fonts that were there when it started.
    if (takesPictures && canInstallSystemPackages())
      await installSystemPackages(['fonts-wqy-microhei'], 'Chinese and Japanese in pictures');
    built = await buildPage('conversation');
  });
  after(() => built.close());

  const picture = (of: Page | Locator, name: string, options?: { fullPage: true }) =>
    takePicture(of, `conversation-${name}`, options);

  for (const theme of themes) {
    it(`shows every kind of entry in ${theme.name}, and axe finds nothing serious`, async () => {
      const conversation = await ConversationPage.open(built, { theme, height: 2600 });
      const seen = message('user', 'It looks like this.', { id: 'seen', images: 2 });
      const port = separator('listening', '', { port: 5173 });
      await conversation.begin([...lifelike(), port, seen], { masked: 2 });
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

  describe('in other scripts', () => {
    const hebrew = 'תקן את הבדיקה הרעועה של `npm test` בתהליך התשלום (PR #318).';
    const entries = [
      message('user', '修复结账流程中不稳定的测试，并把价格四舍五入到两位小数。'.repeat(3), { id: 'zh' }),
      terminal('npm test -- --grep "注文履歴"', '✔ 合計を四捨五入する (12ms)\n1 件の失敗'),
      read('文档/说明/结账流程.md'),
      message(
        'agent',
        '**注文履歴**を`src/注文.ts`で直しました。\n\n- テストは全部通ります\n- 次は何をしますか？',
      ),
      message('user', hebrew, { id: 'he' }),
    ];
    const open = async (width: number) => {
      const conversation = await ConversationPage.open(built, { width, height: 900 });
      await conversation.begin(entries, {
        execution: 'waiting_for_confirmation',
        sendEffect: 'rejects',
        pending: [action('a', 'git commit -m "修复结账流程中不稳定的测试"', { thought: hebrew })],
      });
      await conversation.frame();
      return conversation;
    };
    /** Where the first and the last character of a text are. */
    const ends = async (text: Locator) => {
      const [first = NaN, last = NaN] = await text.evaluate((element) => {
        const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
        const lefts: number[] = [];
        while (walker.nextNode())
          for (const { index } of (walker.currentNode.textContent ?? '').matchAll(/\S/g)) {
            const range = document.createRange();
            range.setStart(walker.currentNode, index);
            range.setEnd(walker.currentNode, index + 1);
            lefts.push(range.getBoundingClientRect().left);
          }
        return [lefts[0], lefts.at(-1)];
      });
      return { first, last };
    };

    for (const width of [1000, 320])
      it(`keeps within ${width} px`, async () => {
        const conversation = await open(width);
        assert.ok((await overflow(conversation)) <= 0);
        assert.deepEqual(await conversation.axe(), []);
        await picture(conversation.page, `scripts-${width}`);
      });

    it('runs in the direction of its own words, also beside words of the page', async () => {
      const conversation = await open(1000);
      for (const text of [
        conversation.entry('he').locator('p'),
        conversation.page.locator('.quoted .words'),
      ]) {
        const { first, last } = await ends(text.first());
        assert.ok(first > last, `${first} ${last}`);
      }
      const { first, last } = await ends(conversation.entry('zh').locator('p').first());
      assert.ok(first < last);
    });
  });

  it('works at 320 px', async () => {
    const conversation = await ConversationPage.open(built, { width: 320, height: 900 });
    await conversation.begin(lifelike(), waiting);
    assert.ok((await overflow(conversation)) <= 0, `${await overflow(conversation)}`);
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

/** How far something reaches beyond the right edge. */
const overflow = ({ page }: ConversationPage) =>
  page.evaluate(() =>
    Math.max(
      document.documentElement.scrollWidth - window.innerWidth,
      ...[...document.querySelectorAll('.page *')].map(
        (element) => element.getBoundingClientRect().right - window.innerWidth,
      ),
    ),
  );

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
