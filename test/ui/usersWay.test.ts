import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { sampleFiles } from '../service/agent/sampleRepository';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import { SettingsForm } from '../support/workbench/settingsForm';
import { plainSettings } from './saving/support';
import { connectGrouped, ungroup } from './support/connect';
import { conversationTab } from './support/conversationTab';
import { MessageEditor } from './support/messageEditor';

/** The title of a conversation whose agent waits for approval. */
const waiting = 'Move order history to the new pagination API';
/** The first message of the conversation that is started here, which is its title, too. */
const asked = 'Greet people by their first name';

// What most users do on most days, in one window: `npm test` has no other test of the packaged extension.
uiSuite(
  'a user’s way',
  (ui) => {
    let conversation = '';
    const { page, button, said, send, agent } = conversationTab(ui, () => conversation);
    const at = (name: string) => path.join(ui.folder, name);
    const card = () => page().locator('[data-pending]');

    before(async () => {
      plainSettings(ui);
      for (const [name, content] of Object.entries(sampleFiles)) {
        await mkdir(path.dirname(at(name)), { recursive: true });
        await writeFile(at(name), content);
      }
      await run('git', ['add', '.'], { cwd: ui.folder });
      await ui.workbench.openAgentWorkspace();
    });

    it('connects, and lists what the service has', async () => {
      await connectGrouped(ui);
      await ui.workbench.notifications.waitFor('Connected to Team');
      await ui.workbench.notifications.clear();
      await ungroup(ui.workbench);
      await ui.workbench.view('Conversations').row(waiting).waitFor();
      await ui.workbench.view('Sandboxes').pane.getByRole('treeitem').first().waitFor();
    });

    it('starts a conversation about the open repository', async () => {
      const message = new MessageEditor(ui.workbench);
      await message.open();
      await message.type(asked);
      await message.send();
      await message.start();
      await ui.workbench.dialog().getByRole('button', { name: 'Start Anyway' }).click();
      // The conversation opens where its message was written.
      await said(asked).waitFor();
      await ui.workbench
        .webview()
        .locator('[data-conversation]:not([data-conversation^="start:"])')
        .waitFor();
      const [newest] = [...ui.service.state.conversations.values()].slice(-1);
      assert.equal(newest?.selected_repository, 'example-org/example-repo');
      conversation = newest.id;
      agent().script.splice(0, Infinity, { say: 'They are greeted.' });
      await said('They are greeted.').waitFor();
    });

    it('shows what the agent asks, and runs it once it is approved', async () => {
      await ui.workbench.runCommand(commandIds.conversationPolicy);
      await ui.workbench.quickInput.pick('Ask before each action');
      await button('Approvals: each action').waitFor();
      await send('Clean up.', { act: [{ command: 'git clean -fdx', risk: 'LOW' }] }, { say: 'Clean.' });
      await card().getByText('git clean -fdx').first().waitFor();
      const before = agent().deeds.length;
      await button('Approve').click();
      await said('Clean.').waitFor();
      await card().waitFor({ state: 'detached' });
      const deeds = agent().deeds.slice(before);
      assert.deepEqual(
        deeds.map((deed) => deed.do),
        ['accept', 'execute'],
      );
      await ui.workbench.closeAllEditors();
    });

    it('applies an agent’s changes to the open folder, and undoes them', async () => {
      await ui.workbench.view('Conversations').chooseFromMenu(waiting, 'Apply Changes…');
      await ui.workbench.quickInput.waitFor('Apply Changes');
      await ui.workbench.quickInput.pick(path.basename(ui.folder));
      await ui.workbench.page.locator('.bulk-edit-panel').getByText('slug.py').first().waitFor();
      await ui.workbench.page.getByRole('button', { name: 'Apply', exact: true }).click();
      await ui.workbench.notifications.waitFor('files changed');
      assert.equal(await readFile(at('docs/install.md'), 'utf8'), sampleFiles['docs/setup.md']);
      assert.ok(!existsSync(at('docs/setup.md')));
      await ui.workbench.notifications.press('files changed', 'Undo');
      await ui.workbench.notifications.waitFor('Your files are as they were before');
      assert.ok(existsSync(at('docs/setup.md')) && !existsSync(at('docs/install.md')));
      await ui.workbench.notifications.clear();
      await ui.workbench.closeAllEditors();
    });

    it('saves only what was changed in the form', async () => {
      const before = structuredClone(ui.service.state.settings);
      const form = new SettingsForm(ui.workbench);
      await form.open();
      await form.field('git_user_name').fill('Ada Lovelace');
      await form.field('max_iterations').fill('77');
      await form.saved();
      assert.deepEqual(ui.service.state.settings, {
        ...before,
        git_user_name: 'Ada Lovelace',
        max_iterations: 77,
      });
      await form.close();
      await form.open();
      assert.equal(await form.field('git_user_name').inputValue(), 'Ada Lovelace');
      assert.equal(await form.field('max_iterations').inputValue(), '77');
    });
  },
  { service: { agents: '1.58.0' } },
);
