import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { changeBetween, listed, settingWritten } from './support/awaited';
import { connect, connectGrouped, ungroup } from './support/connect';
import { pauseSandbox } from './support/pauseSandbox';

uiSuite('attention', (ui) => {
  const notifications = () => ui.workbench.notifications;
  const agents = (...states: (string | null)[]) =>
    [...ui.service.state.conversations.values()].filter(
      ({ execution_status, sandbox_id, title }) =>
        states.includes(execution_status) &&
        title !== null &&
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
  });

  it('doesn’t notify about states from before the window opened', async () => {
    assert.deepEqual(await notifications().messages(), ['Connected to Team.']);
    await notifications().clear();
    await ungroup(ui.workbench);
  });

  it('highlights the status bar item while an agent waits', async () => {
    const item = ui.workbench.statusBarItem();
    await item.getByText(`${agents('waiting_for_confirmation').length} · Team`).waitFor();
    await ui.workbench.screenshot(`attention-status-bar-${ui.profile}`);
    assert.match((await item.getAttribute('class')) ?? '', /warning-kind/);
    assert.equal(await ui.workbench.badge(), agents('waiting_for_confirmation').length);
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

  it('summarizes several changes in one notification', async () => {
    const ended = agent('waiting_for_confirmation');
    const [sandbox] = running().filter(({ id }) => id !== ended.conversation.sandbox_id);
    assert.ok(sandbox);
    await changeBetween(
      ui,
      () => ui.workbench.runCommand(commandIds.viewRefresh),
      () => {
        ended.conversation.execution_status = 'finished';
        sandbox.status = 'PAUSED';
      },
    );
    const notification = await notifications().waitFor('was paused by the service or someone else');
    assert.match(await notification.innerText(), new RegExp('has finished'));
    assert.equal((await notifications().messages()).length, 1);
    await ui.workbench.screenshot(`attention-several-${ui.profile}`);
    await notifications().clear();
  });

  it('reports a failed sandbox only after a second read confirms it', async () => {
    const [sandbox] = running();
    const row = ui.workbench.view('Sandboxes').row(sandboxLabel(ui.service, sandbox.id));
    sandbox.status = 'ERROR';
    await refresh();
    assert.match(await row.innerText(), /Running/);
    await notifications().waitFor(/Sandbox “.+” failed/);
    await row.getByText('Failed').waitFor();
    sandbox.status = 'RUNNING';
    await refresh();
    await notifications().clear();
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
});

uiSuite('all sandboxes at once', (ui) => {
  const withStatus = (status: string) =>
    [...ui.service.state.sandboxes.values()].filter((one) => one.status === status).map(({ id }) => id);

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await ui.workbench
      .view('Sandboxes')
      .row(sandboxLabel(ui.service, withStatus('RUNNING')[0] ?? ''))
      .waitFor();
    await ui.workbench.notifications.clear();
  });

  it('pauses all, and names the one that couldn’t be paused', async () => {
    const running = withStatus('RUNNING');
    const [refused] = running;
    ui.service.fail({
      method: 'POST',
      path: `/api/v1/sandboxes/${refused ?? ''}/pause`,
      effect: { kind: 'answer', status: 403, body: { error: 'not this one' } },
    });
    await ui.workbench.runCommand(commandIds.sandboxPauseAll);
    const dialog = ui.workbench.dialog();
    for (const id of running) await dialog.getByText(sandboxLabel(ui.service, id)).waitFor();
    await dialog.getByRole('button', { name: 'Pause All' }).click();
    const words = `Pausing ${running.length - 1} of ${running.length} sandboxes…`;
    const notification = await ui.workbench.notifications.waitFor(words);
    const text = await notification.innerText();
    assert.ok(text.includes(`${sandboxLabel(ui.service, refused ?? '')}: `), text);
    assert.match(text, /not this one/);
    await ui.workbench.screenshot(`pause-all-partly-${ui.profile}`);
    await ui.workbench.notifications.clear();
  });

  it('says which sandboxes the service may pause before it resumes several', async () => {
    const paused = withStatus('PAUSED');
    ui.service.patch({
      sandboxes: ['p1', 'p2', 'p3', 'p4'].map((id) => ({ id, status: 'PAUSED' })),
    });
    await ui.workbench.runCommand(commandIds.sandboxResumeAll);
    const dialog = ui.workbench.dialog();
    const [upgrade] = withStatus('RUNNING');
    assert.ok(upgrade);
    await dialog.getByText(`may pause “${sandboxLabel(ui.service, upgrade)}”`).waitFor();
    for (const id of paused) await dialog.getByText(sandboxLabel(ui.service, id)).waitFor();
    await ui.workbench.screenshot(`resume-all-${ui.profile}`);
    await dialog.getByRole('button', { name: 'Resume All' }).click();
    await ui.workbench.notifications.waitFor(`Resuming ${paused.length + 4} sandboxes…`);
    const asked = ui.service.requests.filter(({ path }) => path.endsWith('/resume'));
    assert.equal(asked.length, paused.length + 4);
  });
});
