import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import { takesPictures } from '../../support/picture';
import { uiSuite } from '../../support/ui';
import type { Theme } from '../../support/workbench';
import { connectGrouped } from '../support/connect';

const rightToLeft = 'תיקון הבדיקה הרעועה של תהליך התשלום בחנות המקוונת';
const chinese = '修复结账流程中不稳定的测试，并把价格四舍五入到两位小数';

uiSuite('Conversations in a narrow side bar', (ui) => {
  const view = () => ui.workbench.view('Conversations');
  const group = (name: string) => view().pane.locator(`[role="treeitem"][aria-label^="${name}, "]`);

  before(async () => {
    const titled = [...ui.service.state.conversations.values()].filter(({ title }) => title);
    const [first, second] = titled.filter(({ execution_status }) => execution_status === 'running');
    assert.ok(first && second);
    ui.service.patch({
      conversations: [
        { id: first.id, title: rightToLeft, updated_at: new Date(Date.now() - 33 * 60_000).toISOString() },
        { id: second.id, title: chinese },
      ],
    });
    await ui.workbench.openAsItIs();
    await connectGrouped(ui);
    await group('Needs You').waitFor();
  });

  it('folds Sandboxes at first', async () => {
    const { header } = ui.workbench.view('Sandboxes');
    assert.equal(await header.getAttribute('aria-expanded'), 'false');
  });

  it('folds the tail, and says each state once', async () => {
    for (const [name, isOpen] of [
      ['Needs You', 'true'],
      ['Working', 'true'],
      ['Finished', 'false'],
      ['Paused', 'false'],
    ] as const)
      assert.equal(await group(name).getAttribute('aria-expanded'), isOpen, name);
    const rows = (await view().rows()).filter(({ level }) => level > 1);
    assert.ok(rows.length > 2);
    for (const { description, label } of rows) assert.doesNotMatch(description, /Working|Needs/, label);
  });

  it('marks what has changed since one looked, until it’s marked as read', async () => {
    const [stopped] = [...ui.service.state.conversations.values()].filter(
      ({ execution_status, title }) => execution_status === 'running' && title !== null,
    );
    assert.ok(stopped?.title);
    const updated_at = new Date(Date.now() + 60_000).toISOString();
    ui.service.patch({ conversations: [{ id: stopped.id, execution_status: 'stuck', updated_at }] });
    await ui.workbench.runCommand(commandIds.viewRefresh);
    await group('Failed').getByText('1 unread').waitFor();
    const start = stopped.title.slice(0, 8);
    const marked = view().row(start).locator('.label-name', { hasText: '●' });
    await marked.waitFor();
    const color = (locator: typeof marked) => locator.evaluate((element) => getComputedStyle(element).color);
    const others = view().pane.locator('[role="treeitem"][aria-level="2"] .label-name:not(:has-text("●"))');
    // The editor asks for a row's color after it has drawn the row.
    const plain = await color(others.first());
    const handle = await marked.elementHandle();
    assert.ok(handle);
    await ui.workbench.page.waitForFunction(
      ([element, before]) => getComputedStyle(element as Element).color !== before,
      [handle, plain] as const,
    );
    await ui.workbench.screenshot('narrow-unread');
    await view().chooseFromMenu(start, 'Mark as Read');
    await marked.waitFor({ state: 'detached' });
  });

  for (const px of [240, 300, 400]) {
    it(`cuts off no short age, and no row, at ${px} px`, async () => {
      await ui.workbench.setSideBarWidth(px);
      const edges = await view()
        .pane.locator('[role="treeitem"][aria-level="2"]')
        .evaluateAll((rows) =>
          rows.map((row) => {
            const label = row.querySelector('.monaco-icon-label');
            const badge = label ? getComputedStyle(label, '::after').content : '';
            return {
              badge,
              end: label?.getBoundingClientRect().right ?? Infinity,
              edge: row.getBoundingClientRect().right,
            };
          }),
        );
      assert.ok(edges.length > 0);
      for (const { badge, end, edge } of edges) {
        assert.match(badge, /^"[1-9¼½¾][mhdwy]"$/);
        assert.ok(end <= edge, `${end} > ${edge}`);
      }
      // It would lose its beginning, which is on the right.
      const name = view().row(rightToLeft.slice(0, 5)).locator('.label-name');
      const [inner, outer] = await name.evaluate((element) =>
        [element, element.closest('.monaco-icon-label-container')].map(
          (one) => one?.getBoundingClientRect().right ?? NaN,
        ),
      );
      assert.ok(inner !== undefined && outer !== undefined && inner <= outer, `${inner} > ${outer}`);
      const themes: Theme[] = takesPictures ? ['light', 'dark', 'hc-light', 'hc-dark'] : [];
      for (const theme of themes) {
        await ui.workbench.setTheme(theme);
        await ui.workbench.screenshot(`narrow-${px}-${theme}`);
      }
    });
  }
});
