import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { sampleFiles } from '../service/agent/sampleRepository';
import { takesPictures } from '../support/picture';
import { run } from '../support/processes';
import { uiSuite } from '../support/ui';
import type { Theme } from '../support/workbench';
import { connect } from './support/connect';
import { eventually } from '../support/patience';

const title = 'Move order history to the new pagination API';
/** A line that changed only here. */
const own = '# Changed here\n';

uiSuite(
  'applying an agent’s changes',
  (ui) => {
    const at = (name: string) => path.join(ui.folder, name);
    const preview = () => ui.workbench.page.locator('.bulk-edit-panel');
    const read = (name: string) => readFile(at(name), 'utf8');
    const until = (holds: () => boolean | Promise<boolean>) =>
      eventually(holds, () => `this doesn’t hold: ${holds.toString()}`);

    before(async () => {
      for (const [name, content] of Object.entries(sampleFiles)) {
        await mkdir(path.dirname(at(name)), { recursive: true });
        await writeFile(at(name), content);
      }
      await writeFile(at('src/slug.py'), `${own}${sampleFiles['src/slug.py'] ?? ''}`);
      await run('git', ['add', '.'], { cwd: ui.folder });
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });

    const begin = async () => {
      await ui.workbench.view('Conversations').chooseFromMenu(title, 'Apply Changes…');
      await ui.workbench.quickInput.waitFor('Isn’t Open Here');
      // Enter doesn’t change another repository.
      await ui.workbench.screenshot('apply-folder');
      const [first] = await ui.workbench.quickInput.items();
      assert.equal(first?.label, 'Open Folder…');
      await ui.workbench.quickInput.pick(path.basename(ui.folder));
    };
    const open = async () => {
      await begin();
      await preview().getByText('slug.py').first().waitFor();
    };

    it('shows everything in the refactor preview first, and writes nothing if that’s discarded', async () => {
      await open();
      const themes: Theme[] = takesPictures ? ['light', 'hc-light', 'hc-dark', 'dark'] : [];
      for (const theme of themes) {
        await ui.workbench.setTheme(theme);
        await preview().getByText('slug.py').first().waitFor();
        await ui.workbench.screenshot(`apply-preview-${theme}`);
      }
      await ui.workbench.resize(400, 800);
      await ui.workbench.screenshot('apply-preview-narrow');
      await ui.workbench.resize(1280, 800);
      assert.equal(await preview().locator('input[type="checkbox"]:not(:checked)').count(), 0);
      await ui.workbench.page.getByRole('button', { name: 'Discard', exact: true }).click();
      await preview().waitFor({ state: 'hidden' });
      assert.ok(existsSync(at('docs/setup.md')));
      assert.ok(!existsSync(at('tests/data/slugs.bin')));
    });

    it('copies the agent’s files byte for byte, and keeps local changes', async () => {
      await open();
      await ui.workbench.page.getByRole('button', { name: 'Apply', exact: true }).click();
      await ui.workbench.notifications.waitFor('files changed');
      await ui.workbench.screenshot('applied');
      const binary = await readFile(at('tests/data/slugs.bin'));
      assert.deepEqual(binary, Buffer.from(Uint8Array.from({ length: 512 }, (_, index) => index % 256)));
      assert.equal(await read('docs/install.md'), sampleFiles['docs/setup.md']);
      assert.ok(!existsSync(at('docs/setup.md')));
      assert.notEqual((await stat(at('scripts/release'))).mode & 0o100, 0);
      const slug = await read('src/slug.py');
      assert.ok(slug.startsWith(own) && slug.includes('a-z0-9'), slug);
    });

    it('reverts everything with one undo', async () => {
      assert.ok(existsSync(at('tests/data/slugs.bin')));
      await ui.workbench.notifications.clear();
      await ui.workbench.openFile(at('src/slug.py'));
      await ui.workbench.page.keyboard.press('ControlOrMeta+Z');
      await until(() => existsSync(at('docs/setup.md')) && !existsSync(at('tests/data/slugs.bin')));
      await ui.workbench.page.keyboard.press('ControlOrMeta+S');
      await until(async () => (await read('src/slug.py')) === `${own}${sampleFiles['src/slug.py'] ?? ''}`);
    });

    it('merges with unsaved text in a tab, and restores all of it with Undo', async () => {
      const { page } = ui.workbench;
      const mode = async () => (await stat(at('scripts/release'))).mode & 0o777;
      await chmod(at('scripts/release'), 0o644);
      await page.locator('.editor-instance .view-line').first().click();
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.insertText('# Typed here\n');
      await ui.workbench.page.locator('.tabs-container .tab.active.dirty').waitFor();
      await open();
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
      await ui.workbench.notifications.waitFor('files changed');
      await ui.workbench.screenshot('applied-unsaved');
      assert.equal(await mode(), 0o755);
      const slug = await read('src/slug.py');
      assert.ok(slug.startsWith(`# Typed here\n${own}`) && slug.includes('a-z0-9'), slug);

      await ui.workbench.notifications.press('files changed', 'Undo');
      await ui.workbench.notifications.waitFor('Your files are as they were before');
      assert.equal(await read('src/slug.py'), `# Typed here\n${own}${sampleFiles['src/slug.py'] ?? ''}`);
      assert.equal(await mode(), 0o644);
      assert.ok(existsSync(at('docs/setup.md')) && !existsSync(at('tests/data/slugs.bin')));
      await ui.workbench.notifications.clear();
      assert.equal(await ui.workbench.offersCommand(commandIds.changesUndoApply), false);
    });

    it('can be undone after a reload, once confirmed', async () => {
      await open();
      await ui.workbench.page.getByRole('button', { name: 'Apply', exact: true }).click();
      await ui.workbench.notifications.waitFor('files changed');
      assert.ok(existsSync(at('tests/data/slugs.bin')));
      await ui.workbench.reloadWindow();
      await ui.workbench.openAgentWorkspace();
      await ui.workbench.runCommand(commandIds.changesUndoApply);
      await ui.workbench.dialog().getByText('Undo the changes that were last applied?').waitFor();
      await ui.workbench.screenshot('apply-undo');
      await ui.workbench.dialog().getByRole('button', { name: 'Undo' }).click();
      await ui.workbench.notifications.waitFor('Your files are as they were before');
      assert.ok(existsSync(at('docs/setup.md')) && !existsSync(at('tests/data/slugs.bin')));
      await ui.workbench.notifications.clear();
      await ui.workbench.closeAllEditors();
    });

    it('starts from the title bar of a conversation’s tab, for that conversation', async () => {
      await ui.workbench.view('Conversations').clickRow(title);
      await ui.workbench.webview().locator('[data-event]').first().waitFor();
      const actions = ui.workbench.page.locator('.editor-group-container.active .editor-actions');
      await actions.getByRole('button', { name: 'Show Changes' }).waitFor();
      await ui.workbench.screenshot('apply-title');
      await actions.getByRole('button', { name: 'Apply Changes…' }).click();
      await ui.workbench.quickInput.waitFor('Apply Changes');
      await ui.workbench.quickInput.pick(path.basename(ui.folder));
      await preview().getByText('slug.py').first().waitFor();
      await ui.workbench.page.getByRole('button', { name: 'Discard', exact: true }).click();
    });

    it('asks first while the agent still works', async () => {
      const { id } = [...ui.service.state.conversations.values()].find((one) => one.title === title) ?? {};
      const agent = ui.service.agentOf(id ?? '');
      assert.ok(agent);
      agent.status = 'running';
      // A conversation that has been read learns of it from an event.
      await ui.workbench.reload();
      await ui.workbench.openAgentWorkspace();
      await begin();
      const dialog = ui.workbench.dialog();
      await dialog.getByText('The agent is still working, and may change more.').waitFor();
      await ui.workbench.screenshot('apply-running');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'hidden' });
      assert.equal(await preview().isVisible(), false);
    });
  },
  { service: { agents: '1.58.0' } },
);
