import assert from 'node:assert/strict';
import type { Workbench } from '../support/workbench';
import { takeFocus } from '../support/workbench/focus';
import { uiSuite } from '../support/ui';
import { lastRequest, listed } from './support/awaited';
import { connectGrouped } from './support/connect';

uiSuite(
  'watching with the Explorer on screen',
  (ui) => {
    /** Conversations whose sandbox runs, so the agent has a state. */
    const live = () =>
      [...ui.service.state.conversations.values()].filter(
        ({ sandbox_id, title }) =>
          title !== null && ui.service.state.sandboxes.get(sandbox_id)?.status === 'RUNNING',
      );
    const withState = (state: string) => live().filter(({ execution_status }) => execution_status === state);
    /** A conversation that the window has seen working. */
    const oneAtWork = async () => {
      const conversation = live().find(
        ({ execution_status }) => execution_status !== 'waiting_for_confirmation',
      );
      assert.ok(conversation?.title, 'no agent is left');
      conversation.execution_status = 'running';
      await listed(ui, 'app-conversations');
      await listed(ui, 'app-conversations');
      return { conversation, title: conversation.title };
    };
    const waiting = () => withState('waiting_for_confirmation').length;
    /** Waits until the badge shows `count`; none for 0. */
    const badgeIs = async (count: number, workbench: Workbench = ui.workbench) => {
      const badge = workbench.activityBarItem().locator('.badge-content');
      if (count === 0) await badge.waitFor({ state: 'hidden' });
      else await workbench.badge(count).waitFor();
    };

    before(async () => {
      await connectGrouped(ui);
      await ui.workbench.notifications.waitFor('Connected to Team');
      await ui.workbench.runCommand('View: Show Explorer');
      await ui.workbench.notifications.clear();
    });

    it('starts with the window, and shows waiting agents before any view is opened', async () => {
      const before = lastRequest(ui);
      await ui.workbench.reload();
      await badgeIs(waiting());
      const item = ui.workbench.statusBarItem();
      await item.getByText(`${waiting()} · Team`).waitFor();
      assert.match((await item.getAttribute('class')) ?? '', /warning-kind/);
      const asked = ui.service.requests.filter(({ id }) => id > before).map(({ path }) => path);
      for (const path of asked) assert.match(path, /\/settings$|\/app-conversations(\/search)?$/);
      await ui.workbench.screenshot('watching-explorer');
    });

    it('lists waiting agents in its tooltip, and opens the first on click', async () => {
      const item = ui.workbench.statusBarItem();
      const [first] = withState('waiting_for_confirmation');
      const link = ui.workbench.page.locator('.monaco-hover a', { hasText: first?.title ?? '' }).first();
      await ui.workbench.hoverUntil(item, link);
      await ui.workbench.screenshot('watching-tooltip');
      await ui.workbench.page.keyboard.press('Escape');
      await item.click();
      await ui.workbench.tab(first?.title ?? '').waitFor();
      await ui.workbench.closeAllEditors();
      // In a browser, closing the focused tab loses the focus.
      await ui.workbench.runCommand('View: Show Explorer');
      await ui.workbench.page.locator('.explorer-folders-view').click();
    });

    it('hides numbers while the service is unavailable', async () => {
      ui.service.fail({ times: 'always', effect: { kind: 'resetBeforeAnswer' } });
      const item = ui.workbench.statusBarItem();
      await item.locator('.codicon-debug-disconnect').waitFor();
      await badgeIs(0);
      const words = ui.workbench.page.locator('.monaco-hover', { hasText: 'Out of date: can’t reach Team' });
      await ui.workbench.hoverUntil(item, words);
      await ui.workbench.screenshot('watching-away');
      await ui.workbench.page.keyboard.press('Escape');
      ui.service.clearFailures();
      await badgeIs(waiting());
      await item.getByText(`${waiting()} · Team`).waitFor();
    });

    it('counts in the background, and notifies when the window gets focus', async () => {
      const { conversation, title } = await oneAtWork();
      const giveBack = await takeFocus(ui.workbench.page);
      // By the second answer, the extension knows that the focus is gone.
      await listed(ui, 'app-conversations');
      await listed(ui, 'app-conversations');
      conversation.execution_status = 'waiting_for_confirmation';
      await badgeIs(waiting());
      assert.deepEqual(await ui.workbench.notifications.messages(), []);
      await giveBack();
      await ui.workbench.notifications.waitFor(`“${title}” is waiting for you.`);
      await ui.workbench.notifications.clear();
    });

    it('notifies in one of two windows', async () => {
      const other = await ui.workbench.openSecondWindow(ui.folder);
      await badgeIs(waiting(), other);
      const giveBack = await takeFocus(other.page);
      await listed(ui, 'app-conversations');
      await listed(ui, 'app-conversations');
      const { conversation, title } = await oneAtWork();
      conversation.execution_status = 'waiting_for_confirmation';
      await ui.workbench.notifications.waitFor(`“${title}” is waiting for you.`);
      await badgeIs(waiting(), other);
      await giveBack();
      await listed(ui, 'app-conversations');
      await listed(ui, 'app-conversations');
      assert.deepEqual(await other.notifications.messages(), []);
      await other.close();
    });
  },
  { editor: { settings: { 'agentWorkspace.watchSeconds': 1 } } },
);
