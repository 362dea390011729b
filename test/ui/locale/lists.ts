import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import type { Abroad } from './support';
import { sandboxLabel } from '../../support/sandboxLabel';

/** The side bar and what belongs to it: rows, tooltips, menus, the status bar, and notifications. */
export function lists(ui: Abroad): void {
  const sandbox = (status: string) => {
    const found = [...ui.service.state.sandboxes.values()].find((one) => one.status === status);
    assert.ok(found, `no sandbox is ${status}`);
    return found;
  };
  const agents = (state: string) =>
    [...ui.service.state.conversations.values()].filter(
      ({ execution_status, sandbox_id, title }) =>
        execution_status === state &&
        title !== null &&
        ui.service.state.sandboxes.get(sandbox_id)?.status === 'RUNNING',
    );

  it('shows the lists', async () => {
    const { page } = ui.workbench;
    await ui.workbench
      .view('Sandboxes')
      .row(sandboxLabel(ui.service, sandbox('RUNNING').id))
      .waitFor();
    await ui.workbench.view('Conversations').pane.getByRole('treeitem').first().waitFor();
    await ui.workbench.view('Sandbox Specs').expand();
    await ui.workbench.view('Sandbox Specs').pane.getByRole('treeitem').first().waitFor();
    await ui.assertTranslated(page.locator('.sidebar'));
    await ui.assertTranslated(ui.workbench.statusBarItem());
    await ui.picture('lists');
    await ui.workbench.view('Sandbox Specs').collapse();
  });

  it('shows a row’s details and actions', async () => {
    const [conversation] = agents('running');
    for (const [title, words] of [
      ['Sandboxes', sandboxLabel(ui.service, sandbox('RUNNING').id)],
      ['Conversations', conversation?.title ?? ''],
    ] as const) {
      const view = ui.workbench.view(title);
      await ui.assertTranslated(await view.tooltip(words));
      await ui.picture(`tooltip-${title}`);
      await ui.assertTranslated(await view.inlineActions(words));
      await ui.assertTranslated(await view.menuLabels(words));
    }
    await ui.workbench.view('Sandboxes').openTitleMenu();
    // The editor’s own entries are below.
    await ui.assertTranslated(await ui.workbench.menu.labels());
    await ui.picture('view-menu');
    await ui.workbench.menu.close();
  });

  it('notifies about what happened', async () => {
    const { notifications, words } = ui.workbench;
    const [waits, ends] = agents('running');
    assert.ok(waits?.title);
    waits.execution_status = 'waiting_for_confirmation';
    if (ends) ends.execution_status = 'finished';
    await ui.workbench.runCommand(commandIds.viewRefresh);
    const notification = await notifications.waitFor(
      words.say('{0} is waiting for you.', words.say('“{0}”', waits.title)),
    );
    await ui.assertTranslated(notification);
    await ui.assertTranslated(ui.workbench.statusBarItem());
    await ui.picture('attention');
    await notifications.clear();
  });
}
