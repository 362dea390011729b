import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { startService, type ReferenceService } from '../service/service';
import { uiSuite } from '../support/ui';
import { connect, connectGrouped } from './support/connect';

uiSuite('all connections at once', (ui) => {
  let other: ReferenceService;
  /** The title of a conversation that only the other service has. */
  const onlyThere = 'Sharpen the needle';
  const renamed = 'Sharpen every needle';
  const view = () => ui.workbench.view('Conversations');

  before(async () => {
    other = await startService({ profile: ui.profile, seed: 'lifelike' });
    const all = [...other.state.conversations.values()];
    const conversation = all.find((one) => !one.parent_conversation_id);
    assert.ok(conversation);
    conversation.title = onlyThere;
    await ui.workbench.openAgentWorkspace();
    await connect(ui, { url: other.url, name: 'Other', sessionKey: other.sessionKey });
    await view().row(onlyThere).waitFor();
    await connectGrouped(ui);
    await view().row(onlyThere).waitFor({ state: 'detached' });
    await ui.workbench.notifications.clear();
  });
  after(() => other.close());

  it('shows the conversations of all, and opens those of another without switching', async () => {
    await ui.workbench.runCommand(commandIds.conversationShowAll);
    await view().row(/^Team/).waitFor();
    await view()
      .row(/^Other/)
      .waitFor();
    await view().row(onlyThere).waitFor();
    await ui.workbench.screenshot(`everywhere-${ui.profile}`);
    await view().clickRow(onlyThere);
    await ui.workbench.tab(onlyThere).waitFor();
    await ui.workbench.webview().locator('[data-composer]:focus').waitFor();
    await view()
      .row(/^Team.*current/)
      .waitFor();
  });

  it('acts from the tab of another on that one', async () => {
    const { page, quickInput } = ui.workbench;
    for (const name of ['Show Changes', 'Apply Changes…'])
      await page.locator('.editor-actions').getByRole('button', { name, exact: true }).waitFor();
    await ui.workbench.runCommand(commandIds.conversationRename);
    await quickInput.type(renamed);
    await quickInput.accept();
    await view().row(renamed).waitFor();
    await ui.workbench.tab(renamed).waitFor();
    assert.ok([...other.state.conversations.values()].some(({ title }) => title === renamed));
  });

  it('finds a conversation of another in the search of all', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.conversationSearch);
    await quickInput.waitFor('Select where to search');
    await quickInput.pick('All Connections');
    await quickInput.waitFor('Finds titles, messages, and steps with all of these words.');
    await quickInput.type('NEEDLE sharpen');
    await quickInput.accept();
    const results = ui.workbench.view('Search Results');
    await results.row(renamed).waitFor();
    await results.message
      .filter({ hasText: /^“NEEDLE sharpen” · \d+ of \d+ conversations searched/ })
      .waitFor();
    await ui.workbench.screenshot(`search-${ui.profile}`);
    await ui.workbench.runCommand(commandIds.conversationClearSearch);
    await results.header.waitFor({ state: 'detached' });
  });

  it('shows those of the current connection again', async () => {
    await ui.workbench.runCommand(commandIds.conversationShowCurrent);
    await view().row(renamed).waitFor({ state: 'detached' });
  });

  it('offers what acts on one row once selected ones are gone', async () => {
    // None of the last ones waits, which would keep it in view.
    const [other = '', ...gone] = (await view().rows()).slice(-4, -1).map(({ label }) => label);
    await view().clickRow(gone[0] ?? '');
    // It opens, and takes the focus, which would close a menu.
    await ui.workbench.tab(gone[0] ?? '').waitFor();
    await ui.workbench.webview().locator('[data-composer]:focus').waitFor();
    await view()
      .row(gone[1] ?? '')
      .click({ modifiers: ['ControlOrMeta'] });
    const forSeveral = await view().menuLabels(gone[1] ?? '');
    assert.ok(!forSeveral.includes('Rename Conversation…'), forSeveral.join());
    const selected = (await view().rows()).filter((row) => row.selected);
    assert.deepEqual(
      selected.map(({ label }) => label),
      gone,
    );
    await view().chooseFromMenu(gone[1] ?? '', 'Archive Conversation');
    for (const label of gone) await view().row(label).waitFor({ state: 'detached' });
    const forOne = await view().menuLabels(other);
    assert.ok(forOne.includes('Rename Conversation…'), forOne.join());
    assert.ok(!forOne.includes('Compare Attempts'), forOne.join());
  });
});
