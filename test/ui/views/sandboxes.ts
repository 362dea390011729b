import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import { documentName } from '../../../src/shared/documentNames';
import { imageName } from '../../../src/shared/imageName';
import { takesPictures } from '../../support/picture';
import { sandboxLabel } from '../../support/sandboxLabel';
import type { UiSuite } from '../../support/ui';
import type { Theme } from '../../support/workbench';
import { listed } from '../support/awaited';
import { pauseSandbox } from '../support/pauseSandbox';

/** The sandboxes’ rows and commands. */
export function sandboxes(ui: UiSuite): void {
  const view = () => ui.workbench.view('Sandboxes');
  const withStatus = (status: string) => {
    const sandbox = [...ui.service.state.sandboxes.values()].find((one) => one.status === status);
    assert.ok(sandbox, `the service has no sandbox that is ${status}`);
    return sandbox.id;
  };
  const named = (id: string) => sandboxLabel(ui.service, id);

  it('pauses with the inline button: pending at once, then the service’s state', async () => {
    const id = withStatus('RUNNING');
    await pauseSandbox(ui, named(id));
    await view()
      .row(named(id))
      .getByText('Pausing…')
      .or(view().row(named(id)).getByText('Paused'))
      .waitFor();
    await view().row(named(id)).getByText('Paused').waitFor();
    assert.equal(ui.service.state.sandboxes.get(id)?.status, 'PAUSED');
  });

  it('gives the reason for a refusal, and shows the service’s state again', async () => {
    const id = withStatus('RUNNING');
    ui.service.fail({
      method: 'POST',
      path: `/api/v1/sandboxes/${id}/pause`,
      effect: { kind: 'answer', status: 403, body: { error: 'pausing is not allowed today' } },
    });
    await pauseSandbox(ui, named(id));
    const notification = await ui.workbench.notifications.waitFor(`Couldn’t pause “${named(id)}”`);
    assert.match(await notification.innerText(), /pausing is not allowed today/);
    await ui.workbench.screenshot(`pause-refused-${ui.profile}`);
    await view().row(named(id)).getByText('Running').waitFor();
  });

  it('explains the refusal in the packaged guide', async () => {
    await ui.workbench.notifications.press('Couldn’t pause', 'Help');
    await ui.workbench.tab('Preview troubleshooting.md').waitFor();
    await ui.workbench.webview().getByRole('heading', { name: 'Not allowed' }).waitFor();
    await ui.workbench.screenshot(`help-${ui.profile}`);
    await ui.workbench.closeAllEditors();
    await ui.workbench.notifications.clear();
  });

  it('starts a sandbox from a spec’s row', async () => {
    const before = ui.service.state.sandboxes.size;
    const specs = ui.workbench.view('Sandbox Specs');
    await specs.expand();
    const [spec] = [...ui.service.state.specs.keys()];
    await specs.clickInline(imageName(spec ?? '').name, 'Start Sandbox…');
    const request = await ui.service.waitForRequest(
      ({ method, path }) => method === 'POST' && path === '/api/v1/sandboxes',
      { after: 0 },
    );
    assert.equal(request.query['sandbox_spec_id'], spec);
    assert.equal(ui.service.state.sandboxes.size, before + 1);
    const [started] = [...ui.service.state.sandboxes.keys()].filter((_, index) => index === before);
    await (await view().scrollTo(named(started ?? ''))).waitFor();
    await ui.workbench.screenshot(`specs-${ui.profile}`);
    await specs.collapse();
  });

  it('says which sandbox the service may pause before resuming or starting one', async () => {
    const paused = withStatus('PAUSED');
    const extra = ['x1', 'x2', 'x3', 'x4', 'x5'];
    ui.service.patch({
      sandboxes: extra.map((id, index) => ({
        id,
        status: 'RUNNING',
        sandbox_spec_id: `agent:${index}`,
        created_at: new Date(Date.now() - (900 + index) * 86_400_000).toISOString(),
      })),
    });
    await listed(ui, 'sandboxes');
    await view().clickInline(named(paused), 'Resume Sandbox');
    const dialog = ui.workbench.dialog();
    const oldest = 'agent:4 · 904 d ago';
    await dialog.getByText(`Resuming this sandbox may pause “${oldest}”`).waitFor();
    await ui.workbench.screenshot(`resume-may-pause-${ui.profile}`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(ui.service.state.sandboxes.get(paused)?.status, 'PAUSED');
    await ui.workbench.runCommand(commandIds.sandboxStart);
    await ui.workbench.quickInput.widget.getByText(`may pause “${oldest}`).first().waitFor();
    await ui.workbench.screenshot(`start-may-pause-${ui.profile}`);
    await ui.workbench.quickInput.cancel();
    for (const id of extra) ui.service.state.sandboxes.delete(id);
    await listed(ui, 'sandboxes');
  });

  it('shows details without secrets, and copies IDs', async () => {
    const titled = [...ui.service.state.conversations.values()].filter(({ title }) => title);
    // Only a running sandbox has a key.
    const sandbox = [...ui.service.state.sandboxes.values()].find(
      ({ id, session_api_key }) => session_api_key && titled.some(({ sandbox_id }) => sandbox_id === id),
    );
    assert.ok(sandbox?.session_api_key);
    await (await view().scrollTo(named(sandbox.id))).click();
    await view().chooseFromMenu(named(sandbox.id), 'Show Sandbox Details');
    await ui.workbench.tab(`${documentName(named(sandbox.id))}.txt`).waitFor();
    const text = await ui.workbench.editorText(sandbox.id);
    assert.ok(!text.includes(sandbox.session_api_key));
    assert.ok((await view().menuLabels(named(sandbox.id))).includes('Start Conversation Here…'));
    await view().chooseFromMenu(named(sandbox.id), 'Copy Sandbox ID');
    await ui.workbench.page.waitForFunction(
      async (id) => (await navigator.clipboard.readText()) === id,
      sandbox.id,
    );
    await ui.workbench.closeAllEditors();
  });

  it('asks before deleting a sandbox from its menu, and names its conversations', async () => {
    const titled = [...ui.service.state.conversations.values()].filter(({ title }) => title);
    const inside = titled.find(
      ({ sandbox_id }) => ui.service.state.sandboxes.get(sandbox_id)?.status === 'RUNNING',
    );
    assert.ok(inside?.title);
    const label = named(inside.sandbox_id);
    await view().chooseFromMenu(label, 'Delete Sandbox…');
    const dialog = ui.workbench.dialog();
    await dialog.getByText(`Delete the sandbox “${label}”?`).waitFor();
    await dialog.getByText(`“${inside.title}”`).first().waitFor();
    await ui.workbench.screenshot(`delete-sandbox-${ui.profile}`);
    await dialog.getByRole('button', { name: 'Delete', exact: true }).click();
    await view().row(label).waitFor({ state: 'detached' });
    assert.ok(!ui.service.state.sandboxes.has(inside.sandbox_id));
  });

  const themes: Theme[] = takesPictures ? ['light', 'dark', 'hc-light', 'hc-dark'] : [];
  for (const theme of themes) {
    it(`looks right in the theme ${theme}`, async () => {
      await ui.workbench.setTheme(theme);
      await ui.workbench.screenshot(`views-${theme}-${ui.profile}`);
    });
  }
}
