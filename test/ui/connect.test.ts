import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { tempFolder } from '../support/lifetime';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite, type UiSuite } from '../support/ui';
import { lastRequest } from './support/awaited';
import { connectGrouped, enterConnection } from './support/connect';

/** The installed extension must ignore these: only one under development may use them. */
const env = { AGENT_WORKSPACE_URL: 'http://127.0.0.1:9', AGENT_WORKSPACE_SESSION_KEY: 'environment' };

const define = (ui: UiSuite) => {
  it('shows a new user the next step', async () => {
    await ui.workbench.openAgentWorkspace();
    const { welcome } = ui.workbench.view('Conversations');
    await welcome.getByRole('button', { name: 'Connect…' }).waitFor();
    await ui.workbench.screenshot(`welcome-no-key-${ui.profile}`);
    assert.equal(ui.service.requests.length, 0, 'nothing is asked before there is a key');
  });

  it('rejects an invalid address as it is typed', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.connectionConnect);
    await quickInput.waitFor('Enter the address of the service');
    await quickInput.type('ftp://example.com');
    await quickInput.waitForMessage('http:// or https://');
    await ui.workbench.screenshot(`connect-wrong-url-${ui.profile}`);
    await quickInput.cancel();
  });

  it('reports a refused key, and keeps the text', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.connectionConnect);
    await quickInput.waitFor('Enter the address of the service');
    await quickInput.type(ui.service.url);
    await quickInput.accept();
    await quickInput.waitFor('Enter a name for this connection');
    await quickInput.type('Team');
    await quickInput.accept();
    await quickInput.waitFor('Enter the session key for');
    assert.equal(await quickInput.isPassword(), true);
    await quickInput.type('not-the-key');
    await quickInput.accept();
    await quickInput.waitForMessage('press Enter again');
    assert.equal(await quickInput.value(), 'not-the-key');
    await ui.workbench.screenshot(`connect-key-refused-${ui.profile}`);
    await quickInput.button('Back').click();
    await quickInput.waitFor('Enter a name for this connection');
    await quickInput.cancel();
    assert.doesNotMatch(JSON.stringify(await ui.editor.readSettings()), /"name":"Team"/);
  });

  it('asks before saving a refused key', async () => {
    const { quickInput } = ui.workbench;
    // Otherwise, the lists are there if they're read before the settings are refused.
    ui.service.behaviour.checkKeyOnV1 = true;
    await enterConnection(ui, { sessionKey: 'not-the-key' });
    await quickInput.waitForMessage('press Enter again');
    await quickInput.accept();
    const dialog = ui.workbench.dialog();
    await dialog.getByText('Save this session key anyway?').waitFor();
    await ui.workbench.screenshot(`connect-save-anyway-${ui.profile}`);
    await dialog.locator(':focus', { hasText: 'Enter Another Key' }).waitFor();
    await ui.workbench.page.keyboard.press('Enter');
    await dialog.waitFor({ state: 'detached' });
    await quickInput.waitForMessage('press Enter again');
    assert.equal(await quickInput.value(), 'not-the-key');
    assert.doesNotMatch(JSON.stringify(await ui.editor.readSettings()), /"name":"Team"/);
    await quickInput.accept();
    const used = ui.service.waitForRequest(
      ({ path, headers }) =>
        path.endsWith('/sandboxes/search') && headers['x-session-api-key'] === 'not-the-key',
      { after: lastRequest(ui) },
    );
    await dialog.getByRole('button', { name: 'Save Anyway' }).click();
    await quickInput.waitForClosed();
    await used;
    assert.deepEqual(await ui.workbench.notifications.messages(), []);
  });

  it('connects, and shows rows and status bar, and nothing else in between', async () => {
    const { pane, welcome } = ui.workbench.view('Conversations');
    await welcome.getByText('refused the session key').waitFor();
    const seen = await ui.workbench.page.evaluateHandle(() => {
      const texts = new Set<string>();
      const look = () => {
        for (const shown of document.querySelectorAll<HTMLElement>('.welcome-view'))
          if (shown.checkVisibility()) texts.add(shown.innerText);
      };
      look();
      new MutationObserver(look).observe(document, { subtree: true, childList: true, attributes: true });
      return texts;
    });
    await connectGrouped(ui);
    await pane.getByRole('treeitem').first().waitFor();
    const said = await seen.evaluate((texts) => [...texts]);
    assert.notDeepEqual(said, [], 'nothing was seen');
    assert.doesNotMatch(said.join(), /already in your settings|No conversations yet/);
    await ui.workbench.notifications.waitFor('Connected to Team');
    await ui.workbench.notifications.clear();
    const [sandbox] = [...ui.service.state.sandboxes.keys()];
    await ui.workbench
      .view('Sandboxes')
      .row(sandboxLabel(ui.service, sandbox ?? ''))
      .waitFor();
    await ui.workbench.statusBarItem().getByText('Team').waitFor();
    await ui.workbench.screenshot(`connected-${ui.profile}`);
  });

  it('replaces the default connection, and writes the key to no settings file', async () => {
    const settings = JSON.stringify(await ui.editor.readSettings());
    assert.match(settings, /"name":"Team"/);
    assert.doesNotMatch(settings, /localhost:3000/);
    assert.doesNotMatch(settings, new RegExp(ui.service.sessionKey));
  });

  it('keeps the key after a reload', async () => {
    await ui.workbench.reload();
    await ui.workbench.openAgentWorkspace();
    const [sandbox] = [...ui.service.state.sandboxes.keys()];
    await ui.workbench
      .view('Sandboxes')
      .row(sandboxLabel(ui.service, sandbox ?? ''))
      .waitFor();
  });

  it('connects a folder that is opened for the first time', async () => {
    const folder = await tempFolder();
    const other = await ui.workbench.openSecondWindow(folder.path);
    await other.openAgentWorkspace();
    const [sandbox] = [...ui.service.state.sandboxes.keys()];
    await other
      .view('Sandboxes')
      .row(sandboxLabel(ui.service, sandbox ?? ''))
      .waitFor();
    await other.close();
    await folder.remove();
  });

  it('loses the key when another window clears it', async () => {
    const other = await ui.workbench.openSecondWindow(ui.folder);
    await other.runCommand(commandIds.sessionClearKey);
    await other.dialog().getByRole('button', { name: 'Clear Key' }).click();
    await other.openAgentWorkspace();
    await other.view('Conversations').welcome.getByRole('button', { name: 'Set its session key' }).waitFor();
    // Browser windows read secrets on load; desktop windows get an event (see host/sessionKeys.test.ts).
    await ui.workbench.reload();
    await ui.workbench
      .view('Conversations')
      .welcome.getByRole('button', { name: 'Set its session key' })
      .waitFor();
    await other.close();
  });

  it('accepts a new key for the same connection', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.sessionSetKey);
    await quickInput.waitFor('Enter the session key for Team');
    await quickInput.type(ui.service.sessionKey);
    await quickInput.accept();
    await quickInput.waitForClosed();
    const [sandbox] = [...ui.service.state.sandboxes.keys()];
    await ui.workbench
      .view('Sandboxes')
      .row(sandboxLabel(ui.service, sandbox ?? ''))
      .waitFor();
  });

  it('lists connections with their states, switches, and removes one and its key', async () => {
    const { quickInput } = ui.workbench;
    const { 'agentWorkspace.connections': entries } = await ui.editor.readSettings();
    const local = { name: 'Local', url: 'http://localhost:3000' };
    await ui.workbench.changeSettings({ 'agentWorkspace.connections': [local, ...(entries as unknown[])] });
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await quickInput.waitFor('Select a connection');
    await quickInput.row('Team').getByText('Available, key accepted').waitFor();
    await quickInput.row('Local').getByText('No session key on this computer').waitFor();
    await ui.workbench.screenshot(`switch-connection-${ui.profile}`);
    await quickInput.pick('Local');
    await quickInput.waitForClosed();
    const { welcome } = ui.workbench.view('Conversations');
    await welcome.getByRole('button', { name: 'Connect…' }).waitFor();

    await ui.workbench.runCommand(commandIds.connectionRemove);
    await quickInput.pick('Team');
    await ui.workbench.dialog().getByRole('button', { name: 'Remove' }).click();
    await ui.workbench.notifications.waitFor('Removed the connection Team');
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await quickInput.waitFor('Select a connection');
    assert.deepEqual(
      (await quickInput.items()).map(({ label }) => label),
      ['Local'],
    );
    await quickInput.cancel();
  });
};

uiSuite('connecting', define, { editor: { env } });
