import assert from 'node:assert/strict';
import { startService, type ReferenceService } from '../service/service';
import type { UiSuite } from '../support/ui';
import { followLink } from './support/followLink';

/** Links that offer a connection. They need a window that isn’t connected, and leave it so. */
export function links(ui: UiSuite): void {
  let other: ReferenceService;
  before(async () => {
    other = await startService({ profile: ui.profile, seed: 'lifelike' });
  });
  after(() => other.close());

  const follow = (query: string) => followLink(ui, `connect?${query}`);

  it('refuses a link with a key, and sends nothing', async () => {
    await follow(`url=${encodeURIComponent(other.url)}&key=${other.sessionKey}`);
    const notification = await ui.workbench.notifications.waitFor('The link wasn’t opened');
    assert.match(await notification.innerText(), /never taken from links/);
    await ui.workbench.screenshot(`link-refused-${ui.profile}`);
    await ui.workbench.notifications.clear();
    assert.equal(await ui.workbench.dialog().count(), 0);
  });

  it('does nothing if the user cancels', async () => {
    await follow(`url=${encodeURIComponent(other.url)}`);
    const dialog = ui.workbench.dialog();
    await dialog.getByText(`Connect to ${other.url}?`).waitFor();
    await ui.workbench.screenshot(`link-asks-${ui.profile}`);
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    await dialog.waitFor({ state: 'detached' });
    assert.equal(await ui.workbench.quickInput.isOpen(), false);
    assert.equal(other.requests.length, 0);
  });

  it('fills in the address if the user continues', async () => {
    const { quickInput } = ui.workbench;
    await follow(`url=${encodeURIComponent(other.url)}`);
    await ui.workbench.dialog().getByRole('button', { name: 'Continue' }).click();
    await quickInput.waitFor('Enter the address of the service');
    assert.equal(await quickInput.value(), other.url);
    assert.equal(other.requests.length, 0, 'nothing is asked before Enter');
    await quickInput.accept();
    await quickInput.waitFor('Enter a name for this connection');
    await quickInput.cancel();
    const settings = JSON.stringify(await ui.editor.readSettings());
    assert.ok(!settings.includes(other.url), 'nothing was added');
  });
}
