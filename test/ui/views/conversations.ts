import assert from 'node:assert/strict';
import { sandboxLabel } from '../../support/sandboxLabel';
import type { UiSuite } from '../../support/ui';

/** The conversations’ rows and commands. */
export function conversations(ui: UiSuite): void {
  const view = () => ui.workbench.view('Conversations');
  const titled = () => [...ui.service.state.conversations.values()].filter(({ title }) => title);

  it('shows waiting ones first, and counts them on the badge', async () => {
    const waiting = titled().filter(
      ({ execution_status }) => execution_status === 'waiting_for_confirmation',
    );
    const [first] = await view().rows();
    assert.equal(first?.label, waiting[0]?.title);
    assert.match(first?.description ?? '', /^Waiting/);
    await ui.workbench.badge(waiting.length).waitFor();
  });

  it('reveals the sandbox of a conversation', async () => {
    const [first] = await view().rows();
    const conversation = titled().find(({ title }) => title === first?.label);
    assert.ok(conversation);
    await view().chooseFromMenu(first?.label ?? '', 'Sandbox', 'Reveal Sandbox');
    const selected = ui.workbench.view('Sandboxes').pane.locator('[role="treeitem"][aria-selected="true"]');
    await selected.getByText(sandboxLabel(ui.service, conversation.sandbox_id)).waitFor();
  });

  it('opens one in an editor tab with Enter on its row', async () => {
    const [first] = await view().rows();
    const conversation = titled().find(({ title }) => title === first?.label);
    assert.ok(conversation?.title);
    await view().tree.focus();
    await ui.workbench.page.keyboard.press('Home');
    await ui.workbench.page.keyboard.press('Enter');
    await ui.workbench.tab(conversation.title).waitFor();
    await ui.workbench.webview().locator(`[data-conversation="${conversation.id}"]`).waitFor();
    await ui.workbench.screenshot(`conversation-tab-${ui.profile}`);
    await ui.workbench.runCommand('View: Close All Editors');
  });

  it('opens the pull request at the git provider', async () => {
    const about = titled().find(({ pr_number }) => pr_number.length);
    assert.ok(about?.title);
    await (await view().scrollTo(about.title)).getByText('#318').waitFor();
    const context = ui.workbench.page.context();
    await context.route('https://bitbucket.org/**', (route) => route.fulfill({ body: 'A pull request' }));
    await view().chooseFromMenu(about.title, 'Open Pull Request');
    // The editor asks before opening a page that the user doesn't trust yet.
    const agree = ui.workbench.dialog().getByRole('button', { name: 'Open', exact: true });
    const [opened] = await Promise.all([context.waitForEvent('page'), agree.click()]);
    await opened.getByText('A pull request').waitFor();
    assert.equal(opened.url(), 'https://bitbucket.org/gridworks/tariffs/pull-requests/318');
    await opened.close();
  });

  it('shows a sandbox’s conversations and exposed URLs under its row', async () => {
    const sandboxes = ui.workbench.view('Sandboxes');
    const [conversation] = titled();
    await sandboxes.toggleRow(sandboxLabel(ui.service, conversation?.sandbox_id ?? ''));
    await sandboxes.row(conversation?.title ?? '').waitFor();
    await sandboxes.row('VS Code').waitFor();
    await ui.workbench.screenshot(`sandbox-children-${ui.profile}`);
    await sandboxes.toggleRow(sandboxLabel(ui.service, conversation?.sandbox_id ?? ''));
    await ui.workbench
      .view('Sandboxes')
      .pane.locator('[role="treeitem"][aria-level="2"]')
      .first()
      .waitFor({ state: 'detached' });
  });
}
