import assert from 'node:assert/strict';
import { uiSuite } from '../support/ui';
import { connect } from './support/connect';

uiSuite(
  'connecting with an API key',
  (ui) => {
    it('detects that the service wants an API key, and shows rows', async () => {
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.view('Sandboxes').pane.getByRole('treeitem').first().waitFor();
    });

    it('stores the kind of key in the settings, but not the key', async () => {
      const settings = JSON.stringify(await ui.editor.readSettings());
      assert.match(settings, /"authentication":"apiKey"/);
      assert.doesNotMatch(settings, new RegExp(ui.service.sessionKey));
    });
  },
  { profiles: ['current'], service: { bearer: true } },
);
