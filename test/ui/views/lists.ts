import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import { makeSandbox } from '../../service/service';
import type { UiSuite } from '../../support/ui';
import { listed } from '../support/awaited';

const waiting = 'Move order history to the new pagination API';

/** What filters and groups the rows, and what a row tells. */
export function lists(ui: UiSuite): void {
  const conversations = () => ui.workbench.view('Conversations');
  const sandboxes = () => ui.workbench.view('Sandboxes');

  async function filterBy(part: string): Promise<void> {
    await ui.workbench.runCommand(commandIds.conversationFilter);
    await ui.workbench.quickInput.waitFor('Filter by');
    await ui.workbench.quickInput.pick(part);
  }
  async function filterByTitle(text: string): Promise<void> {
    await filterBy('Title');
    await ui.workbench.quickInput.waitFor('Part of the title');
    await ui.workbench.quickInput.type(text);
    await ui.workbench.quickInput.accept();
  }
  async function choose(command: string, words: string, choice: string): Promise<void> {
    await ui.workbench.runCommand(command);
    await ui.workbench.quickInput.waitFor(words);
    await ui.workbench.quickInput.pick(choice);
    await ui.workbench.quickInput.waitForClosed();
  }
  const groupBy = (choice: string) => choose(commandIds.conversationGroup, 'Group conversations by', choice);

  it('filters by title, and names the filter in the view’s title', async () => {
    await filterByTitle('PARSER');
    await conversations().header.getByText('“PARSER”').waitFor();
    await conversations().row(waiting).waitFor({ state: 'detached' });
    const shown = (await conversations().rows()).map(({ label }) => label);
    assert.deepEqual(shown.toSorted(), [
      'Port the tariff parser to nom 8',
      'Résumé parser: handle “Straße” and 東京 in addresses',
    ]);
    await ui.workbench.screenshot(`lists-filtered-${ui.profile}`);
  });

  it('clears the filter from the view’s title', async () => {
    await conversations().clickTitleAction('Clear Filter');
    await conversations().row(waiting).waitFor();
    await conversations().header.getByText('“PARSER”').waitFor({ state: 'detached' });
    assert.equal(await ui.workbench.offersCommand(commandIds.conversationClearFilter), false);
  });

  it('offers to clear a filter that matches nothing', async () => {
    await filterByTitle('no title has this');
    await conversations().welcome.getByText('No conversations match the filter.').waitFor();
    await ui.workbench.screenshot(`lists-filtered-to-nothing-${ui.profile}`);
    await conversations().welcome.getByRole('button', { name: 'Clear Filter' }).click();
    await conversations().row(waiting).waitFor();
  });

  it('groups by state, and remembers that for the workspace', async () => {
    await groupBy('By state');
    await firstGroup('Needs You').waitFor();
    await ui.workbench.reloadWindow();
    await ui.workbench.openAgentWorkspace();
    await firstGroup('Needs You').waitFor();
    const second = conversations().pane.locator('[role="treeitem"][data-index="1"]');
    await second.filter({ hasText: waiting }).waitFor();
    await ui.workbench.screenshot(`lists-by-state-${ui.profile}`);
    await groupBy('No groups');
    await firstGroup('Needs You').waitFor({ state: 'detached' });
  });

  it('arranges from the view’s menu, which marks the current choice', async () => {
    const { page, quickInput } = ui.workbench;
    await conversations().chooseFromTitleMenu('Group Conversations…');
    await quickInput.waitFor('Group conversations by');
    const current = quickInput.widget.locator('.monaco-list-row', { has: page.locator('.codicon-check') });
    assert.match(await current.innerText(), /No groups/);
    await ui.workbench.screenshot(`lists-group-menu-${ui.profile}`);
    await quickInput.pick('By repository');
    await conversations().header.getByText('By repository').waitFor();
    await groupBy('No groups');
    await conversations().header.getByText('By repository').waitFor({ state: 'detached' });
  });

  /** A group's row if it's the first row, not a conversation whose title is also its sandbox's name. */
  const firstGroup = (label: string) =>
    conversations()
      .pane.locator('[role="treeitem"][aria-level="1"][aria-posinset="1"]:not([aria-label^="Conversation "])')
      .filter({ has: ui.workbench.page.locator('.label-name').getByText(label, { exact: true }) });

  it('shows cost and tokens in a row’s tooltip', async () => {
    const text = (await conversations().tooltip('Fix flaky checkout')).join('\n');
    assert.match(text, /Fix flaky checkout/);
    assert.match(text, /Cost: \$\d+\.\d\d/);
    assert.match(text, /Tokens: \S+ input, \S+ output/);
    await ui.workbench.screenshot(`lists-cost-${ui.profile}`);
    await ui.workbench.page.mouse.move(0, 0);
    await ui.workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
  });

  it('loads more of a long list with Load More', async () => {
    const siblings = (count: number) =>
      sandboxes().pane.locator(`[role="treeitem"][aria-setsize="${count}"]`).first().waitFor();
    for (let index = 0; index < 250; index += 1) {
      const created_at = new Date(Date.now() - (30 + index) * 86_400_000).toISOString();
      const id = `old-sandbox-${index}`;
      ui.service.state.sandboxes.set(id, makeSandbox({ id, status: 'PAUSED', created_at }));
    }
    await listed(ui, 'sandboxes');
    await siblings(101);
    await sandboxes().tree.focus();
    await ui.workbench.page.keyboard.press('End');
    await sandboxes().pane.locator('.monaco-list-row.focused', { hasText: 'Load more' }).waitFor();
    await ui.workbench.screenshot(`lists-load-more-${ui.profile}`);
    await ui.workbench.page.keyboard.press('Enter');
    // Two pages and the row to load more.
    await siblings(201);
  });
}
