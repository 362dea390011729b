import assert from 'node:assert/strict';
import { parseConversationUrl } from '../../src/api/agent/address';
import { readAgentServer } from '../../src/api/agent/client';
import { createSandboxWorkspace } from '../../src/api/agent/workspace';
import { createClient } from '../../src/api/service/client';
import { commandIds } from '../../src/ids';
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

    before(async () => {
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
  },
  { service: { agents: '1.58.0' } },
);
