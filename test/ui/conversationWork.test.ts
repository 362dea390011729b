import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { stream, type ScriptStep } from '../service/agent/script';
import { uiSuite } from '../support/ui';
import { conversationTab, unfoldTurns } from './support/conversationTab';
import { eventually } from '../support/patience';

const title = 'Count and tidy up';
const long = Array.from({ length: 900 }, (_, line) => `row ${line + 1} of the log`).join('\n');

/** What happened before the conversation is opened. */
const past: ScriptStep[] = [
  { act: [{ command: 'cat build.log', output: long }] },
  ...stream(150),
  { act: [{ path: '/workspace/cart.ts', before: 'one\ntwo\n', after: 'one\n2\n' }] },
  { say: 'The **cart** is tidy.' },
];

uiSuite(
  'reading and exporting a conversation in the editor',
  (ui) => {
    const { page, composer, said, step, feed, choose, connect } = conversationTab(ui);
    const toEnd = () => feed().evaluate((scroller) => scroller.scrollTo(0, scroller.scrollHeight));

    before(() => connect(title, 'Count to 150.', past));

    it('opens from the palette with the newest entries, and loads older ones while scrolling up', async () => {
      await ui.workbench.runCommand(commandIds.conversationShow);
      await choose(title);
      await ui.workbench.tab(title).waitFor();
      await said('The cart is tidy.').waitFor();
      await page().locator('.text strong', { hasText: 'cart' }).waitFor();
      await page().locator('#feed').focus();
      await page().locator('[data-event]').last().focus();
      await eventually(
        async () => {
          await ui.workbench.page.keyboard.press('Home');
          return said('Count to 150.').isVisible();
        },
        () => 'the first message isn’t there',
      );
      await ui.workbench.screenshot('conversation-older');
    });

    it('expands a step in place, opens its full output as a document, and copies it', async () => {
      await unfoldTurns(ui);
      const first = step('terminal', 'cat build.log');
      await first.getByRole('button', { expanded: false }).click();
      await first.locator('pre.output', { hasText: 'row 1 of the log' }).waitFor();
      await first.getByRole('button', { name: 'Copy Output' }).click();
      await ui.workbench.page.waitForFunction(async () =>
        (await navigator.clipboard.readText()).includes('row 1 of the log'),
      );
      await first.getByRole('button', { name: 'Open Whole Text' }).click();
      await ui.workbench.page.locator('.monaco-editor .view-lines').first().waitFor();
      assert.match(await ui.workbench.wholeEditorText(), /row 450 of the log/);
      await ui.workbench.tab(title).first().click();
      await composer().waitFor();
    });

    it('opens an edit in the editor’s own diff', async () => {
      await unfoldTurns(ui);
      await toEnd();
      const edit = step('edit', 'cart.ts').last();
      await edit.getByRole('button', { expanded: false }).click();
      await ui.workbench.screenshot('conversation-edit');
      await edit.getByRole('button', { name: 'Open Diff' }).click();
      await ui.workbench.page.locator('.monaco-diff-editor').first().waitFor();
      await ui.workbench.tab('cart.ts (before and after the step)').waitFor();
      await ui.workbench.tab(title).first().click();
    });

    it('searches the whole transcript, and filters', async () => {
      await composer().click();
      await ui.workbench.page.keyboard.press('Control+f');
      const field = page().getByLabel('Find in the conversation');
      await field.fill('row 450 of the log');
      await page().locator('[data-found="current"]', { hasText: 'cat build.log' }).waitFor();
      await page().getByText('1 of 1').waitFor();
      await ui.workbench.screenshot('conversation-find');
      await field.press('Escape');
      await page().locator('#filter').selectOption('messages');
      await said('Count to 150.').waitFor();
      await page().locator('[data-step="terminal"]').first().waitFor({ state: 'detached' });
      await page().locator('#filter').selectOption('all');
    });

    it('exports through the save dialog', async () => {
      await ui.workbench.runCommand(commandIds.conversationExport);
      await ui.workbench.quickInput.waitFor('Select a format');
      await ui.workbench.quickInput.pick('Markdown');
      await ui.workbench.quickInput.waitForValue('/');
      await ui.workbench.quickInput.accept();
      await ui.workbench.quickInput.waitForClosed();
      const exported = async () => {
        const name = (await readdir(ui.folder)).find((entry) => entry.endsWith('tidy up.md'));
        return name === undefined ? '' : readFile(path.join(ui.folder, name), 'utf8');
      };
      // The editor may still be writing the file.
      await eventually(
        async () => (await exported()).includes('row 450 of the log'),
        () => 'the exported file isn’t whole',
      );
      const text = await exported();
      assert.ok(text.startsWith(`# ${title}`));
    });
  },
  { service: { agents: '1.58.0' } },
);
