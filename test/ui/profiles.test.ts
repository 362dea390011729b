import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { eventually } from '../support/patience';
import { takesPictures } from '../support/picture';
import { uiSuite } from '../support/ui';
import { SettingsForm } from '../support/workbench/settingsForm';
import { connect } from './support/connect';
import { MessageEditor } from './support/messageEditor';

uiSuite(
  'what newer services store besides the settings',
  (ui) => {
    const quickInput = () => ui.workbench.quickInput;
    /** Opens a list with its command, and selects these rows in turn. */
    const choose = async (command: string, ...labels: string[]) => {
      await ui.workbench.runCommand(command);
      for (const label of labels) await quickInput().pick(label);
    };
    const agree = async (words: string, button: string) => {
      const dialog = ui.workbench.dialog();
      await dialog.getByText(words).waitFor();
      await dialog.getByRole('button', { name: button }).click();
    };

    before(async () => {
      ui.service.patch({
        settings: { llm_model: 'openai/gpt-5', llm_base_url: null, llm_api_key: 'first-key' },
        providerTokens: { github: { token: 'good', user_id: null, host: null } },
        repositories: [{ full_name: 'ada/engine', git_provider: 'github', branches: ['main', 'difference'] }],
      });
      await ui.workbench.openAgentWorkspace();
      await connect(ui);
      await ui.workbench.view('Sandboxes').pane.getByRole('treeitem').first().waitFor();
      await ui.workbench.notifications.clear();
    });

    it('saves the current model as a profile, and rejects an invalid name', async () => {
      await choose(commandIds.profileManage, 'Save Current Model as Profile…');
      await quickInput().waitFor('Name of the profile');
      await quickInput().type('..');
      await quickInput().waitForMessage('Use 1 to 64 letters');
      await quickInput().type('work');
      await quickInput().accept();
      await quickInput().row('work').waitFor();
      await ui.workbench.screenshot('profiles');
      const [item] = await quickInput().items();
      assert.equal(item?.description, 'openai/gpt-5');
      await quickInput().cancel();
      assert.equal(ui.service.state.profiles.get('work')?.api_key, 'first-key');
    });

    it('asks before a profile replaces a key that isn’t kept anywhere else, and shows its model in the form', async () => {
      ui.service.patch({ settings: { llm_model: 'anthropic/claude', llm_api_key: 'second-key' } });
      const form = new SettingsForm(ui.workbench);
      await form.open();
      const shown = form.field('llm_model');
      assert.equal(await shown.inputValue(), 'anthropic/claude');
      await choose(commandIds.profileManage, 'work', 'Use for New Conversations');
      await ui.workbench.dialog().getByText('may not be saved in a profile').waitFor();
      await ui.workbench.screenshot('profile-use');
      await agree('Use the model profile “work”?', 'Use');
      await quickInput().waitFor('Model Profiles');
      await quickInput().row('work').getByText('current').waitFor();
      await quickInput().cancel();
      const { settings } = ui.service.state;
      assert.deepEqual([settings?.llm_model, settings?.llm_api_key], ['openai/gpt-5', 'first-key']);
      assert.equal(ui.service.state.activeProfile, 'work');
      await eventually(
        async () => (await shown.inputValue()) === 'openai/gpt-5',
        () => 'the form hasn’t got the profile’s model',
      );
      await form.close();
    });

    it('proposes the service’s repositories and their branches for a new conversation', async () => {
      const message = new MessageEditor(ui.workbench);
      await message.open();
      await message.type('Hello');
      await message.send();
      await quickInput().pick('Repository');
      await quickInput().row('ada/engine').waitFor();
      await ui.workbench.screenshot('repositories-of-service');
      await quickInput().pick('ada/engine');
      await quickInput().pick('Branch');
      await quickInput().pick('difference');
      await quickInput().row('Branch').getByText('difference').waitFor();
      await quickInput().cancel();
    });

    if (!takesPictures) return;
    it('shows pickers and described settings in a narrow window with a dark theme', async () => {
      const { profiles, secrets } = ui.service.state;
      const base_url = 'https://models.eu-central.example.com/organization/research/v1';
      profiles.set('everyday', { model: 'openai/gpt-5', base_url: null, api_key: 'a' });
      profiles.set('research-with-a-rather-long-name', {
        model: 'anthropic/claude-sonnet-4-5-20250929-extended-context',
        base_url,
        api_key: null,
      });
      secrets.set('NPM_TOKEN', { value: 'a', description: 'Token for the npm registry of the company' });
      await ui.workbench.setTheme('dark');
      await ui.workbench.resize(640, 700);
      await choose(commandIds.profileManage);
      await quickInput().row('everyday').waitFor();
      await ui.workbench.screenshot('profiles-dark-narrow');
      await quickInput().pick('research-with-a-rather-long-name');
      await quickInput().row('Use for New Conversations').waitFor();
      await ui.workbench.screenshot('profile-actions-dark-narrow');
      await quickInput().cancel();
      await choose(commandIds.secretManage);
      await quickInput().row('NPM_TOKEN').waitFor();
      await ui.workbench.screenshot('secrets-dark-narrow');
      await quickInput().cancel();
      await ui.workbench.runCommand(commandIds.settingsOpen);
      const more = ui.workbench.webview().locator('[data-section="more"]');
      await more.scrollIntoViewIfNeeded();
      await more.locator('summary').first().click();
      await ui.workbench.screenshot('more-settings-dark-narrow');
    });
  },
  { profiles: ['current'] },
);
