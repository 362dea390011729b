import assert from 'node:assert/strict';
import { message, step } from '../../support/conversation/entries';
import { themes } from '../support/themes';
import { ConversationPage, openConversation } from './conversationPage';
import type { Built } from '../support/builtPage';

const text = [
  '```ts',
  "const slug = 'gruesse'; // 12",
  '```',
  '',
  '| Input | Slug |',
  '| --- | ---: |',
  '| Grüße | gruesse |',
].join('\n');

describe('code in a conversation', function () {
  this.timeout(60_000);
  let conversation: ConversationPage;
  let built: Built;
  openConversation((page, parts) => ([conversation, built] = [page, parts]));

  it('is copied by a button of each block, and tables are aligned as they say', async () => {
    await conversation.begin([message('agent', text, { id: 'm' })]);
    await conversation.entry('m').focus();
    await conversation.button('Copy Code').click();
    assert.equal((await conversation.next('copyCode')).text, "const slug = 'gruesse'; // 12");
    const cell = conversation.page.locator('td').last();
    assert.equal(await cell.evaluate((one) => getComputedStyle(one).textAlign), 'right');
  });

  for (const theme of themes)
    it(`has the theme’s colors in messages and diffs in ${theme.name}`, async () => {
      const shown = await ConversationPage.open(built, { theme });
      const edit = step(
        {
          step: 'edit',
          path: 'src/a.py',
          isNew: false,
          added: 1,
          removed: 1,
          diff: [
            { kind: 'removed', text: "return 'a' # 1" },
            { kind: 'added', text: 'return 2' },
          ],
          hasContents: true,
        },
        { id: 'edit' },
      );
      await shown.begin([message('agent', text), edit]);
      await shown.entry('edit').getByRole('button').first().click();
      const kinds = (place: string) =>
        shown.page
          .locator(`${place} [data-code]`)
          .evaluateAll((all) => all.map((one) => [one.getAttribute('data-code'), one.textContent].join(' ')));
      assert.deepEqual(await kinds('.code-block'), ['keyword const', "string 'gruesse'", 'comment // 12']);
      assert.deepEqual(await kinds('pre.diff'), [
        'keyword return',
        "string 'a'",
        'comment # 1',
        'keyword return',
        'number 2',
      ]);
      const colors = await shown.page
        .locator('.code-block :is(code, [data-code])')
        .evaluateAll((all) => all.map((one) => getComputedStyle(one).color));
      assert.equal(new Set(colors).size, 4);
      assert.deepEqual(await shown.axe(), []);
      await shown.close();
    });
});
