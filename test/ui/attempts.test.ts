import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { takesPictures } from '../support/picture';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';
import { MessageEditor } from './support/messageEditor';

uiSuite(
  'several attempts at one message',
  (ui) => {
    const view = () => ui.workbench.view('Conversations');
    const picture = /^url\("data:image\/svg\+xml;base64,\w/;
    const columns = () => ui.workbench.webview().locator('[data-attempt]');

    before(async () => {
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await view().pane.getByRole('treeitem').first().waitFor();
      await ui.workbench.notifications.clear();
    });

    it('start together, after saying how many and where, and stand under one row', async () => {
      const { quickInput } = ui.workbench;
      const editor = new MessageEditor(ui.workbench);
      await editor.open();
      await editor.type('Greet people by their first name.');
      await ui.workbench.runCommand(commandIds.conversationStartSeveral);
      await quickInput.waitFor('Select what differs between the attempts');
      await quickInput.pick('Nothing');
      await quickInput.waitFor('Select how many attempts to start');
      await quickInput.pick('3 attempts');
      await quickInput.row('Start 3 Attempts').waitFor();
      await quickInput.row('Sandbox').getByText('New, one for each attempt').waitFor();
      await quickInput.row('Attempts').getByText('Can cost up to $22.50').waitFor();
      await ui.workbench.screenshot('attempts-choices');
      await editor.start();
      await ui.workbench.dialog().getByRole('button', { name: 'Start Anyway' }).click();
      await view()
        .row(/\d of 3 finished/)
        .waitFor();
      await ui.workbench.notifications.waitFor('3 attempts have started.');
      for (const label of ['Attempt 1', 'Attempt 2', 'Attempt 3']) await view().row(label).waitFor();
      await ui.workbench.screenshot('attempts-row');
    });

    it('are archived together from the menu of their row, which has all that acts on several', async () => {
      const offered = await view().menuLabels(/\d of 3 finished/, () =>
        ui.workbench.screenshot('attempts-menu'),
      );
      for (const label of [
        'Compare Attempts',
        'Pin Conversation',
        'Archive Conversation',
        'Delete Conversation…',
      ])
        assert.ok(offered.includes(label), `${label} in ${offered.join(', ')}`);
      await view().chooseFromMenu(/\d of 3 finished/, 'Archive Conversation');
      await view()
        .row(/\d of 3 finished/)
        .waitFor({ state: 'detached' });
    });

    it('are compared side by side, each with a heading of its own', async () => {
      await ui.workbench.notifications.press('3 attempts have started.', 'Compare Attempts');
      const headings = ['Attempt 1', 'Attempt 2', 'Attempt 3'];
      for (const [at, heading] of headings.entries())
        await columns().nth(at).locator('h2').getByText(heading, { exact: true }).waitFor();
      assert.equal(await columns().count(), headings.length);
      const [title = ''] = (await ui.workbench.tabTitles()).filter((one) => one.startsWith('Compare:'));
      assert.match(await ui.workbench.tabIcon(title), picture);
      await ui.workbench.screenshot('attempts-compared');
      await ui.workbench.runCommand(commandIds.usageShow);
      await ui.workbench.tab('Usage').waitFor();
      assert.match(await ui.workbench.tabIcon('Usage'), picture);
      await ui.workbench.runCommand('View: Close Editor');
    });

    it('say what to do once their connection was removed, to which the tab of a conversation leads back', async () => {
      const { quickInput } = ui.workbench;
      const [compared = ''] = (await ui.workbench.tabTitles()).filter((one) => one.startsWith('Compare:'));
      const [title = ''] = [...ui.service.state.conversations.values()].flatMap((one) => one.title ?? []);
      await view().clickRow(title);
      const page = ui.workbench.webview();
      await page.locator('[data-composer]').waitFor();
      await ui.workbench.runCommand(commandIds.connectionRemove);
      await quickInput.pick('Team');
      await ui.workbench.dialog().getByRole('button', { name: 'Remove' }).click();
      await page.getByText('was removed').waitFor();
      for (const theme of takesPictures ? (['dark', 'hc-dark', 'hc-light', 'light'] as const) : []) {
        await ui.workbench.setTheme(theme);
        await ui.workbench.screenshot(`removed-connection-${theme}`);
      }
      await page.getByRole('button', { name: 'Connect…' }).click();
      await quickInput.waitFor('Enter the address of the service');
      assert.equal(await quickInput.value(), ui.service.url);
      await quickInput.cancel();
      await ui.workbench.tab(compared).click();
      await page.getByText(/was removed\. Run Connect…/).waitFor();
      await ui.workbench.screenshot('attempts-connection-removed');
    });
  },
  { service: { agents: '1.58.0' } },
);
