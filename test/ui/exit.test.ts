import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { settingWritten } from './support/awaited';
import { connect } from './support/connect';

const setting = 'agentWorkspace.pauseOnExit';

uiSuite('pause on exit', (ui) => {
  const withStatus = (status: string) => {
    const found = [...ui.service.state.sandboxes.values()].find((one) => one.status === status);
    assert.ok(found, status);
    return found.id;
  };
  const pauses = () => ui.service.requests.filter(({ path }) => path.endsWith('/pause'));

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await ui.workbench
      .view('Sandboxes')
      .row(sandboxLabel(ui.service, withStatus('RUNNING')))
      .waitFor();
    await ui.workbench.notifications.clear();
  });

  it('explains itself when turned on, and stays off if the user declines', async () => {
    await ui.workbench.changeSettings({ [setting]: true }, { close: false });
    const dialog = ui.workbench.dialog();
    await dialog.getByText('Pause sandboxes when a window closes?').waitFor();
    await ui.workbench.screenshot(`pause-on-exit-${ui.profile}`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    await ui.workbench.closeAllEditors();
    await settingWritten(ui, setting, false);
  });

  it('pauses only what this window used', async () => {
    await ui.workbench.changeSettings({ [setting]: true }, { close: false });
    await ui.workbench.dialog().getByRole('button', { name: 'Pause on Exit' }).click();
    await ui.workbench.dialog().waitFor({ state: 'detached' });
    await ui.workbench.closeAllEditors();
    const id = withStatus('PAUSED');
    const view = ui.workbench.view('Sandboxes');
    await view.clickInline(sandboxLabel(ui.service, id), 'Resume Sandbox');
    await view.row(sandboxLabel(ui.service, id)).getByText('Running').waitFor();
    const before = pauses().length;
    const paused = ui.service.waitForRequest(({ path }) => path.endsWith('/pause'));
    await ui.workbench.reload();
    await paused;
    await view.row(sandboxLabel(ui.service, id)).getByText('Paused').waitFor();
    assert.deepEqual(
      pauses()
        .slice(before)
        .map(({ path }) => path),
      [`/api/v1/sandboxes/${id}/pause`],
    );
  });

  it('doesn’t ask again, and pauses nothing when turned off', async () => {
    assert.equal(await ui.workbench.dialog().count(), 0);
    await ui.workbench.changeSettings({ [setting]: false });
    const id = withStatus('PAUSED');
    await ui.workbench.runCommand(commandIds.sandboxResume);
    await ui.workbench.quickInput.pick(sandboxLabel(ui.service, id));
    const view = ui.workbench.view('Sandboxes');
    await (await view.scrollTo(sandboxLabel(ui.service, id))).getByText('Running').waitFor();
    const before = pauses().length;
    await ui.workbench.reload();
    await (await view.scrollTo(sandboxLabel(ui.service, id))).getByText('Running').waitFor();
    assert.equal(pauses().length, before);
    assert.equal(ui.service.state.sandboxes.get(id)?.status, 'RUNNING');
  });
});
