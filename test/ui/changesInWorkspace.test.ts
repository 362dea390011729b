import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { sampleFiles } from '../service/agent/sampleRepository';
import { tempFolder, type TempFolder } from '../support/lifetime';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';
import { MessageEditor } from './support/messageEditor';

/** By how many folders have the conversation’s repository. */
const conversations = {
  two: 'Move order history to the new pagination API',
  one: 'Port the tariff parser to nom 8',
  none: 'Why does the nightly export time out?',
};
const remotes = {
  shop: 'https://github.com/northwind/webshop.git',
  'shop again': 'git@github.com:northwind/webshop.git',
  tariffs: 'https://bitbucket.org/gridworks/tariffs.git',
};

let parent: TempFolder;
const at = (...names: string[]) => path.join(parent.path, ...names);
const firstLine = '# Changed here\n';

/** A workspace with the suite’s folder and three repositories with the files that agents change. */
async function makeWorkspace(folder: string): Promise<string> {
  parent = await tempFolder();
  for (const [name, remote] of Object.entries(remotes)) {
    for (const [file, content] of Object.entries(sampleFiles)) {
      await mkdir(path.dirname(at(name, file)), { recursive: true });
      await writeFile(at(name, file), content);
    }
    const git = (...args: string[]) => run('git', args, { cwd: at(name) });
    await git('init', '--quiet', '--initial-branch=main');
    await git('remote', 'add', 'origin', remote);
    await git('add', '.');
    await git('-c', 'user.name=T', '-c', 'user.email=t@example.com', 'commit', '--quiet', '-m', 'First');
    await git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  }
  await writeFile(at('shop again', 'src/slug.py'), `${firstLine}${sampleFiles['src/slug.py'] ?? ''}`);
  const folders = [folder, ...Object.keys(remotes).map((name) => at(name))].map((one) => ({ path: one }));
  await writeFile(at('all.code-workspace'), JSON.stringify({ folders }));
  return at('all.code-workspace');
}

uiSuite(
  'changes in a workspace with several folders',
  (ui) => {
    const has = (name: string) => existsSync(at(name, 'tests/data/slugs.bin'));
    const preview = () => ui.workbench.page.locator('.bulk-edit-panel');
    const labels = async () => (await ui.workbench.quickInput.items()).map(({ label }) => label);
    const choose = async (title: string, action: string) => {
      await ui.workbench.view('Conversations').chooseFromMenu(title, action);
    };
    const press = (name: string) => ui.workbench.page.getByRole('button', { name, exact: true }).click();

    before(async () => {
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });
    after(() => parent.remove());

    it('are applied to the only folder with their remote, without asking', async () => {
      await choose(conversations.one, 'Apply Changes…');
      await preview().getByText('slug.py').first().waitFor();
      assert.equal(await ui.workbench.quickInput.isOpen(), false);
      await press('Apply');
      await ui.workbench.notifications.waitFor('files changed');
      assert.deepEqual([has('tariffs'), has('shop'), has('shop again')], [true, false, false]);
      await ui.workbench.notifications.clear();
    });

    it('ask for the folder if several have their remote, and offer only those', async () => {
      await choose(conversations.two, 'Apply Changes…');
      await ui.workbench.quickInput.waitFor('Select the folder to change');
      await ui.workbench.screenshot('workspace-folders');
      assert.deepEqual((await labels()).toSorted(), ['shop', 'shop again']);
      await ui.workbench.quickInput.pick('shop again');
      await preview().getByText('slug.py').first().waitFor();
      await press('Apply');
      await ui.workbench.notifications.waitFor('files changed');
      assert.deepEqual([has('shop'), has('shop again')], [false, true]);
      const slug = await readFile(at('shop again', 'src/slug.py'), 'utf8');
      assert.ok(slug.startsWith(firstLine) && slug.includes('a-z0-9'), slug);
      await ui.workbench.notifications.clear();
    });

    it('are those of the conversation’s own repository, and ask for any folder if no remote matches', async () => {
      await choose(conversations.none, 'Apply Changes…');
      await ui.workbench.quickInput.waitFor('reports Isn’t Open Here');
      await ui.workbench.screenshot('workspace-no-folder');
      assert.equal((await labels())[0], 'Open Folder…');
      assert.equal((await labels()).length, 5);
      await ui.workbench.quickInput.pick('shop');
      await preview().getByText('slug.py').first().waitFor();
      await press('Discard');
      assert.equal(has('shop'), false);
    });

    it('show the conversation’s own repository without asking, and others on request', async () => {
      await choose(conversations.none, 'Show Changes');
      await ui.workbench.notifications.waitFor(
        'Other repositories in the sandbox have changes, too: webshop.',
      );
      assert.equal(await ui.workbench.quickInput.isOpen(), false);
      const files = ui.workbench.page.locator('.multiDiffEntry:visible');
      await files.filter({ hasText: 'install.md' }).first().waitFor();
      assert.equal(await files.filter({ hasText: 'webshop' }).count(), 0);
      await ui.workbench.screenshot('workspace-own-changes');
      await ui.workbench.notifications.pressInList('Other repositories in the sandbox', 'Show');
      await files.filter({ hasText: 'webshop' }).filter({ hasText: 'install.md' }).first().waitFor();
      await ui.workbench.screenshot('workspace-other-changes');
    });

    it('are found from the file, in the conversations about its repository', async () => {
      await ui.workbench.closeAllEditors();
      await ui.workbench.openFile(at('tariffs', 'src/slug.py'), 'tariffs');
      await ui.workbench.tab('slug.py').click({ button: 'right' });
      const action = 'Show Conversations That Changed This File';
      assert.ok((await ui.workbench.menu.labels()).includes(action));
      await ui.workbench.menu.choose(action);
      await ui.workbench.quickInput.waitFor('Conversations That Changed tariffs/src/slug.py');
      await ui.workbench.screenshot('file-conversations');
      const found = await labels();
      assert.ok(found.includes(conversations.one) && !found.includes(conversations.two), found.join());
      await ui.workbench.quickInput.pick(conversations.one);
      await ui.workbench.webview().locator('[data-event]').first().waitFor();
      await ui.workbench.closeAllEditors();
    });

    it('are sent from the selected repository', async () => {
      await ui.workbench.runCommand(commandIds.conversationStartWithChanges);
      await ui.workbench.quickInput.waitFor('Select a repository');
      assert.ok((await labels()).includes('northwind/webshop'));
      await ui.workbench.quickInput.pick('gridworks/tariffs');
      const editor = new MessageEditor(ui.workbench);
      await editor.waitForOpen();
      await editor.type('Finish it');
      await editor.send();
      await ui.workbench.screenshot('workspace-carry');
      await ui.workbench.quickInput.cancel();
    });
  },
  { service: { agents: '1.58.0' }, workspace: makeWorkspace },
);
