import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { makeSandbox, type Failure } from '../service/service';
import { lifelikeState } from '../service/seed';
import { takesPictures } from '../support/picture';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import type { Theme } from '../support/workbench';
import { connect } from './support/connect';
import { pauseSandbox } from './support/pauseSandbox';

const themes: readonly Theme[] = ['light', 'hc-light', 'hc-dark', 'dark'];

uiSuite(
  'what the views show',
  (ui) => {
    const sandboxes = () => ui.workbench.view('Sandboxes');
    const conversations = () => ui.workbench.view('Conversations');
    const named = (end: string) => sandboxLabel(ui.service, `oh-agent-server-${end}`);
    const sideBar = () => ui.workbench.page.locator('.part.sidebar');
    const lists = '/api/v1/*';

    /** In each theme, and at narrow width. */
    async function pictures(state: string): Promise<void> {
      if (!takesPictures) return;
      for (const theme of themes) {
        await ui.workbench.setTheme(theme);
        await ui.workbench.page.mouse.move(0, 0);
        await ui.workbench.screenshot(`state-${state}-${theme}`, sideBar());
      }
      const width = await dragSideBarTo(200);
      await ui.workbench.screenshot(`state-${state}-narrow`, sideBar());
      await dragSideBarTo(width);
    }
    /** Drags the side bar's edge; returns how wide it was. */
    async function dragSideBarTo(width: number): Promise<number> {
      const { mouse } = ui.workbench.page;
      const box = await sideBar().boundingBox();
      if (!box) throw new Error('There is no side bar');
      await mouse.move(box.x + box.width, box.y + 200);
      await mouse.down();
      await mouse.move(box.x + width, box.y + 200, { steps: 4 });
      await mouse.up();
      await mouse.move(0, 0);
      return box.width;
    }
    const failing = (status: number): Failure =>
      ui.service.fail({
        path: lists,
        times: 'always',
        effect: { kind: 'answer', status, body: { error: 'Out of order' } },
      });

    /** A state whose behavior other tests show: in ui/views, ui/welcome.test.ts, and unit/conversations/rows. */
    const pictured = (title: string, show: Mocha.AsyncFunc) => {
      if (takesPictures) it(title, show);
    };

    before(() => ui.workbench.openAgentWorkspace());

    pictured('shows the state before a connection', async () => {
      await conversations().welcome.getByText('You need its address').waitFor();
      await pictures('not-connected');
    });

    it('shows an error without rows', async () => {
      const failure = failing(400);
      await connect(ui);
      // The first view shows the error for both.
      await conversations().welcome.getByText('rejected the request').waitFor();
      await conversations().welcome.getByRole('button', { name: 'Diagnose Connection' }).waitFor();
      assert.equal(await sandboxes().welcome.getByText('rejected').count(), 0);
      await ui.workbench.notifications.clear();
      await pictures('error-without-rows');
      failure.remove();
    });

    it('shows that a requested refresh waits, for a service that limits requests', async () => {
      const held = ui.service.fail({ path: lists, times: 'always', effect: { kind: 'stallBeforeHeaders' } });
      await ui.workbench.runCommand(commandIds.viewRefresh);
      const progress = ui.workbench.page.locator('.statusbar').getByText('Reading…');
      await progress.waitFor();
      held.release();
      await progress.waitFor({ state: 'detached' });
    });

    pictured('shows empty views', async () => {
      await ui.workbench.runCommand(commandIds.viewRefresh);
      await sandboxes().welcome.getByText('No sandboxes yet.').waitFor();
      await conversations().welcome.getByText('No conversations yet.').waitFor();
      await pictures('empty');
    });

    it('shows the first rows', async () => {
      const { sandboxes: some, conversations: talks } = lifelikeState(Date.now());
      for (const [id, one] of some) ui.service.state.sandboxes.set(id, one);
      for (const [id, one] of talks) ui.service.state.conversations.set(id, one);
      await ui.workbench.runCommand(commandIds.viewRefresh);
      await sandboxes().row(named('7Qm2xVbT')).waitFor();
      await conversations().row('Move order history').waitFor();
      await pictures('first-rows');
    });

    pictured('shows transitions', async () => {
      ui.service.behaviour.delays.pause = 600_000;
      ui.service.behaviour.delays.resume = 600_000;
      await pauseSandbox(ui, named('3fKp9LwR'));
      await sandboxes().row(named('3fKp9LwR')).getByText('Pausing…').waitFor();
      await pictures('transitions');
    });

    pictured('shows groups', async () => {
      await ui.workbench.runCommand(commandIds.conversationGroup);
      await ui.workbench.quickInput.pick('By repository');
      await conversations().row('northwind/webshop').waitFor();
      await pictures('grouped');
      await ui.workbench.runCommand(commandIds.conversationGroup);
      await ui.workbench.quickInput.pick('No groups');
    });

    pictured('shows a filter, with and without matches', async () => {
      const filter = async (text: string) => {
        await ui.workbench.runCommand(commandIds.conversationFilter);
        await ui.workbench.quickInput.pick('Title');
        await ui.workbench.quickInput.waitFor('Part of the title');
        await ui.workbench.quickInput.type(text);
        await ui.workbench.quickInput.accept();
      };
      await filter('parser');
      await conversations().row('Move order history').waitFor({ state: 'detached' });
      await pictures('filtered');
      await filter('nothing has this');
      await conversations().welcome.getByText('No conversations match').waitFor();
      await pictures('filtered-to-nothing');
      await ui.workbench.runCommand(commandIds.conversationClearFilter);
    });

    it('shows an error with stale rows', async () => {
      const failure = failing(503);
      // Shown once, above the first view’s rows.
      await conversations().message.getByText('Out of date: Team returned').waitFor({ timeout: 60_000 });
      await sandboxes().message.waitFor({ state: 'hidden' });
      await sandboxes().row(named('7Qm2xVbT')).waitFor();
      await pictures('error-with-rows');
      failure.remove();
      await sandboxes().clickTitleAction('Refresh');
      await conversations().message.waitFor({ state: 'hidden' });
    });

    pictured('shows that there is more to load', async () => {
      for (let index = 0; index < 120; index += 1) {
        const created_at = new Date(Date.now() - index * 86_400_000).toISOString();
        const id = `oh-agent-server-more${index}`;
        ui.service.state.sandboxes.set(
          id,
          makeSandbox({ id, status: 'PAUSED', created_at, sandbox_spec_id: `more${index}` }),
        );
      }
      await ui.workbench.runCommand(commandIds.viewRefresh);
      await sandboxes().row('more').waitFor();
      await sandboxes().tree.focus();
      await ui.workbench.page.keyboard.press('End');
      await sandboxes().row('Load more').waitFor();
      await pictures('load-more');
    });

    it('shows the first reading', async () => {
      const after = ui.service.requests.at(-1)?.id ?? 0;
      const failure = ui.service.fail({
        path: lists,
        times: 'always',
        effect: { kind: 'stallBeforeHeaders' },
      });
      await ui.workbench.reload();
      await ui.workbench.openAgentWorkspace();
      await ui.service.waitForRequest(({ path }) => path.includes('/sandboxes'), {
        phase: 'arrived',
        after,
      });
      await ui.workbench.page.mouse.move(0, 0);
      await sandboxes().pane.locator('.monaco-progress-container.active').waitFor();
      await pictures('loading');
      failure.release();
      await sandboxes().row(named('7Qm2xVbT')).waitFor();
      await sandboxes().pane.locator('.monaco-progress-container.active').waitFor({ state: 'detached' });
    });
  },
  { service: { seed: 'none' } },
);
