import assert from 'node:assert/strict';
import { browserStorage } from '../../support/browserStorage';
import { uiSuite } from '../../support/ui';
import type { SettingsForm } from '../../support/workbench/settingsForm';
import { held, openForm, plainSettings } from './support';

const docs = 'https://docs.example.com/mcp';
const database = 'postgres-readonly';

uiSuite('parked MCP servers', (ui) => {
  let form: SettingsForm;

  before(async () => {
    plainSettings(ui);
    form = await openForm(ui);
  });

  it('are removed from the service, survive a restart, and are restored with their secrets', async () => {
    const before = held(ui);
    for (const label of [docs, database]) await form.move(label, 'Park');
    const meanwhile = JSON.stringify(held(ui));
    assert.ok(!meanwhile.includes(docs) && !meanwhile.includes(database));
    await ui.workbench.screenshot(`parked-${ui.profile}`);

    await ui.editor.restart();
    await ui.workbench.reload();
    await form.open();
    const stored = await browserStorage(ui.workbench.page);
    assert.ok(stored.includes(docs) && stored.includes(database));
    assert.doesNotMatch(stored, /seed-docs-key-0001|seed-db-pass-0001/);
    for (const label of [docs, database]) {
      await form.move(label, 'Restore');
      await form.parked(label).waitFor({ state: 'detached' });
    }
    assert.deepEqual(held(ui), before);
  });
});
