import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator } from 'playwright-core';
import { sampleFiles } from '../service/agent/sampleRepository';
import type { ScriptedAction } from '../service/agent/script';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import { connectGrouped } from './support/connect';
import { conversationTab } from './support/conversationTab';
import { MessageEditor } from './support/messageEditor';

/** The title of a conversation whose agent waits for approval of two actions. */
const waiting = 'Move order history to the new pagination API';
const repository = 'northwind/webshop';
const idea = 'Greet people by their first name';

/** What waits in the long card. */
const five: ScriptedAction[] = [
  { command: 'terraform apply -auto-approve -var-file=prod.tfvars', risk: 'HIGH' },
  {
    path: '/workspace/project/config/generated.json',
    before: '{\n}',
    after: `{\n${Array.from({ length: 160 }, (_, index) => `  "key${index}": "value ${index}"`).join(',\n')}\n}`,
    risk: 'MEDIUM',
  },
  { tool: 'create_issue', data: { title: 'Config', labels: ['ops'] }, risk: 'MEDIUM' },
  { path: '/workspace/project/src/new.ts', before: null, after: 'export {};\n', risk: 'LOW' },
  { command: 'npm test', risk: 'LOW' },
];

// What users do all day, counted. More than these is a regression, even where everything still works.
uiSuite(
  'the loop of the day',
  (ui) => {
    let conversation = '';
    const { page, button, said, agent } = conversationTab(ui, () => conversation);
    const at = (name: string) => path.join(ui.folder, name);
    const card = () => page().locator('[data-pending]');
    const canApprove = () => button('Approve').and(page().locator('[aria-disabled="false"]'));
    const named = (title: string) => {
      const [found] = [...ui.service.state.conversations.values()].filter((one) => one.title === title);
      assert.ok(found);
      return found;
    };

    /** What the user has done since `begin`, typing aside. */
    const done = { keys: 0, clicks: 0, turns: 0 };
    const begin = () => Object.assign(done, { keys: 0, clicks: 0, turns: 0 });
    const press = async (key: string) => {
      done.keys += 1;
      await ui.workbench.page.keyboard.press(key);
    };
    const click = async (target: Locator) => {
      done.clicks += 1;
      await target.click();
    };
    const hasMore = () => card().getByRole('button', { name: 'Show the Rest' });
    /** Turns the wheel by a notch, over what the pointer is on, which isn't at its end. */
    const turn = async () => {
      done.turns += 1;
      const scrolling = await card().evaluateHandle((element) => ({
        ends: new Promise((resolve) => {
          element.ownerDocument.addEventListener('scrollend', resolve, { capture: true, once: true });
        }),
      }));
      await ui.workbench.page.mouse.wheel(0, 120);
      // What came into view counts once it has been drawn.
      await scrolling.evaluate(async ({ ends }) => {
        await ends;
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
      });
    };
    const titleAction = (name: string) =>
      ui.workbench.page
        .locator('.editor-group-container.active .editor-actions')
        .getByRole('button', { name });

    before(async () => {
      for (const [name, content] of Object.entries(sampleFiles)) {
        await mkdir(path.dirname(at(name)), { recursive: true });
        await writeFile(at(name), content);
      }
      const git = (...args: string[]) => run('git', args, { cwd: ui.folder });
      await git('remote', 'set-url', 'origin', `https://github.com/${repository}.git`);
      await git('add', '.');
      await git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'Second');
      await git('update-ref', 'refs/remotes/origin/feature/greeting', 'HEAD');
      conversation = named(waiting).id;
      await ui.workbench.openAsItIs();
      await connectGrouped(ui);
      await ui.workbench.view('Conversations').row(waiting).waitFor();
      await ui.workbench.notifications.waitFor('Connected to Team');
      await ui.workbench.notifications.clear();
    });

    it('takes 2 keys from code to an approval, and no scrolling for two actions', async () => {
      agent().script.splice(0, Infinity, { finish: 'Moved.' });
      await ui.workbench.openFile(at('README.md'));
      await ui.workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
      begin();
      await press('ControlOrMeta+F8');
      await card().getByText('git clean -fdx && npm ci').first().waitFor();
      await canApprove().waitFor();
      await ui.workbench.screenshot('loop-card');
      await press('ControlOrMeta+Shift+Enter');
      await card().waitFor({ state: 'detached' });
      await page().getByText('Moved.').first().waitFor();
      assert.deepEqual(done, { keys: 2, clicks: 0, turns: 0 });
      assert.equal(agent().deeds.filter((deed) => deed.do === 'accept').length, 1);
    });

    it('takes 2 clicks from a finished agent to its changes in the open folder', async () => {
      await page().locator('[data-execution="finished"]').waitFor();
      begin();
      await click(titleAction('Apply Changes…'));
      await ui.workbench.page.locator('.bulk-edit-panel').getByText('slug.py').first().waitFor();
      await click(ui.workbench.page.getByRole('button', { name: 'Apply', exact: true }));
      await ui.workbench.notifications.waitFor('files changed');
      assert.match(await readFile(at('src/slug.py'), 'utf8'), /a-z0-9/);
      assert.deepEqual(done, { keys: 0, clicks: 2, turns: 0 });
      await ui.workbench.notifications.clear();
      await ui.workbench.closeAllEditors();
    });

    it('takes a click and 2 keys beside typing from an idea to its conversation', async () => {
      const message = new MessageEditor(ui.workbench);
      const { header } = ui.workbench.view('Conversations');
      await header.hover();
      begin();
      await click(header.getByRole('button', { name: 'Start Conversation…' }));
      await message.waitForOpen();
      await ui.workbench.page.locator('.editor-instance .monaco-editor.focused').waitFor();
      await ui.workbench.page.keyboard.insertText(idea);
      await message.waitForText(idea);
      await press('ControlOrMeta+Enter');
      await ui.workbench.quickInput.waitFor('Press Enter to start, or select an option to change it');
      await press('Enter');
      await said(idea).waitFor();
      await page().locator('[data-conversation]:not([data-conversation^="start:"])').waitFor();
      // By then the list shows it, too, and has left the focus where people go on.
      await ui.workbench
        .view('Conversations')
        .pane.locator('[role="treeitem"][aria-selected="true"]')
        .waitFor();
      await page().locator('[data-composer]:focus').waitFor();
      assert.deepEqual(done, { keys: 2, clicks: 1, turns: 0 });
    });

    it('takes six turns of the wheel through five actions, one a long edit that was opened as a diff', async () => {
      const [newest] = [...ui.service.state.conversations.values()].slice(-1);
      assert.ok(newest);
      conversation = newest.id;
      agent().script.splice(0, Infinity, { act: five }, { say: 'Done.' });
      await card().getByText('terraform apply').first().waitFor();
      begin();
      await click(card().getByRole('button', { name: 'Open Diff' }).first());
      await ui.workbench.page
        .locator('.editor-instance .view-line', { hasText: 'value 0' })
        .first()
        .waitFor();
      await card().getByText('You opened the diff').waitFor();
      await card().hover();
      await hasMore().waitFor();
      while ((await hasMore().count()) > 0) await turn();
      // Half a second later, lest a click was meant for something else.
      await canApprove().waitFor();
      await ui.workbench.screenshot('loop-long-card');
      assert.ok(done.turns <= 6, `${done.turns}`);
      await click(canApprove());
      await said('Done.').waitFor();
      assert.equal(agent().deeds.filter((deed) => deed.do === 'accept').length, 1);
    });
  },
  { service: { agents: '1.58.0' } },
);
