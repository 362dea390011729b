import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { startService, type ReferenceService } from '../service/service';
import { takesPictures } from '../support/picture';
import { eventually } from '../support/patience';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { connect, connectGrouped } from './support/connect';

uiSuite('several connections', (ui) => {
  let other: ReferenceService;
  const first = (service: ReferenceService) =>
    sandboxLabel(service, [...service.state.sandboxes.keys()][0] ?? '');
  /** Waits for the rows of `service` by their number, as some sandboxes have the same names in both services. */
  const rowsOf = async (service: ReferenceService) => {
    assert.notEqual(ui.service.state.sandboxes.size, other.state.sandboxes.size);
    const { pane } = ui.workbench.view('Sandboxes');
    await pane
      .locator(`[role="treeitem"][aria-level="1"][aria-setsize="${service.state.sandboxes.size}"]`)
      .first()
      .waitFor();
    // Until conversations have been read, sandboxes are named by their specs.
    await eventually(
      async () => (await strangers(service)).length === 0,
      async () => `rows that aren’t of ${service.url}: ${(await strangers(service)).join()}`,
    );
  };
  /** The rows that are no sandboxes of `service`. */
  const strangers = async (service: ReferenceService) => {
    const known = [...service.state.sandboxes.keys()].map((id) => sandboxLabel(service, id));
    const rows = await ui.workbench.view('Sandboxes').rows();
    assert.ok(rows.length > 0);
    return rows.flatMap(({ label }) => (known.includes(label) ? [] : [label]));
  };

  before(async () => {
    other = await startService({ profile: ui.profile, sandboxes: 3 });
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await ui.workbench.view('Sandboxes').row(first(ui.service)).waitFor();
    // It has no conversations, so the palette stops offering to group them.
    await connectGrouped(ui, { url: other.url, name: 'Other', sessionKey: other.sessionKey });
    await rowsOf(other);
    await ui.workbench.notifications.clear();
  });
  after(() => other.close());

  it('shows rows of the active connection only', async () => {
    assert.deepEqual(await strangers(other), []);
  });

  it('checks each with its own key until the list is closed', async () => {
    const { quickInput } = ui.workbench;
    const held = other.fail({ path: '/api/settings', effect: { kind: 'stallBeforeHeaders' } });
    const arrived = other.waitForRequest(({ path }) => path === '/api/settings', { phase: 'arrived' });
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await quickInput.row('Team').getByText('Available, key accepted').waitFor();
    await quickInput.row('Other').getByText('Checking…').waitFor();
    await ui.workbench.screenshot(`switch-asking-${ui.profile}`);
    const { id } = await arrived;
    const left = other.waitForRequest((request) => request.id === id, { after: 0 });
    await quickInput.cancel();
    assert.equal((await left).outcome, 'clientClosed');
    held.release();
  });

  it('ignores a late answer after a switch', async () => {
    const held = other.fail({ path: '/api/v1/sandboxes/search', effect: { kind: 'stallBeforeHeaders' } });
    const arrived = other.waitForRequest(({ path }) => path === '/api/v1/sandboxes/search', {
      phase: 'arrived',
    });
    await ui.workbench.runCommand(commandIds.viewRefresh);
    await arrived;
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await ui.workbench.quickInput.pick('Team');
    await rowsOf(ui.service);
    held.release();
    const read = ui.service.waitForRequest(({ path }) => path === '/api/v1/sandboxes/search');
    await ui.workbench.runCommand(commandIds.viewRefresh);
    await read;
    assert.deepEqual(await strangers(ui.service), []);
  });

  it('keeps a key that another connection needs, and says so', async () => {
    const { quickInput } = ui.workbench;
    const settings = await ui.editor.readSettings();
    const entries = settings['agentWorkspace.connections'] as { name: string; url: string }[];
    const twin = { name: 'Twin', url: `${other.url}/team` };
    await ui.workbench.changeSettings({ 'agentWorkspace.connections': [...entries, twin] });
    await ui.workbench.runCommand(commandIds.connectionRemove);
    await quickInput.pick('Twin');
    const dialog = ui.workbench.dialog();
    await dialog.getByText('The session key is kept because Other uses it too').waitFor();
    await ui.workbench.screenshot(`remove-shared-${ui.profile}`);
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await ui.workbench.notifications.waitFor('Removed the connection Twin');
    await ui.workbench.runCommand(commandIds.connectionSwitch);
    await quickInput.row('Other').getByText('Available, key accepted').waitFor();
    await quickInput.cancel();
    await ui.workbench.notifications.clear();
  });

  it('leads from the tab of a removed connection back to its address', async () => {
    const { quickInput } = ui.workbench;
    const [title] = [...ui.service.state.conversations.values()].flatMap((one) => one.title ?? []);
    await ui.workbench
      .view('Conversations')
      .row(title ?? '')
      .click();
    const page = ui.workbench.webview();
    await page.locator('[data-composer]').waitFor();
    await ui.workbench.runCommand(commandIds.connectionRemove);
    await quickInput.pick('Team');
    await ui.workbench.dialog().getByRole('button', { name: 'Remove' }).click();
    await page.getByText('was removed').waitFor();
    for (const theme of takesPictures ? (['dark', 'hc-dark', 'hc-light', 'light'] as const) : []) {
      await ui.workbench.setTheme(theme);
      await ui.workbench.screenshot(`removed-connection-${theme}`);
    }
    await page.getByRole('button', { name: 'Connect…' }).click();
    await quickInput.waitFor('Enter the address of the service');
    assert.equal(await quickInput.value(), ui.service.url);
    await quickInput.cancel();
    await ui.workbench.closeAllEditors();
  });

  it('sends each service only its own key', () => {
    for (const service of [ui.service, other]) {
      assert.ok(service.requests.length > 0);
      for (const { headers, path } of service.requests) {
        const key = headers['x-session-api-key'];
        // The check of the address uses a fake key, and whether one can sign in there is asked without any.
        const isAsked = key === undefined && path === '/oauth/device/authorize';
        const isKnown = key === service.sessionKey || key === 'address-check';
        assert.ok(isKnown || isAsked, `${String(key)} at ${service.url}${path}`);
      }
    }
  });
});
