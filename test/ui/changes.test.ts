import assert from 'node:assert/strict';
import path from 'node:path';
import { readAgentServer } from '../../src/api/agent/client';
import { createSandboxWorkspace } from '../../src/api/agent/workspace';
import { parseConversationUrl } from '../../src/api/agent/address';
import { createClient } from '../../src/api/service/client';
import { commandIds } from '../../src/ids';
import { takesPictures } from '../support/picture';
import { run as runHere } from '../support/processes';
import { uiSuite, type UiSuite } from '../support/ui';
import type { Theme } from '../support/workbench';
import { clickUntilHit } from '../support/workbench/clicks';
import { connect } from './support/connect';
import { unfoldTurns } from './support/conversationTab';

/** A conversation whose agent waits for approval, and one that has finished. */
const title = 'Move order history to the new pagination API';

/** The changes of several files in the active editor. */
const changesOf = ({ workbench: { page } }: UiSuite) => {
  // The editor keeps earlier ones, hidden.
  const files = page.locator('.multiDiffEntry:visible');
  return {
    file: (name: string) => files.filter({ hasText: name }).first(),
    line: (text: string) => page.locator('.multiDiffEntry .view-line').filter({ hasText: text }).first(),
  };
};

uiSuite(
  'an agent’s changes',
  (ui) => {
    const record = () => {
      const found = [...ui.service.state.conversations.values()].find((one) => one.title === title);
      assert.ok(found);
      return found;
    };
    const sandbox = () => ui.service.state.sandboxes.get(record().sandbox_id)!;
    const tab = (name: string) => ui.workbench.page.locator('.tabs-container .tab', { hasText: name });
    /** Presses a button in the title bar of the active editor. */
    const press = (name: string) => {
      const actions = ui.workbench.page.locator('.editor-group-container.active .editor-actions');
      return clickUntilHit(actions.getByRole('button', { name }), 'action', name);
    };
    const show = async () => {
      await ui.workbench.view('Conversations').chooseFromMenu(title, 'Show Changes');
    };

    /** Runs a command in the sandbox, like an agent’s command. */
    async function run(command: string): Promise<string> {
      const { url, sessionKey } = ui.service;
      const conversation = await createClient({ baseUrl: url, sessionKey }).getConversation(record().id);
      const address = parseConversationUrl(conversation?.conversation_url ?? '');
      assert.ok(address);
      const server = await readAgentServer(address, {});
      const workspace = createSandboxWorkspace(address, sandbox().session_api_key, server, {});
      const { exitCode, stdout } = await workspace.execute({ command, cwd: '/workspace/project/webshop' });
      assert.equal(exitCode, 0);
      return stdout.trim();
    }

    before(async () => {
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });

    it('open from the conversation’s row, including what commands changed', async () => {
      await show();
      const changes = changesOf(ui);
      await changes.line('[^a-z0-9]+').waitFor();
      await tab(`Changes: ${title}`).waitFor();
      for (const file of ['install.md', 'release', 'slug.py', 'slugs.bin'])
        await changes.file(file).waitFor();
      await changes.line('File mode').waitFor();
      await changes.line('Binary file').waitFor();
      const themes: Theme[] = takesPictures ? ['dark', 'hc-dark', 'hc-light', 'light'] : [];
      for (const theme of themes) {
        await ui.workbench.setTheme(theme);
        await changes.line('Binary file').waitFor();
        await ui.workbench.screenshot(`changes-${theme}`);
      }
      await ui.workbench.runCommand('View: Toggle Primary Side Bar Visibility');
      await ui.workbench.resize(400, 800);
      await changes.line('File mode').waitFor();
      await ui.workbench.screenshot('changes-narrow');
      await ui.workbench.resize(1280, 800);
      await ui.workbench.openAgentWorkspace();
    });

    it('accept comments on their lines, which survive a reload, as does whose they are', async () => {
      const { page } = ui.workbench;
      await changesOf(ui).line('[^a-z0-9]+').click();
      await ui.workbench.runCommand(commandIds.changesComment);
      const box = page.locator('.review-widget .comment-form .monaco-editor').first();
      await box.click();
      await page.keyboard.type('Keep underscores, too.');
      await page.locator('.review-widget').getByRole('button', { name: 'Add Comment' }).click();
      const kept = page.locator('.review-widget .comment-body', { hasText: 'Keep underscores, too.' });
      await kept.waitFor();
      await ui.workbench.screenshot('changes-comment');
      await ui.workbench.reloadWindow();
      await ui.workbench.openAgentWorkspace();
      await changesOf(ui).line('[^a-z0-9]+').waitFor();
      await kept.waitFor();
      // Without asking for the conversation.
      await press('Open Conversation');
      await ui.workbench.webview().locator('[data-event]').first().waitFor();
      await tab('Changes:').click();
      await kept.waitFor();
    });

    it('have their comments sent in one message, after asking', async () => {
      await ui.workbench.runCommand(commandIds.changesSendComments);
      const dialog = ui.workbench.dialog();
      await dialog.getByText(`Send 1 comment to “${title}”?`).waitFor();
      await dialog.getByText('Rejects the agent’s request, and sends it this message.').waitFor();
      await ui.workbench.screenshot('changes-send-comments');
      await dialog.getByRole('button', { name: 'Send' }).click();
      const message = ui.workbench
        .webview()
        .locator('[data-kind="message"]', { hasText: 'Keep underscores' });
      await message.first().waitFor();
      await message.first().getByText('src/slug.py').waitFor();
      // What comes after it would move what the next test clicks.
      await ui.workbench.webview().locator('[data-execution="finished"]').waitFor();
      await ui.workbench.screenshot('changes-comments-sent');
    });

    it('open from the conversation’s header, and a step’s changes from its entry', async () => {
      const page = ui.workbench.webview();
      await ui.workbench.view('Conversations').clickRow(title);
      await unfoldTurns(ui);
      // From the end, it may be too far up to be drawn.
      await page.locator('[data-key]').last().press('Home');
      const step = page.locator('[data-step="edit"]', { hasText: 'slug.py' }).first();
      await step.locator('.step-line').click();
      await step.getByRole('button', { name: 'Comment on Changes' }).click();
      await tab('Step:').waitFor();
      await changesOf(ui).file('slug.py').waitFor();
      await ui.workbench.screenshot('changes-step');
      await ui.workbench.closeAllEditors();
      await ui.workbench.view('Conversations').clickRow(title);
      await page.getByRole('button', { name: 'Show Changes', exact: true }).click();
      await changesOf(ui).file('slugs.bin').waitFor();
    });

    it('have what comes next in their title bar, without asking for the conversation', async () => {
      await ui.workbench.screenshot('changes-title');
      await press('Send Comments to Agent…');
      await ui.workbench.notifications.waitFor('There are no comments to send.');
      await ui.workbench.notifications.clear();
      await press('Apply Changes…');
      await ui.workbench.quickInput.row(path.basename(ui.folder)).waitFor();
      await ui.workbench.quickInput.cancel();
      await press('Open Conversation');
      await ui.workbench.webview().locator('[data-event]').first().waitFor();
    });

    it('go onto a new branch, while the folder stays as it is, and off it again', async () => {
      const git = (...args: string[]) => runHere('git', args, { cwd: ui.folder });
      await git('config', 'user.name', 'Test');
      await git('config', 'user.email', 'test@example.com');
      const start = async () => {
        await ui.workbench
          .view('Conversations')
          .chooseFromMenu(title, 'Branch and Commits', 'Create Branch from Changes…');
        await ui.workbench.quickInput.waitFor('Isn’t Open Here');
        await ui.workbench.quickInput.pick(path.basename(ui.folder));
      };
      await start();
      await ui.workbench.notifications.waitFor('isn’t in your repository yet');
      await ui.workbench.notifications.clear();
      await git('fetch', '--quiet', await run('git rev-parse --show-toplevel'));
      await start();
      await ui.workbench.quickInput.waitFor('Name of the new branch');
      await ui.workbench.screenshot('branch-name');
      await ui.workbench.quickInput.accept();
      await ui.workbench.notifications.waitFor('has the agent’s commit, and one more');
      await ui.workbench.screenshot('branch-made');
      const name = (await git('branch', '--list', '--format=%(refname:short)', 'agent/*')).trim();
      assert.match(await git('show', '--stat', name), /slugs\.bin/);
      assert.match(await git('log', '--format=%s', name), /\nRename the setup page\n/);
      assert.equal((await git('status', '--porcelain')).trim(), '');
      await ui.workbench.notifications.press('and one more', 'Undo');
      await ui.workbench.notifications.waitFor('The branch is deleted.');
      assert.equal((await git('branch', '--list', 'agent/*')).trim(), '');
      await ui.workbench.notifications.clear();
    });

    it('open from the palette, after asking for the conversation', async () => {
      await ui.workbench.closeAllEditors();
      await ui.workbench.runCommand(commandIds.changesShow);
      await ui.workbench.quickInput.waitFor('Show Changes');
      await ui.workbench.quickInput.pick(title);
      await changesOf(ui).file('slugs.bin').waitFor();
    });

    it('open from the Source Control menu', async () => {
      // With changes in the active editor, it wouldn’t ask for the conversation.
      await ui.workbench.closeAllEditors();
      await ui.workbench.runCommand('Source Control: Focus on Changes View');
      // It takes the focus a moment later, which would close the menu.
      await ui.workbench.page.locator('.sidebar :focus').first().waitFor();
      const header = ui.workbench.page.locator('.sidebar .pane-header[aria-label^="Changes"]');
      await header.hover();
      await header.getByRole('button', { name: /^More Actions/ }).click();
      const labels = await ui.workbench.menu.labels();
      await ui.workbench.screenshot('changes-source-control');
      const own = ['Show Changes', 'Apply Changes…', 'Start Conversation with My Changes…'];
      assert.deepEqual(labels.slice(-own.length), own);
      await ui.workbench.menu.choose('Show Changes');
      await ui.workbench.quickInput.waitFor('Show Changes');
      await ui.workbench.quickInput.cancel();
      await ui.workbench.openAgentWorkspace();
    });

    it('stop loading when canceled, and nothing opens', async () => {
      await ui.workbench.closeAllEditors();
      // Git reads files with this attribute through a slow filter.
      await run(
        'git config filter.slow.clean "sleep 20; cat"; echo "*.bin filter=slow" > .git/info/attributes',
      );
      await show();
      await ui.workbench.notifications.press('Reading changes', 'Cancel');
      await ui.workbench.notifications.get('Reading changes').waitFor({ state: 'detached' });
      await run('rm .git/info/attributes');
      assert.equal(await tab('Changes').count(), 0);
    });

    it('can be limited to those since the last look', async () => {
      await ui.workbench.closeAllEditors();
      await run('printf "more\\n" > "notes \\$(id) and \\"quotes\\".txt"');
      await show();
      await ui.workbench.quickInput.waitFor('Some files changed since you last looked');
      await ui.workbench.screenshot('changes-since');
      await ui.workbench.quickInput.pick('Since You Last Looked');
      const changes = changesOf(ui);
      await changes.file('notes $(id) and "quotes".txt').waitFor();
      assert.equal(await changes.file('slug.py').count(), 0);
    });

    it('come from the transcript until a paused sandbox is resumed', async () => {
      await ui.workbench.closeAllEditors();
      sandbox().status = 'PAUSED';
      await show();
      await tab('Changes (may be incomplete):').waitFor();
      await changesOf(ui).file('slug.py').waitFor();
      assert.equal(await changesOf(ui).file('slugs.bin').count(), 0);
      await ui.workbench.notifications.waitFor('because the sandbox is paused');
      await ui.workbench.screenshot('changes-incomplete');
      await ui.workbench.notifications.press('because the sandbox is paused', 'Resume and Show All');
      // Files further down aren’t drawn.
      await changesOf(ui).file('install.md').waitFor({ timeout: 40_000 });
      await tab(`Changes: ${title}`).waitFor();
    });
  },
  { service: { agents: '1.58.0' } },
);
