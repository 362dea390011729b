import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';
import { conversationTab } from './support/conversationTab';

/** The title of a conversation whose agent waits for approval. */
const waiting = 'Move order history to the new pagination API';

uiSuite(
  'a conversation in the editor',
  (ui) => {
    const { page, button, composer, said } = conversationTab(ui);
    const root = () => page().locator('[data-conversation]');
    const steps = () => page().locator('[data-event][data-kind="step"]');
    const pending = () => page().locator('[data-pending]');
    const record = () => {
      const found = [...ui.service.state.conversations.values()].find(({ title }) => title === waiting);
      assert.ok(found);
      return found;
    };

    before(async () => {
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.notifications.clear();
    });

    it('opens from its row, with the newest entries, and names its tab', async () => {
      await ui.workbench.view('Conversations').clickRow(waiting);
      await ui.workbench.tab(waiting).waitFor();
      await root().waitFor();
      assert.equal(await root().getAttribute('data-conversation'), record().id);
      await steps().last().waitFor();
      await page().getByText('Waiting for you').first().waitFor();
      await ui.workbench.screenshot('conversation-panel');
    });

    it('rejects the agent’s actions with a reason', async () => {
      await page().getByText('git clean -fdx && npm ci').first().waitFor();
      const shown = await pending().getAttribute('data-pending');
      assert.equal(shown?.split(' ').length, 2);
      await button('Reject…').click();
      await page()
        .getByRole('textbox', { name: 'What should the agent do instead?' })
        .fill('Keep my untracked files.');
      await button('Reject').click();
      await pending().waitFor({ state: 'detached' });
      await page().getByText('Keep my untracked files.').first().waitFor();
    });

    it('sends a message, which starts the agent again', async () => {
      await composer().fill('Only update the version.');
      await button('Send').click();
      await said('Only update the version.').waitFor();
      assert.equal(await composer().inputValue(), '');
    });

    it('keeps a message that is being written when the window is reloaded', async () => {
      await composer().fill('Still thinking');
      await ui.workbench.reloadWindow();
      await ui.workbench.tab(waiting).waitFor();
      await steps().last().waitFor();
      assert.equal(await composer().inputValue(), 'Still thinking');
      await composer().fill('');
    });

    it('shows the conversation of the active tab as text', async () => {
      await ui.workbench.runCommand(commandIds.conversationOpenAsText);
      await ui.workbench.tab(`${waiting}.md`).waitFor();
      const text = ui.workbench.page.locator('.monaco-editor .view-lines');
      await text.getByText(`${waiting}. Say when you need me.`).waitFor();
    });
  },
  { service: { agents: '1.58.0' } },
);
