import assert from 'node:assert/strict';
import { uiSuite } from '../support/ui';
import { SettingsForm } from '../support/workbench/settingsForm';
import { connect } from './support/connect';

uiSuite(
  'a service that fails until its first settings are saved',
  (ui) => {
    before(async () => {
      ui.service.patch({ settings: null });
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
    });

    it('says so, with a button that opens the settings', async () => {
      for (const name of ['Conversations', 'Sandboxes']) {
        const { welcome, message } = ui.workbench.view(name);
        await welcome.getByText('answers with errors until you save its settings once').waitFor();
        assert.equal(await message.isVisible(), false, name);
      }
      await ui.workbench.screenshot('first-save');
      await ui.workbench.resize(640, 700);
      await ui.workbench.setTheme('dark');
      await ui.workbench.screenshot('first-save-dark-narrow');
      await ui.workbench.resize(1280, 800);
      await ui.workbench
        .view('Conversations')
        .welcome.getByRole('button', { name: 'Open Service Settings' })
        .click();
      await new SettingsForm(ui.workbench).section('model').waitFor();
    });

    it('shows rows once they’re saved', async () => {
      const form = new SettingsForm(ui.workbench);
      await form.field('llm_model').fill('openai/gpt-5');
      await form.saved();
      assert.equal(ui.service.state.settings?.llm_model, 'openai/gpt-5');
      await ui.workbench.view('Conversations').pane.getByRole('treeitem').first().waitFor();
      await ui.workbench.view('Sandboxes').pane.getByRole('treeitem').first().waitFor();
    });
  },
  { profiles: ['current'], service: { failsUnsaved: true } },
);
