import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite('sandboxes', (ui) => {
  const view = () => ui.workbench.view('Sandboxes');
  const withStatus = (status: string) => {
    const sandbox = [...ui.service.state.sandboxes.values()].find((one) => one.status === status);
    assert.ok(sandbox, `the service has no sandbox that is ${status}`);
    return sandbox.id;
  };

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connect(ui);
    await view().row(withStatus('RUNNING')).waitFor();
    await ui.workbench.notifications.clear();
  });

  it('shows each with its state in words', async () => {
    const rows = await view().rows();
    for (const [status, words] of [
      ['RUNNING', 'Running'],
      ['PAUSED', 'Paused'],
      ['STARTING', 'Starting…'],
      ['ERROR', 'Error'],
      ['MISSING', 'Missing'],
    ] as const) {
      const id = withStatus(status);
      const row = rows.find(({ ariaLabel }) => ariaLabel.includes(id));
      assert.ok(row, id);
      assert.ok(row.description.startsWith(words), `${id}: ${row.description}`);
      assert.ok(row.ariaLabel.includes(words), row.ariaLabel);
    }
  });

  it('pauses by the inline button: pending at once, then what the service says', async () => {
    const id = withStatus('RUNNING');
    await view().clickInline(id, 'Pause Sandbox');
    await view().row(id).getByText('Pausing…').or(view().row(id).getByText('Paused')).waitFor();
    await view().row(id).getByText('Paused').waitFor();
    assert.equal(ui.service.state.sandboxes.get(id)?.status, 'PAUSED');
  });

  it('resumes by the inline button', async () => {
    const id = withStatus('PAUSED');
    await view().clickInline(id, 'Resume Sandbox');
    await view().row(id).getByText('Running').waitFor();
    assert.equal(ui.service.state.sandboxes.get(id)?.status, 'RUNNING');
  });

  it('says why when the service refuses, and shows its state again', async () => {
    const id = withStatus('RUNNING');
    ui.service.fail({
      method: 'POST',
      path: `/api/v1/sandboxes/${id}/pause`,
      effect: { kind: 'answer', status: 403, body: { error: 'pausing is not allowed today' } },
    });
    await view().clickInline(id, 'Pause Sandbox');
    const notification = await ui.workbench.notifications.waitFor(`${id} could not be paused`);
    assert.match(await notification.innerText(), /pausing is not allowed today/);
    await ui.workbench.screenshot(`pause-refused-${ui.profile}`);
    await view().row(id).getByText('Running').waitFor();
  });

  it('explains the refusal in the packaged guide', async () => {
    await ui.workbench.notifications.press('could not be paused', 'Help');
    await ui.workbench.tab('Preview troubleshooting.md').waitFor();
    await ui.workbench.webview().getByRole('heading', { name: 'It is not allowed' }).waitFor();
    await ui.workbench.screenshot(`help-${ui.profile}`);
    await ui.workbench.closeAllEditors();
    await ui.workbench.notifications.clear();
  });

  it('starts one from a spec’s row', async () => {
    const before = ui.service.state.sandboxes.size;
    const specs = ui.workbench.view('Sandbox Specs');
    await specs.expand();
    const [spec] = [...ui.service.state.specs.keys()];
    await specs.clickInline(spec ?? '', 'Start Sandbox…');
    const request = await ui.service.waitForRequest(
      ({ method, path }) => method === 'POST' && path === '/api/v1/sandboxes',
      { after: 0 },
    );
    assert.equal(request.query['sandbox_spec_id'], spec);
    assert.equal(ui.service.state.sandboxes.size, before + 1);
    const [started] = [...ui.service.state.sandboxes.keys()].filter((_, index) => index === before);
    await (await view().scrollTo(started ?? '')).waitFor();
    await ui.workbench.screenshot(`specs-${ui.profile}`);
    await specs.collapse();
  });

  it('offers a command without a selection those sandboxes that it can apply to', async () => {
    const { quickInput } = ui.workbench;
    await ui.workbench.runCommand(commandIds.sandboxPause);
    await quickInput.waitFor('Choose a sandbox');
    const offered = (await quickInput.items()).map(({ label }) => label);
    const paused = withStatus('PAUSED');
    assert.ok(offered.includes(withStatus('RUNNING')));
    assert.ok(!offered.includes(paused));
    await quickInput.cancel();
  });

  it('names all running ones before it pauses them', async () => {
    await ui.workbench.runCommand(commandIds.sandboxPauseAll);
    const dialog = ui.workbench.dialog();
    await dialog.getByText(withStatus('RUNNING')).waitFor();
    await ui.workbench.screenshot(`pause-all-${ui.profile}`);
    await dialog.getByRole('button', { name: 'Pause All' }).click();
    await ui.service.waitForRequest(({ path }) => path.endsWith('/pause'), { after: 0 });
    await view().row('Paused').waitFor();
  });

  it('shows details without a secret, and copies ids', async () => {
    const sandbox = [...ui.service.state.sandboxes.values()].find(({ session_api_key }) => session_api_key);
    assert.ok(sandbox?.session_api_key);
    await (await view().scrollTo(sandbox.id)).click();
    await view().openContextMenu(sandbox.id);
    await ui.workbench.chooseFromMenu('Show Sandbox Details');
    await ui.workbench.tab(`Sandbox ${sandbox.id}.json`).waitFor();
    const text = await ui.workbench.editorText();
    assert.ok(text.includes(sandbox.id));
    assert.ok(!text.includes(sandbox.session_api_key));
    await view().openContextMenu(sandbox.id);
    await ui.workbench.chooseFromMenu('Copy ID');
    await ui.workbench.page.waitForFunction(
      async (id) => (await navigator.clipboard.readText()) === id,
      sandbox.id,
    );
    await ui.workbench.closeAllEditors();
  });

  for (const theme of ['light', 'dark', 'hc-light', 'hc-dark'] as const) {
    it(`looks right in the theme ${theme}`, async () => {
      await ui.workbench.setTheme(theme);
      await ui.workbench.screenshot(`views-${theme}-${ui.profile}`);
    });
  }
});
