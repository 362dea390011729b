import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite('list of conversations', (ui) => {
  const view = () => ui.workbench.view('Conversations');
  const items = () => view().pane.getByRole('treeitem');
  const conversations = () => [...ui.service.state.conversations.values()];
  const titlesOf = (rows: readonly { label: string; description: string }[]) =>
    rows
      .filter(({ description }) => !description.startsWith('Waits for you'))
      .map(({ label }) => label)
      .filter((label) => conversations().some(({ title }) => title === label));

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await items().first().waitFor();
    await ui.workbench.notifications.clear();
  });

  it('opens one in the browser', async () => {
    const [first] = await view().rows();
    const conversation = conversations().find(({ title }) => title === first?.label);
    assert.ok(conversation?.title);
    const page = `/conversations/${conversation.id}`;
    const context = ui.workbench.page.context();
    // The service has no pages for people; the browser’s own request is answered here.
    await context.route(`**${page}`, (route) => route.fulfill({ body: 'A conversation' }));
    await ui.workbench.runCommand(commandIds.conversationOpen);
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      ui.workbench.quickInput.pick(conversation.title),
    ]);
    await opened.getByText('A conversation').waitFor();
    await opened.close();
  });

  it('filters by a part of the title, and shows all again', async () => {
    const { quickInput } = ui.workbench;
    const [first, second] = await view().rows();
    assert.ok(first && second);
    await ui.workbench.runCommand(commandIds.conversationFilter);
    await quickInput.pick('Title');
    await quickInput.waitFor('Part of the title');
    await quickInput.type(first.label);
    await quickInput.accept();
    await view().row(second.label).waitFor({ state: 'detached' });
    await view().row(first.label).waitFor();
    await ui.workbench.runCommand(commandIds.conversationClearFilter);
    await view().row(second.label).waitFor();
  });

  it('puts them under their repositories', async () => {
    const { quickInput, page } = ui.workbench;
    // The specification's records do not name it.
    const label = ui.profile === 'observed' ? 'northwind/webshop' : 'No repository';
    const group = items().filter({ has: page.locator('.label-name', { hasText: label }) });
    assert.equal(await group.count(), 0);
    await ui.workbench.runCommand(commandIds.conversationGroup);
    await quickInput.pick('By repository');
    await group.waitFor();
    await ui.workbench.screenshot(`conversations-grouped-${ui.profile}`);
    await ui.workbench.runCommand(commandIds.conversationGroup);
    await quickInput.pick('No groups');
    await group.waitFor({ state: 'detached' });
  });

  it('sorts them by title below those that wait for the user', async () => {
    const inOrder = (titles: readonly string[]) => titles.map((title) => title.toLowerCase()).toSorted();
    const before = await view().rows();
    const waiting = before.filter(({ description }) => description.startsWith('Waits for you')).length;
    const first = 'Add release notes for 4.2';
    assert.notEqual(titlesOf(before)[0], first);
    await ui.workbench.runCommand(commandIds.conversationSort);
    await ui.workbench.quickInput.pick('By title');
    // One without a title may stand before it.
    const places = [waiting + 1, waiting + 2].map((place) => `[role="treeitem"][aria-posinset="${place}"]`);
    await view().pane.locator(places.join()).filter({ hasText: first }).waitFor();
    const titles = titlesOf(await view().rows());
    assert.deepEqual(
      titles.map((title) => title.toLowerCase()),
      inOrder(titles),
    );
  });
});
