import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
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

  it('shows a sandbox’s conversations and exposed URLs under its row', async () => {
    const sandboxes = ui.workbench.view('Sandboxes');
    const [conversation] = titled();
    await sandboxes.toggleRow(conversation?.sandbox_id ?? '');
    await sandboxes.row(conversation?.title ?? '').waitFor();
    if (ui.profile === 'observed') await sandboxes.row('VSCODE').waitFor();
    await ui.workbench.screenshot(`sandbox-children-${ui.profile}`);
  });
});
