import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { tempFolder, type TempFolder } from '../support/lifetime';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import { fieldHas } from './support/awaited';
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

    /** Writes a message, and continues to the options. */
    const begin = async (text: string) => {
      await ui.workbench.runCommand(commandIds.conversationStartWithChanges);
      await editor().waitForOpen();
      await editor().type(text);
      await editor().send();
    };
    const described = async (label: string) => {
      await ui.workbench.quickInput.row(label).waitFor();
      const item = (await ui.workbench.quickInput.items()).find((one) => one.label === label);
      return [item?.description, item?.detail];
    };
    /** Opens the list of files from the options. */
    const files = async () => {
      await ui.workbench.quickInput.pick('My changes');
      await ui.workbench.quickInput.waitFor('Select the files to send');
      await row('notes.md').waitFor();
      // What is said of a row that the pointer is on would be in the way.
      await ui.workbench.page.mouse.move(0, 0);
    };
    /** Takes the selected files, and goes back to the options. */
    const take = async () => {
      await ui.workbench.quickInput.accept();
      await ui.workbench.quickInput.waitFor('Press Enter to start');
    };
    const start = () => editor().start();
    const page = () => ui.workbench.webview().locator('[data-conversation]');
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
        .locator('[data-conversation]:not([data-conversation^="start:"]) [data-from="user"]', {
          hasText: text,
        })
        .first()
        .waitFor({ timeout: 60_000 });

    it('sends the selected files, and the message only after them', async () => {
      const last = ui.service.requests.at(-1)?.id ?? 0;
      await begin('Finish the greeting');
      const base = (await git('rev-parse', '--short=8', 'HEAD')).trim();
      assert.deepEqual(await described('My changes'), ['1 file', 'README.md']);
      assert.deepEqual(await described('Repository'), ['example-org/example-repo', '']);
      assert.deepEqual(await described('Branch'), [`feature/greeting, based on commit ${base}`, '']);
      await pictures('carry-options');
      await files();
      await pictures('carry-files');
      assert.equal(await checked('README.md'), 'true');
      assert.equal(await checked('notes.md'), 'false');
      assert.equal(await checked('.env'), 'false');
      await take();
      await start();
      const request = await ui.service.waitForRequest(
        ({ method, path: route }) => method === 'POST' && route === '/api/v1/app-conversations',
        { after: last },
      );
      assert.equal((request.body as Record<string, unknown>)['initial_message'], undefined);

      await sent('Finish the greeting');
      await fieldHas(page().locator('[data-composer]'), '');
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
      await files();
      await row('notes.md').click();
      await row('.env').click();
      await pictures('carry-files-hc-dark');
      await take();
      await start();
      await ui.workbench.dialog().getByText('Send a file that may contain secrets?').waitFor();
      await pictures('carry-question');
      await ui.workbench.dialog().getByRole('button', { name: 'Cancel' }).click();
      await editor().send();
      assert.deepEqual(await described('My changes'), ['1 file', 'README.md']);
      await files();
      await row('notes.md').click();
      await take();
      await start();
      await page().locator('[data-kind="error"]', { hasText: 'Couldn’t start the conversation' }).waitFor();
      await pictures('carry-start-failed');
      ui.service.patch({ behaviour: { startsFail: false } });
      await page().getByRole('button', { name: 'Try Again' }).click();
      await sent('Second try');
      await ui.workbench.runCommand(commandIds.changesShow);
      await ui.workbench.page
        .locator('.multiDiffEntry:visible', { hasText: 'notes.md' })
        .first()
        .waitFor({ timeout: 40_000 });
      await ui.workbench.closeAllEditors();
    });

    it('gives message and changes back when a running start is dismissed in its tab', async () => {
      const { notifications } = ui.workbench;
      const held = ui.service.fail({
        method: 'GET',
        path: '/api/v1/app-conversations/start-tasks',
        times: 'always',
        effect: { kind: 'stallBeforeHeaders' },
      });
      const text = 'Dismissed in its tab';
      await begin(text);
      await files();
      await row('notes.md').click();
      await take();
      await start();
      await editor().waitForClosed();
      await page().locator('.live').waitFor();
      const conversations = ui.workbench.view('Conversations');
      await conversations.row(text).getByText('Starting…').waitFor();
      await page().getByRole('button', { name: 'Cancel' }).click();
      await editor().waitForText(text);
      await page().waitFor({ state: 'detached' });
      await notifications.waitInList('appears in Conversations when it’s ready');
      const told = await notifications.listed();
      assert.ok(!told.some((words) => words.includes('Couldn’t')), told.join('\n'));
      await ui.workbench.screenshot('carry-dismissed');
      held.remove();
      held.release();
      await notifications.clear();

      await editor().send();
      await files();
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
      await start();
      const words = 'doesn’t have the commit that your changes are based on';
      const failure = page().locator('[data-kind="error"]', { hasText: words });
      await failure.waitFor();
      const composer = page().locator('[data-composer]');
      await fieldHas(composer, 'Third try');
      await page().getByText('Your changes and your message weren’t sent').waitFor();
      const told = await ui.workbench.notifications.messages();
      assert.ok(!told.some((words) => words.includes('Couldn’t')), told.join('\n'));
      await pictures('carry-failed');

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
