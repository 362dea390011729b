import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { listed, settingWritten } from './support/awaited';
import { connectGrouped, ungroup } from './support/connect';
import { pauseSandbox } from './support/pauseSandbox';

uiSuite('attention', (ui) => {
  const notifications = () => ui.workbench.notifications;
  const agents = (...states: (string | null)[]) =>
    [...ui.service.state.conversations.values()].filter(
      ({ execution_status, sandbox_id, title, parent_conversation_id }) =>
        states.includes(execution_status) &&
        title !== null &&
        // The row of one that an agent started is below another.
        !parent_conversation_id &&
        ui.service.state.sandboxes.get(sandbox_id)?.status === 'RUNNING',
    );
  const agent = (state: string) => {
    const [found] = agents(state);
    assert.ok(found?.title, `no agent is ${state}`);
    return { conversation: found, title: found.title };
  };
  const running = () => {
    const found = [...ui.service.state.sandboxes.values()].filter(({ status }) => status === 'RUNNING');
    assert.ok(found[0]);
    return found as [(typeof found)[0], ...typeof found];
  };
  /** Refreshes, and waits until the service has answered both lists with the current state. */
  const refresh = async () => {
    const answered = [listed(ui, 'sandboxes'), listed(ui, 'app-conversations')];
    await ui.workbench.runCommand(commandIds.viewRefresh);
    await Promise.all(answered);
  };

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connectGrouped(ui);
    await ui.workbench.view('Sandboxes').row(sandboxLabel(ui.service, running()[0].id)).waitFor();
    await ui.workbench.view('Conversations').row(agent('running').title).waitFor();
    await notifications().waitFor('Connected to Team');
    await notifications().clear();
    await ungroup(ui.workbench);
  });

  it('notifies once that an agent is waiting, and opens its conversation', async () => {
    const { conversation, title } = agent('running');
    conversation.execution_status = 'waiting_for_confirmation';
    await refresh();
    await notifications().waitFor(`“${title}” is waiting for you.`);
    assert.deepEqual(await notifications().buttons(title), ['Show', 'Don’t Show Again']);
    await ui.workbench.screenshot(`attention-waits-${ui.profile}`);
    await notifications().press(title, 'Show');
    await ui.workbench.tab(title).waitFor();
    // With the focus in a frame, a slow browser may report the window as unfocused, which delays notifications.
    await ui.workbench.closeAllEditors();
    await refresh();
    await refresh();
    assert.deepEqual(await notifications().messages(), []);
  });

  it('notifies about pauses by the service, not about those requested here', async () => {
    const [here, elsewhere] = running();
    assert.ok(elsewhere);
    const view = ui.workbench.view('Sandboxes');
    await pauseSandbox(ui, sandboxLabel(ui.service, here.id));
    await view.row(sandboxLabel(ui.service, here.id)).getByText('Paused').waitFor();
    elsewhere.status = 'PAUSED';
    await refresh();
    await notifications().waitFor('was paused by the service or someone else');
    assert.equal((await notifications().messages()).length, 1);
    await ui.workbench.screenshot(`attention-paused-${ui.profile}`);
    await notifications().press('was paused by the service', 'Resume');
    const resumed = await ui.service.waitForRequest(({ path }) => path.endsWith('/resume'), { after: 0 });
    assert.equal(resumed.path, `/api/v1/sandboxes/${elsewhere.id}/resume`);
    await view.row(sandboxLabel(ui.service, elsewhere.id)).getByText('Running').waitFor();
  });

  it('respects “Don’t Show Again”', async () => {
    const { conversation, title } = agent('finished');
    conversation.execution_status = 'running';
    await refresh();
    conversation.execution_status = 'finished';
    await refresh();
    await notifications().press(`“${title}” has finished`, 'Don’t Show Again');
    await ui.workbench.page.waitForFunction(() => !document.querySelector('.notification-toast'));
    await settingWritten(ui, 'agentWorkspace.notifications.agentEnded', false);
    conversation.execution_status = 'running';
    await refresh();
    conversation.execution_status = 'finished';
    const waits = agents('stuck', 'running').find(({ id }) => id !== conversation.id);
    await refresh();
    assert.ok(waits?.title);
    waits.execution_status = 'waiting_for_confirmation';
    await refresh();
    await notifications().waitFor(`“${waits.title}” is waiting for you`);
    assert.equal((await notifications().messages()).length, 1);
    await notifications().clear();
  });

  it('makes no links from the service’s text', async () => {
    const { conversation } = agent('finished');
    conversation.title = 'a [link](command:workbench.action.closeWindow) b';
    conversation.execution_status = 'running';
    await refresh();
    conversation.execution_status = 'error';
    await refresh();
    const notification = await notifications().waitFor('failed or got stuck');
    assert.match(await notification.innerText(), /\[link\] +\(command:/);
    assert.equal(await notification.locator('.notification-list-item-message a').count(), 0);
    await notifications().clear();
  });

  it('doesn’t repeat notifications after a reload', async () => {
    const { conversation } = agent('error');
    conversation.title = 'Mend the login test';
    conversation.execution_status = 'waiting_for_confirmation';
    await refresh();
    await notifications().waitFor('is waiting for you');
    await ui.workbench.reload();
    await ui.workbench.openAgentWorkspace();
    await ui.workbench.view('Conversations').row(conversation.title).waitFor();
    await refresh();
    await ui.workbench
      .statusBarItem()
      .getByText(/^ *\d+ · Team/)
      .waitFor();
    assert.deepEqual(await notifications().messages(), []);
  });

  it('notifies once that the daily budget is passed, and shows the usage', async () => {
    const { conversation } = agent('waiting_for_confirmation');
    conversation.created_at = new Date().toISOString();
    conversation.metrics = { ...conversation.metrics, accumulated_cost: 12.4 };
    await ui.workbench.changeSettings({ 'agentWorkspace.usage.dailyBudget': 10 });
    await refresh();
    const words = 'more than your daily budget of $10.00.';
    await notifications().waitFor(words);
    assert.deepEqual(await notifications().buttons(words), ['Show Usage']);
    await ui.workbench.screenshot('attention-budget');
    await notifications().press(words, 'Show Usage');
    await ui.workbench.tab('Usage').waitFor();
    await ui.workbench.closeAllEditors();
    await refresh();
    await refresh();
    assert.deepEqual(await notifications().messages(), []);
  });
});
