import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite('connecting', (ui) => {
  it('welcomes a new user with the one next step', async () => {
    await ui.workbench.openAgentWorkspace();
    const { welcome } = ui.workbench.view('Sandboxes');
    await welcome.getByRole('button', { name: 'Connect…' }).waitFor();
    await ui.workbench.screenshot(`welcome-no-key-${ui.profile}`);
    assert.equal(ui.service.requests.length, 0, 'nothing is asked before there is a key');
  });

  it('refuses what is no address while it is typed', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.connectionConnect);
    await quickInput.waitFor('Address of the service');
    await quickInput.type('ftp://example.com');
    await quickInput.waitForMessage('http:// or https://');
    await ui.workbench.screenshot(`connect-wrong-url-${ui.profile}`);
    await quickInput.cancel();
  });

  it('says so when a key is refused, and keeps what was typed', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.connectionConnect);
    await quickInput.waitFor('Address of the service');
    await quickInput.type(ui.service.url);
    await quickInput.accept();
    await quickInput.waitFor('Name of the connection');
    await quickInput.type('Team');
    await quickInput.accept();
    await quickInput.waitFor('Session key of');
    assert.equal(await quickInput.isPassword(), true);
    await quickInput.type('not-the-key');
    await quickInput.accept();
    await quickInput.waitForMessage('press Enter again');
    assert.equal(await quickInput.value(), 'not-the-key');
    await ui.workbench.screenshot(`connect-key-refused-${ui.profile}`);
    await quickInput.button('Back').click();
    await quickInput.waitFor('Name of the connection');
    await quickInput.cancel();
  });

  it('connects, shows the rows and says so in the status bar', async () => {
    await connect(ui);
    await ui.workbench.notifications.waitFor('Connected to Team');
    await ui.workbench.notifications.clear();
    const [sandbox] = [...ui.service.state.sandboxes.keys()];
    await ui.workbench
      .view('Sandboxes')
      .row(sandbox ?? '')
      .waitFor();
    await ui.workbench.statusBarItem().getByText('Team').waitFor();
    await ui.workbench.screenshot(`connected-${ui.profile}`);
  });

  it('keeps the key in no settings file', async () => {
    const settings = JSON.stringify(await ui.editor.readSettings());
    assert.match(settings, /"name":"Team"/);
    assert.doesNotMatch(settings, new RegExp(ui.service.sessionKey));
  });

  it('finds the key again after the window was reloaded', async () => {
    await ui.workbench.reload();
    await ui.workbench.openAgentWorkspace();
    const [sandbox] = [...ui.service.state.sandboxes.keys()];
    await ui.workbench
      .view('Sandboxes')
      .row(sandbox ?? '')
      .waitFor();
  });

  it('has no key any more after another window cleared it', async () => {
    const other = await ui.workbench.openSecondWindow(ui.folder);
    await other.runCommand(commandIds.sessionClearKey);
    await other.dialog().getByRole('button', { name: 'Clear Key' }).click();
    await other.openAgentWorkspace();
    await other.view('Sandboxes').welcome.getByRole('button', { name: 'Set Session Key…' }).waitFor();
    // A browser's windows read their secrets when they load; desktop windows are told (see host/sessionKeys.test.ts).
    await ui.workbench.reload();
    await ui.workbench.view('Sandboxes').welcome.getByRole('button', { name: 'Set Session Key…' }).waitFor();
    await other.close();
  });

  it('takes a new key for the same connection', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.sessionSetKey);
    await quickInput.waitFor('Session key of Team');
    await quickInput.type(ui.service.sessionKey);
    await quickInput.accept();
    await quickInput.waitForClosed();
    const [sandbox] = [...ui.service.state.sandboxes.keys()];
    await ui.workbench
      .view('Sandboxes')
      .row(sandbox ?? '')
      .waitFor();
  });

  it('switches to another connection with the state of each, and removes one with its key', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await quickInput.waitFor('Choose a connection');
    await quickInput.row('Team').getByText('Answers, key accepted').waitFor();
    await quickInput.row('Local').getByText('No session key on this computer').waitFor();
    await ui.workbench.screenshot(`switch-connection-${ui.profile}`);
    await quickInput.pick('Local');
    await quickInput.waitForClosed();
    const { welcome } = ui.workbench.view('Sandboxes');
    await welcome.getByRole('button', { name: 'Connect…' }).waitFor();

    await ui.workbench.runCommand(commandIds.connectionRemove);
    await quickInput.pick('Team');
    await ui.workbench.dialog().getByRole('button', { name: 'Remove' }).click();
    await ui.workbench.notifications.waitFor('Removed the connection Team');
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await quickInput.waitFor('Choose a connection');
    assert.deepEqual(
      (await quickInput.items()).map(({ label }) => label),
      ['Local'],
    );
    await quickInput.cancel();
  });
});
