import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { tempFolder, type TempFolder } from '../support/lifetime';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';
import { MessageEditor } from './support/messageEditor';

/** Where sandboxes clone the window’s repository from. */
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

    const row = (name: string) =>
      ui.workbench.page.locator('.quick-input-list .monaco-list-row').filter({ hasText: name });
    const checked = (name: string) =>
      row(name).locator('input[type="checkbox"], .monaco-checkbox').first().getAttribute('aria-checked');
    const editor = () => new MessageEditor(ui.workbench);

    /** Writes a message, and continues to the list of files. */
    const begin = async (text: string) => {
      await ui.workbench.runCommand(commandIds.conversationStartWithChanges);
      await editor().waitForOpen();
      await editor().type(text);
      await goOn();
    };
    const goOn = async () => {
      const { quickInput } = ui.workbench;
      await editor().send();
      await quickInput.waitFor('Press Enter to start');
      assert.ok(!(await quickInput.items()).some(({ label }) => label === 'Repository'));
      await quickInput.accept();
      await quickInput.waitFor('Select the files to send');
      await row('notes.md').waitFor();
    };
    const confirm = async (question: string) => {
      await ui.workbench.quickInput.accept();
      await ui.workbench.dialog().getByText(question).waitFor();
      await ui.workbench.dialog().getByRole('button', { name: 'Send and Start' }).click();
    };
    /** At normal and narrow width. */
    const pictures = async (name: string) => {
      await ui.workbench.screenshot(name);
      await ui.workbench.resize(400, 800);
      await ui.workbench.screenshot(`${name}-narrow`);
      await ui.workbench.resize(1280, 800);
    };
    const sent = (text: string) =>
      ui.workbench.page
        .frameLocator('iframe.webview.ready')
        .frameLocator('#active-frame')
        .locator('[data-from="user"]', { hasText: text })
        .first()
        .waitFor({ timeout: 60_000 });

    it('sends the selected files, and the message only after them', async () => {
      const last = ui.service.requests.at(-1)?.id ?? 0;
      await begin('Finish the greeting');
      await pictures('carry-files');
      assert.equal(await checked('README.md'), 'true');
      assert.equal(await checked('notes.md'), 'false');
      assert.equal(await checked('.env'), 'false');
      await ui.workbench.quickInput.accept();

      await ui.workbench.dialog().getByText('Send 1 file to the sandbox?').waitFor();
      await pictures('carry-question');
      await ui.workbench.dialog().getByRole('button', { name: 'Send and Start' }).click();
      const request = await ui.service.waitForRequest(
        ({ method, path: route }) => method === 'POST' && route === '/api/v1/app-conversations',
        { after: last },
      );
      assert.equal((request.body as Record<string, unknown>)['initial_message'], undefined);

      await sent('Finish the greeting');
      await ui.workbench.screenshot('carry-sent');
    });

    it('shows that the sandbox has the same changes', async () => {
      await ui.workbench.runCommand(commandIds.changesShow);
      const files = ui.workbench.page.locator('.multiDiffEntry');
      await files.filter({ hasText: 'README.md' }).first().waitFor();
      assert.equal(await files.filter({ hasText: 'notes.md' }).count(), 0);
      await ui.workbench.page
        .locator('.multiDiffEntry .view-line')
        .filter({ hasText: 'Changed here' })
        .first()
        .waitFor();
      await ui.workbench.closeAllEditors();
    });

    it('keeps message and selection if no conversation was created, and sends both on retry', async () => {
      await ui.workbench.setTheme('hc-dark');
      ui.service.patch({ behaviour: { startsFail: true } });
      await begin('Second try');
      await row('notes.md').click();
      await pictures('carry-files-hc-dark');
      await confirm('Send 2 files to the sandbox?');
      await ui.workbench.notifications.waitFor('Couldn’t start the conversation');
      await ui.workbench.notifications.clear();
      ui.service.patch({ behaviour: { startsFail: false } });
      const failed = ui.workbench.view('Conversations');
      await failed.clickInline('Second try', 'Edit Message and Try Again');
      await editor().waitForText('Second try');
      await goOn();
      assert.deepEqual(
        [await checked('README.md'), await checked('notes.md'), await checked('.env')],
        ['true', 'true', 'false'],
      );
      await confirm('Send 2 files to the sandbox?');
      await sent('Second try');
      await ui.workbench.runCommand(commandIds.changesShow);
      await ui.workbench.page
        .locator('.multiDiffEntry:visible', { hasText: 'notes.md' })
        .first()
        .waitFor({ timeout: 40_000 });
      await ui.workbench.closeAllEditors();
    });

    for (const when of ['while one waits for it', 'after one stopped waiting'])
      it(`gives message and changes back when a running start is dismissed ${when}`, async () => {
        const { notifications } = ui.workbench;
        const held = ui.service.fail({
          method: 'GET',
          path: '/api/v1/app-conversations/start-tasks',
          times: 'always',
          effect: { kind: 'stallBeforeHeaders' },
        });
        const text = `Dismissed ${when}`;
        await begin(text);
        await row('notes.md').click();
        await confirm('Send 2 files to the sandbox?');
        await editor().waitForClosed();
        if (when.startsWith('after')) {
          await notifications.press('Starting conversation', 'Cancel');
          await notifications.waitFor('Follow it in Conversations');
          await notifications.waitFor('Run Start Conversation with My Changes to continue');
        }
        const conversations = ui.workbench.view('Conversations');
        await conversations.row(text).getByText('Starting…').waitFor();
        await conversations.clickInline(text, 'Dismiss');
        await editor().waitForText(text);
        await notifications.get('Starting conversation').waitFor({ state: 'detached' });
        await notifications.waitInList('appears in Conversations when it’s ready');
        const told = await notifications.listed();
        assert.ok(!told.some((words) => words.includes('Couldn’t')), told.join('\n'));
        await ui.workbench.screenshot(`carry-dismissed-${when}`);
        held.remove();
        held.release();
        await notifications.clear();

        await goOn();
        assert.deepEqual(
          [await checked('README.md'), await checked('notes.md'), await checked('.env')],
          ['true', 'true', 'false'],
        );
        await ui.workbench.quickInput.cancel();
        await editor().press('Discard');
        await ui.workbench.dialog().getByRole('button', { name: 'Discard' }).click();
        await editor().waitForClosed();
      });

    it('says where message and changes are if they can’t be sent, and sends them once possible', async () => {
      await ui.workbench.setTheme('hc-light');
      // The remote has lost a commit that it had at the last fetch.
      const commit = ['-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet'];
      await git(...commit, '--allow-empty', '-m', 'Not there');
      await git('update-ref', 'refs/remotes/origin/feature/greeting', 'HEAD');
      await begin('Third try');
      await confirm('Send 1 file to the sandbox?');
      const words = 'doesn’t have the commit that your changes are based on';
      const failure = await ui.workbench.notifications.waitFor(words);
      await failure.getByText('your message wasn’t sent').waitFor();
      await pictures('carry-failed');
      await ui.workbench.notifications.press(words, 'Try Again');
      await ui.workbench.notifications.waitFor(words);
      await ui.workbench.notifications.clear();

      await ui.workbench.reloadWindow();
      await ui.workbench.openAgentWorkspace();
      await git('push', '--quiet', path.join(origin.path, 'repository'), 'HEAD:refs/heads/feature/greeting');
      await ui.workbench.runCommand(commandIds.conversationStartWithChanges);
      await ui.workbench.quickInput.waitFor('Continue or start another');
      await pictures('carry-continue');
      await ui.workbench.quickInput.pick('Continue “Third try”');
      await sent('Third try');
      await ui.workbench.runCommand(commandIds.conversationStartWithChanges);
      await editor().waitForOpen();
    });
  },
  { service: { agents: '1.58.0', origins } },
);
