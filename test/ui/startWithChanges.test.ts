import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { tempFolder, type TempFolder } from '../support/lifetime';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';
import { MessageEditor } from './support/messageEditor';

/** Where sandboxes clone the repository of the window’s folder from. */
const origins: Record<string, string> = {};

uiSuite(
  'starting a conversation with changes',
  (ui) => {
    let origin: TempFolder;
    const git = (...args: string[]) => run('git', args, { cwd: ui.folder });

    before(async () => {
      origin = await tempFolder();
      await git('clone', '--quiet', '--bare', '.', path.join(origin.path, 'repository'));
      origins['example-org/example-repo'] = path.join(origin.path, 'repository');
      await git('update-ref', 'refs/remotes/origin/feature/greeting', 'HEAD');
      await writeFile(path.join(ui.folder, 'README.md'), '# Changed here\r\n');
      await writeFile(path.join(ui.folder, 'notes.md'), 'untracked\n');
      await writeFile(path.join(ui.folder, '.env'), 'TOKEN=1\n');
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });
    after(() => origin.remove());

    it('sends the selected files, and the message only after them', async () => {
      const { quickInput, page } = ui.workbench;
      const last = ui.service.requests.at(-1)?.id ?? 0;
      await ui.workbench.runCommand(commandIds.conversationStartWithChanges);
      const editor = new MessageEditor(ui.workbench);
      await editor.waitForOpen();
      await editor.type('Finish the greeting');
      await editor.send();
      await quickInput.waitFor('Press Enter to start');
      assert.ok(!(await quickInput.items()).some(({ label }) => label === 'Repository'));
      await quickInput.accept();

      await quickInput.waitFor('Select the files to send');
      const rows = page.locator('.quick-input-list .monaco-list-row');
      const checked = async (name: string) =>
        rows
          .filter({ hasText: name })
          .locator('input[type="checkbox"], .monaco-checkbox')
          .first()
          .getAttribute('aria-checked');
      await rows.filter({ hasText: 'notes.md' }).waitFor();
      await ui.workbench.screenshot('carry-files');
      assert.equal(await checked('README.md'), 'true');
      assert.equal(await checked('notes.md'), 'false');
      assert.equal(await checked('.env'), 'false');
      await quickInput.accept();

      await ui.workbench.dialog().getByText('Send 1 file to the sandbox?').waitFor();
      await ui.workbench.screenshot('carry-question');
      await ui.workbench.dialog().getByRole('button', { name: 'Send and Start' }).click();
      const sent = await ui.service.waitForRequest(
        ({ method, path: route }) => method === 'POST' && route === '/api/v1/app-conversations',
        { after: last },
      );
      assert.equal((sent.body as Record<string, unknown>)['initial_message'], undefined);

      const frame = page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
      await frame
        .locator('[data-from="user"]', { hasText: 'Finish the greeting' })
        .waitFor({ timeout: 60_000 });
      await ui.workbench.screenshot('carry-sent');
    });

    it('shows what the sandbox has, which is what is here', async () => {
      await ui.workbench.runCommand(commandIds.changesShow);
      const files = ui.workbench.page.locator('.multiDiffEntry');
      await files.filter({ hasText: 'README.md' }).first().waitFor();
      assert.equal(await files.filter({ hasText: 'notes.md' }).count(), 0);
      await ui.workbench.page
        .locator('.multiDiffEntry .view-line')
        .filter({ hasText: 'Changed here' })
        .first()
        .waitFor();
    });
  },
  { profiles: ['observed'], service: { agents: '1.58.0', origins } },
);
