import assert from 'node:assert/strict';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite('conversations', (ui) => {
  const view = () => ui.workbench.view('Conversations');
  const titled = () => [...ui.service.state.conversations.values()].filter(({ title }) => title);

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await view().pane.getByRole('treeitem').first().waitFor();
    await ui.workbench.notifications.clear();
  });

  it('shows them, those that wait for the user first and counted on the badge', async () => {
    const waiting = titled().filter(
      ({ execution_status }) => execution_status === 'waiting_for_confirmation',
    );
    const [first] = await view().rows();
    if (ui.profile === 'observed') {
      assert.equal(first?.label, waiting[0]?.title);
      assert.match(first?.description ?? '', /^Waits for you/);
      assert.equal(await ui.workbench.badge(), waiting.length);
    }
    assert.ok(titled().some(({ title }) => title === first?.label));
  });

  it('reveals the sandbox of a conversation', async () => {
    const [first] = await view().rows();
    const conversation = titled().find(({ title }) => title === first?.label);
    assert.ok(conversation);
    await view().openContextMenu(first?.label ?? '');
    await ui.workbench.chooseFromMenu('Reveal Sandbox');
    const selected = ui.workbench.view('Sandboxes').pane.locator('[role="treeitem"][aria-selected="true"]');
    await selected.getByText(conversation.sandbox_id).waitFor();
  });

  it('opens one in the browser', async () => {
    const [first] = await view().rows();
    const conversation = titled().find(({ title }) => title === first?.label);
    assert.ok(conversation);
    const context = ui.workbench.page.context();
    // The service has no pages for people; the browser’s own request is answered here.
    const url = `${ui.service.url}/conversations/${conversation.id}`;
    await context.route(url, (route) => route.fulfill({ body: 'A conversation' }));
    await ui.workbench.runCommand(commandIds.conversationOpen);
    const [opened] = await Promise.all([
      context.waitForEvent('page'),
      ui.workbench.quickInput.pick(conversation.title ?? ''),
    ]);
    await opened.waitForURL(url);
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

  it('puts them under their repositories, and sorts them', async () => {
    const { quickInput } = ui.workbench;
    const isSorted = async () => {
      const rows = (await view().rows()).filter(
        ({ description }) => !description.startsWith('Waits for you'),
      );
      const titles = rows
        .map(({ label }) => label)
        .filter((label) => titled().some(({ title }) => title === label));
      return titles.every(
        (title, index) => index === 0 || (titles[index - 1] ?? '').localeCompare(title) <= 0,
      );
    };
    assert.ok(!(await isSorted()));
    await ui.workbench.runCommand(commandIds.conversationGroup);
    await quickInput.pick('By repository');
    const group = view().pane.locator('[role="treeitem"][aria-expanded]');
    await group.first().waitFor();
    await ui.workbench.runCommand(commandIds.conversationGroup);
    await quickInput.pick('No groups');
    await ui.workbench.runCommand(commandIds.conversationSort);
    await quickInput.pick('By title');
    await quickInput.waitForClosed();
    assert.ok(await inTime(isSorted));
  });

  it('shows a sandbox’s conversations and exposed URLs under its row', async () => {
    const sandboxes = ui.workbench.view('Sandboxes');
    const [conversation] = titled();
    await sandboxes.toggleRow(conversation?.sandbox_id ?? '');
    await sandboxes.row(conversation?.title ?? '').waitFor();
    if (ui.profile === 'observed') await sandboxes.row('VSCODE').waitFor();
    await ui.workbench.screenshot(`sandbox-children-${ui.profile}`);
  });
});

/** Whether a condition comes true as the page is drawn anew. */
async function inTime(condition: () => Promise<boolean>): Promise<boolean> {
  for (const end = Date.now() + 20_000; Date.now() < end;) if (await condition()) return true;
  return false;
}
