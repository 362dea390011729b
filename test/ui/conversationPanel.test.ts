import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { uiSuite, type UiSuite } from '../support/ui';
import { connect } from './support/connect';

/** A conversation whose agent waits for approval, by its title. */
const waiting = 'Move order history to the new pagination API';

/** The page of the one conversation on screen. */
const pageOf = ({ workbench }: UiSuite) => {
  const frame = workbench.page.frameLocator('iframe.webview.ready').frameLocator('#active-frame');
  return {
    frame,
    root: frame.locator('[data-conversation]'),
    steps: frame.locator('[data-event][data-kind="step"]'),
    pending: frame.locator('[data-pending]'),
    composer: frame.locator('[data-composer]'),
    button: (name: string) => frame.getByRole('button', { name, exact: true }),
  };
};

uiSuite(
  'a conversation in the editor',
  (ui) => {
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
      await ui.workbench.view('Conversations').row(waiting).click();
      await ui.workbench.tab(waiting).waitFor();
      const page = pageOf(ui);
      await page.root.waitFor();
      assert.equal(await page.root.getAttribute('data-conversation'), record().id);
      await page.steps.last().waitFor();
      await page.frame.getByText('Waiting for you').first().waitFor();
      await ui.workbench.screenshot('conversation-panel');
    });

    it('rejects the agent’s actions with a reason', async () => {
      const page = pageOf(ui);
      await page.frame.getByText('git clean -fdx && npm ci').first().waitFor();
      const shown = await page.pending.getAttribute('data-pending');
      assert.equal(shown?.split(' ').length, 2);
      await page.button('Reject…').click();
      await page.frame
        .getByRole('textbox', { name: 'What should the agent do instead?' })
        .fill('Keep my untracked files.');
      await page.button('Reject').click();
      await page.pending.waitFor({ state: 'detached' });
      await page.frame.getByText('Keep my untracked files.').first().waitFor();
    });

    it('sends a message, which starts the agent again', async () => {
      const page = pageOf(ui);
      await page.composer.fill('Only update the version.');
      await page.button('Send').click();
      await page.frame.locator('[data-kind="message"]', { hasText: 'Only update the version.' }).waitFor();
      assert.equal(await page.composer.inputValue(), '');
    });

    it('keeps a message that is being written when the window is reloaded', async () => {
      await pageOf(ui).composer.fill('Still thinking');
      await ui.workbench.reloadWindow();
      await ui.workbench.tab(waiting).waitFor();
      const page = pageOf(ui);
      await page.steps.last().waitFor();
      assert.equal(await page.composer.inputValue(), 'Still thinking');
      await page.composer.fill('');
    });

    it('shows the conversation of the active tab as text', async () => {
      await ui.workbench.runCommand(commandIds.conversationOpenAsText);
      await ui.workbench.tab(`${waiting}.md`).waitFor();
      const text = ui.workbench.page.locator('.monaco-editor .view-lines');
      await text.getByText(`${waiting}. Say when you need me.`).waitFor();
    });
  },
  { profiles: ['observed'], service: { agents: '1.58.0' } },
);
