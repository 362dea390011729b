import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parseConversationUrl } from '../../src/api/agent/address';
import { readAgentServer } from '../../src/api/agent/client';
import { createSandboxWorkspace } from '../../src/api/agent/workspace';
import { createClient } from '../../src/api/service/client';
import { commandIds } from '../../src/ids';
import { sampleFiles } from '../service/agent/sampleRepository';
import { run as runProgram } from '../support/processes';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

const one = 'Move order history to the new pagination API';
const other = 'Fix flaky checkout test on CI';

uiSuite(
  'comparing attempts',
  (ui) => {
    const record = (title: string) => {
      const found = [...ui.service.state.conversations.values()].find(
        (conversation) => conversation.title === title,
      );
      assert.ok(found);
      return found;
    };
    const column = (title: string) => ui.workbench.webview().locator(`[data-attempt="${record(title).id}"]`);

    /** Runs a command in the sandbox of a conversation, like an agent’s command. */
    async function run(title: string, command: string): Promise<void> {
      const { url, sessionKey } = ui.service;
      const conversation = await createClient({ baseUrl: url, sessionKey }).getConversation(record(title).id);
      const address = parseConversationUrl(conversation?.conversation_url ?? '');
      assert.ok(address);
      const { session_api_key: key } = ui.service.state.sandboxes.get(record(title).sandbox_id)!;
      const workspace = createSandboxWorkspace(address, key, await readAgentServer(address, {}), {});
      const { exitCode } = await workspace.execute({ command, cwd: '/workspace/project/webshop' });
      assert.equal(exitCode, 0);
    }

    const at = (name: string) => path.join(ui.folder, name);

    before(async () => {
      for (const [name, content] of Object.entries(sampleFiles)) {
        await mkdir(path.dirname(at(name)), { recursive: true });
        await writeFile(at(name), content);
      }
      await runProgram('git', ['add', '.'], { cwd: ui.folder });
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });

    it('shows conversations of one repository side by side', async () => {
      await run(other, 'printf "only here\\n" > only-here.txt');
      const { quickInput } = ui.workbench;
      await ui.workbench.runCommand(commandIds.conversationCompare);
      for (const title of [one, other]) {
        await quickInput.row(title).first().waitFor();
        await quickInput.toggle(title);
        await quickInput.row(title).first().locator('[role="checkbox"][aria-checked="true"]').waitFor();
      }
      await quickInput.button('OK').click();
      for (const title of [one, other])
        await column(title)
          .getByText(/\d files \+\d+ −\d+/)
          .waitFor();
      await column(one).getByText('Waiting', { exact: true }).waitFor();
      await ui.workbench.screenshot('compare');
    });

    it('shows what two of them left different', async () => {
      await column(other).getByRole('button', { name: 'Show Difference' }).click();
      const { page } = ui.workbench;
      await page.locator('.multiDiffEntry:visible').filter({ hasText: 'only-here.txt' }).waitFor();
      await page.locator('.multiDiffEntry .view-line').filter({ hasText: 'only here' }).first().waitFor();
    });

    it('comes back with the window', async () => {
      await ui.workbench.reloadWindow();
      await ui.workbench.page.locator('.tabs-container .tab', { hasText: 'Compare: ' }).click();
      await column(one)
        .getByText(/\d files \+\d+ −\d+/)
        .waitFor();
    });

    it('takes one after a preview, archives the other, and gives the files back', async () => {
      const { page, quickInput, notifications } = ui.workbench;
      const row = ui.workbench.view('Conversations').row(other);
      await row.waitFor();
      await column(one).getByRole('button', { name: 'Take This One' }).click();
      await quickInput.waitFor('Isn’t Open Here');
      await quickInput.pick(path.basename(ui.folder));
      await page.locator('.bulk-edit-panel').getByText('slugs.bin').first().waitFor();
      await ui.workbench.screenshot('compare-taking');
      await page.getByRole('button', { name: 'Apply', exact: true }).click();
      await ui.workbench.dialog().getByText('What should happen to the other attempt?').waitFor();
      await ui.workbench.screenshot('compare-taken');
      assert.ok(existsSync(at('tests/data/slugs.bin')));
      await ui.workbench.dialog().getByRole('button', { name: 'Archive' }).click();
      await row.waitFor({ state: 'detached' });
      await notifications.press('files changed', 'Undo');
      await notifications.waitFor('Your files are as they were before');
      assert.ok(!existsSync(at('tests/data/slugs.bin')));
    });
  },
  { service: { agents: '1.58.0' } },
);
