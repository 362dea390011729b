import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { conversationLink } from '../../src/shared/conversationLink';
import { startService, type ReferenceService } from '../service/service';
import { uiSuite } from '../support/ui';
import { fieldHas } from './support/awaited';
import { connect, connectGrouped } from './support/connect';
import { conversationTab } from './support/conversationTab';
import { followLink } from './support/followLink';

uiSuite(
  'ways to open a conversation',
  (ui) => {
    let other: ReferenceService;
    const waiting = ({ state }: ReferenceService) => {
      const found = [...state.conversations.values()].find(
        ({ execution_status }) => execution_status === 'waiting_for_confirmation',
      );
      assert.ok(found?.title);
      return { id: found.id, title: found.title };
    };
    /** The page of the current conversation. */
    const page = () => ui.workbench.webview();
    const focusedCard = () => page().locator('[data-pending]:focus, [data-pending] :focus').waitFor();
    const closeTab = async () => {
      await ui.workbench.runCommand('View: Close All Editors');
      await ui.workbench.page.locator('iframe.webview.ready').waitFor({ state: 'detached' });
    };

    before(async () => {
      other = await startService({ profile: ui.profile, seed: 'lifelike', agents: '1.58.0' });
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.view('Conversations').row(waiting(ui.service).title).waitFor();
      await ui.workbench.notifications.clear();
    });
    after(() => other.close());

    it('the status bar opens the waiting agent’s card', async () => {
      const { title } = waiting(ui.service);
      await ui.workbench.statusBarItem().click();
      await ui.workbench.tab(title).waitFor();
      await focusedCard();
      await closeTab();
    });

    it('a button on its row opens the card, too', async () => {
      const { title } = waiting(ui.service);
      const view = ui.workbench.view('Conversations');
      await (await view.scrollTo(title)).hover();
      await ui.workbench.screenshot('conversation-row-review');
      await view.clickInline(title, 'Review Actions…');
      await focusedCard();
      await closeTab();
    });

    it('a link opens the conversation', async () => {
      const { id, title } = waiting(ui.service);
      await followLink(ui, conversationLink(ui.service.url, id));
      await ui.workbench.tab(title).waitFor();
      assert.equal(await page().locator('[data-conversation]').getAttribute('data-conversation'), id);
      await closeTab();
    });

    it('a link asks before it switches to another connection', async () => {
      const { id, title } = waiting(other);
      await connectGrouped(ui, { url: other.url, name: 'Other', sessionKey: other.sessionKey });
      // Connecting ends by focusing a view, which would close an input that’s already open.
      await ui.workbench.notifications.waitFor('Connected to Other');
      await ui.workbench.notifications.clear();
      const link = conversationLink(ui.service.url, id);
      const before = ui.service.requests.length;
      await followLink(ui, link);
      const dialog = ui.workbench.dialog();
      await dialog.getByText('Switch to Team?').waitFor();
      await ui.workbench.screenshot('conversation-link-asks');
      await dialog.getByRole('button', { name: 'Cancel' }).click();
      await dialog.waitFor({ state: 'detached' });
      const asked = ui.service.requests.slice(before);
      assert.deepEqual(
        asked.map(({ method, path }) => `${method} ${path}`),
        [],
      );
      await followLink(ui, link);
      await dialog.getByRole('button', { name: 'Switch' }).click();
      await ui.workbench.tab(title).waitFor();
      assert.ok(ui.service.requests.length > before);
    });

    describe('its tab', () => {
      const { button, composer, said } = conversationTab(ui);
      const root = () => page().locator('[data-conversation]');
      const steps = () => page().locator('[data-event][data-kind="step"]');
      const pending = () => page().locator('[data-pending]');
      let id = '';
      const title = () => ui.service.state.conversations.get(id)?.title ?? '';

      before(async () => {
        ({ id } = waiting(ui.service));
        await closeTab();
      });

      it('opens from its row, with the newest entries, and names its tab', async () => {
        await ui.workbench.view('Conversations').clickRow(title());
        await ui.workbench.tab(title()).waitFor();
        await root().waitFor();
        assert.equal(await root().getAttribute('data-conversation'), id);
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
        await fieldHas(composer(), '');
      });

      it('keeps a message that is being written when the window is reloaded', async () => {
        await composer().fill('Still thinking');
        await ui.workbench.reloadWindow();
        await ui.workbench.tab(title()).waitFor();
        await steps().last().waitFor();
        await fieldHas(composer(), 'Still thinking');
        await composer().fill('');
      });

      it('shows the conversation of the active tab as text', async () => {
        await ui.workbench.runCommand(commandIds.conversationOpenAsText);
        await ui.workbench.tab(`${title()}.md`).waitFor();
        const text = ui.workbench.page.locator('.monaco-editor .view-lines');
        await text.getByText(`${title()}. Say when you need me.`).waitFor();
      });
    });
  },
  { service: { agents: '1.58.0' } },
);
