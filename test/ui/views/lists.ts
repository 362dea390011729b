import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import { makeSandbox } from '../../service/service';
import { sandboxLabel } from '../../support/sandboxLabel';
import type { UiSuite } from '../../support/ui';
import { lastRequest, listed } from '../support/awaited';
import { pauseSandbox } from '../support/pauseSandbox';

const waiting = 'Move order history to the new pagination API';
const within = 'Plan: pagination cut-over';

/** What filters, groups, and sorts the rows of both views, and what a row tells. */
export function lists(ui: UiSuite): void {
  const conversations = () => ui.workbench.view('Conversations');
  const sandboxes = () => ui.workbench.view('Sandboxes');
  const named = (end: string) => sandboxLabel(ui.service, `oh-agent-server-${end}`);
  const isObserved = () => ui.profile === 'observed';
  const labels = async () => (await conversations().rows()).map(({ label }) => label);

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

  it('filters by title on the service, or locally if the service can’t, and names the filter in the view’s title', async () => {
    const after = lastRequest(ui);
    await filterByTitle('PARSER');
    const asked = await ui.service.waitForRequest(({ query }) => query['title__contains'] === 'PARSER', {
      after,
    });
    assert.equal(asked.query['include_sub_conversations'], 'true');
    await conversations().header.getByText('“PARSER”').waitFor();
    await conversations().row(waiting).waitFor({ state: 'detached' });
    const shown = (await labels()).toSorted();
    assert.deepEqual(shown, [
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

  ui.once('filters by state locally, nested conversations included', async () => {
    await filterBy('State');
    await ui.workbench.quickInput.pick('Finished');
    await conversations().row(waiting).waitFor({ state: 'detached' });
    const shown = (await labels()).toSorted();
    assert.deepEqual(shown, [within, 'Port the tariff parser to nom 8']);
    assert.ok(ui.service.requests.every(({ query }) => !JSON.stringify(query).includes('inished')));
  });

  ui.once('offers to clear a filter that matches nothing', async () => {
    await filterByTitle('no title has this');
    await conversations().welcome.getByText('No conversations match the filter.').waitFor();
    await ui.workbench.screenshot(`lists-filtered-to-nothing-${ui.profile}`);
    await conversations().welcome.getByRole('button', { name: 'Clear Filter' }).click();
    await conversations().row(waiting).waitFor();
  });

  ui.once('groups by sandbox, waiting ones first', async () => {
    await groupBy('By sandbox');
    await firstGroup(named('Zc81HnYd')).waitFor();
    await ui.workbench.screenshot(`lists-by-sandbox-${ui.profile}`);
  });

  it('groups by repository if the service reports it', async () => {
    await groupBy('By repository');
    const first = firstGroup(isObserved() ? 'northwind/webshop' : 'No repository');
    await first.waitFor();
    await groupBy('No groups');
    await first.waitFor({ state: 'detached' });
  });

  ui.once('groups by state, and remembers that for the workspace', async () => {
    await groupBy('By state');
    await firstGroup('Needs You').waitFor();
    await ui.workbench.reloadWindow();
    await ui.workbench.openAgentWorkspace();
    await firstGroup('Needs You').waitFor();
    const second = conversations().pane.locator('[role="treeitem"][data-index="1"]');
    await second.filter({ hasText: waiting }).waitFor();
    await ui.workbench.screenshot(`lists-by-state-${ui.profile}`);
  });

  ui.once('sorts by title without groups', async () => {
    await groupBy('No groups');
    await choose(commandIds.conversationSort, 'Sort conversations by', 'By title');
    // The waiting conversation stays first; the first by title comes next.
    const second = conversations().pane.locator('[role="treeitem"][aria-posinset="2"]', {
      hasText: 'Add release',
    });
    await second.waitFor();
    const [first, ...others] = (await conversations().rows()).filter(({ level }) => level === 1);
    assert.equal(first?.label, waiting);
    const titles = others.map(({ label }) => label.toLowerCase()).filter((label) => /^[a-z]/.test(label));
    assert.deepEqual(titles, titles.toSorted());
    await choose(commandIds.conversationSort, 'Sort conversations by', 'Last active first');
    // The editor closes a menu of the view when its title changes.
    await second.waitFor({ state: 'detached' });
    await conversations().header.getByText('By title').waitFor({ state: 'detached' });
  });

  ui.once('arranges from the view’s menu, which marks the current choice', async () => {
    const { page, quickInput } = ui.workbench;
    await conversations().header.hover();
    await conversations().header.locator('.codicon-toolbar-more').click();
    await ui.workbench.menu.choose('Group Conversations…');
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

  it('nests the conversations an agent started, if the service reports them', async () => {
    if (isObserved()) {
      await conversations().row(within).waitFor({ state: 'detached' });
      await conversations().toggleRow(waiting);
    }
    await conversations().row(within).waitFor();
    const row = (await conversations().rows()).find(({ label }) => label === within);
    assert.equal(row?.level, isObserved() ? 2 : 1);
  });

  it('shows cost and tokens if the service reports them', async () => {
    const text = (await conversations().tooltip('Fix flaky checkout')).join('\n');
    assert.match(text, /Fix flaky checkout/);
    if (isObserved()) {
      assert.match(text, /Cost: \$\d+\.\d\d/);
      assert.match(text, /Tokens: \S+ input, \S+ output/);
    } else {
      assert.doesNotMatch(text, /Cost|Tokens/);
    }
    await ui.workbench.screenshot(`lists-cost-${ui.profile}`);
    await ui.workbench.page.mouse.move(0, 0);
    await ui.workbench.page.locator('.monaco-hover:visible').waitFor({ state: 'hidden' });
  });

  it('shows an unknown state in readable words', async () => {
    const working = [...ui.service.state.conversations.values()].find(({ title }) =>
      title?.startsWith('Fix flaky'),
    );
    assert.ok(working);
    ui.service.patch({
      sandboxes: [{ id: 'oh-agent-server-t9DyN7eC', status: 'HIBERNATED' }],
      conversations: [{ id: working.id, execution_status: 'pondering' }],
    });
    await Promise.all([listed(ui, 'sandboxes'), listed(ui, 'app-conversations')]);
    await (await sandboxes().scrollTo(named('t9DyN7eC'))).getByText('Hibernated').waitFor();
    await conversations().row('Fix flaky checkout').getByText('Pondering').waitFor();
  });

  it('distinguishes sandboxes paused by the service from those paused here', async () => {
    ui.service.patch({ sandboxes: [{ id: 'oh-agent-server-b5TgWq0E', status: 'PAUSED' }] });
    await listed(ui, 'sandboxes');
    await (await sandboxes().scrollTo(named('b5TgWq0E'))).getByText('Paused by the service').waitFor();
    if (isObserved())
      await conversations()
        .row('Port the tariff parser')
        .getByText('Sandbox paused by the service')
        .waitFor();

    const after = lastRequest(ui);
    await pauseSandbox(ui, named('3fKp9LwR'));
    await ui.service.waitForRequest(({ path }) => path.endsWith('/pause'), { after });
    await listed(ui, 'sandboxes');
    await sandboxes().row(named('3fKp9LwR')).getByText('Paused ·').waitFor();
    await sandboxes().row(named('3fKp9LwR')).getByText('by the service').waitFor({ state: 'detached' });
    await ui.workbench.screenshot(`lists-paused-${ui.profile}`);
  });

  it('loads more of a long list with Load More', async () => {
    const ids = Array.from({ length: 250 }, (_, index) => `old-sandbox-${index}`);
    const siblings = (count: number) =>
      sandboxes().pane.locator(`[role="treeitem"][aria-setsize="${count}"]`).first().waitFor();
    const dayMs = 86_400_000;
    for (const [index, id] of ids.entries()) {
      const created_at = new Date(Date.now() - 30 * dayMs - index * dayMs).toISOString();
      ui.service.state.sandboxes.set(
        id,
        makeSandbox({ id, status: 'PAUSED', created_at, sandbox_spec_id: `agent:${index}.` }),
      );
    }
    await listed(ui, 'sandboxes');
    await siblings(isObserved() ? 101 : 201);
    await sandboxes().tree.focus();
    await ui.workbench.page.keyboard.press('End');
    await sandboxes().pane.locator('.monaco-list-row.focused', { hasText: 'Load more' }).waitFor();
    await ui.workbench.screenshot(`lists-load-more-${ui.profile}`);
    const after = lastRequest(ui);
    await ui.workbench.page.keyboard.press('Enter');
    if (isObserved()) {
      const { query } = await ui.service.waitForRequest((one) => one.query['page_id'] !== undefined, {
        after,
      });
      assert.equal(query['page_id'], '100');
    }
    // All sandboxes, or two pages and the Load more row.
    await siblings(isObserved() ? 201 : ui.service.state.sandboxes.size);
    await ui.workbench.page.keyboard.press('End');
    const last = sandboxes().pane.locator('[role="treeitem"].focused');
    if (isObserved()) await last.getByText('Load more').waitFor();
    else await last.getByText('280 d ago').or(last.getByText('279 d ago')).waitFor();
  });
}
