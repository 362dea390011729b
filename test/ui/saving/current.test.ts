import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import { uiSuite } from '../../support/ui';
import type { SettingsForm } from '../../support/workbench/settingsForm';
import { held, openForm } from './support';
import { eventually } from '../../support/patience';

const url = 'https://search.example.com/mcp';
const at = (path: string) => `agent_settings.${path}`;

uiSuite(
  'the settings form on services since release 1.7',
  (ui) => {
    let form: SettingsForm;
    const posts = () =>
      ui.service.requests
        .filter(({ method, path }) => method === 'POST' && path === '/api/v1/settings')
        .map(({ body }) => body);
    const servers = () =>
      ui.service.state.settings?.mcp_config as {
        shttp_servers: { api_key: string }[];
        stdio_servers: { args: string[] }[];
      };

    before(async () => {
      ui.service.patch({
        settings: {
          llm_api_key: 'stored-key',
          mcp_config: {
            sse_servers: [],
            stdio_servers: [{ name: 'fetch', command: 'uvx', args: ['mcp-server-fetch'] }],
            shttp_servers: [{ url, api_key: 'server-key' }],
          },
        },
      });
      form = await openForm(ui);
    });

    it('sends only what changed, each value to its place', async () => {
      await form.field('llm_model').fill('openai/gpt-5.2');
      await form.field('language').fill('pt');
      await form.field('max_iterations').fill('77');
      await form.saved();
      assert.deepEqual(posts(), [
        {
          agent_settings_diff: { llm: { model: 'openai/gpt-5.2' } },
          conversation_settings_diff: { max_iterations: 77 },
          language: 'pt',
        },
      ]);
      assert.equal(held(ui).settings['llm_api_key'], 'stored-key');
    });

    it('changes settings that the service describes, and names a value that may have made a save fail', async () => {
      await form.field(at('enable_sub_agents')).check();
      await form.saved();
      assert.deepEqual(posts().at(-1), { agent_settings_diff: { enable_sub_agents: true } });
      await form.section('more').locator('summary').first().click();
      await form.field(at('llm.max_input_tokens')).fill('7');
      await form.save();
      await form.status.getByText('Check Max Input Tokens.').waitFor();
      await ui.workbench.screenshot('saving-unnamed-value');
      assert.equal(await form.field(at('llm.max_input_tokens')).inputValue(), '7');
      await form.field(at('llm.max_input_tokens')).fill('200000');
      await form.saved();
      assert.deepEqual(posts().at(-1), { agent_settings_diff: { llm: { max_input_tokens: 200_000 } } });
    });

    it('sends no server while another server’s secret is hidden, and names that server', async () => {
      const row = await form.openServer('fetch');
      await row.getByLabel('Argument 1', { exact: true }).fill('mcp-server-other');
      const sent = posts().length;
      await form.save();
      await form.status.getByText(url).waitFor();
      await ui.workbench.screenshot('saving-hidden-secrets');
      assert.equal(posts().length, sent);
      assert.equal(servers().shttp_servers[0]?.api_key, 'server-key');
    });

    it('sends all servers once the secret is entered, and keeps it for the next change if asked to', async () => {
      const row = await form.openServer(url);
      await form.replaceSecret(row, 'typed-server-key');
      await form.saved();
      const keep = ui.workbench.dialog();
      await keep.getByText('Keep the secrets of your MCP servers on this computer?').waitFor();
      await keep.getByRole('button', { name: 'Keep', exact: true }).click();
      assert.equal(servers().shttp_servers[0]?.api_key, 'typed-server-key');
      assert.deepEqual(servers().stdio_servers[0]?.args, ['mcp-server-other']);

      const again = await form.openServer('fetch');
      await again.getByLabel('Argument 1', { exact: true }).fill('mcp-server-third');
      await form.saved();
      assert.deepEqual(servers().stdio_servers[0]?.args, ['mcp-server-third']);
      assert.equal(servers().shttp_servers[0]?.api_key, 'typed-server-key');
      assert.ok(!(await form.frame.locator('html').innerHTML()).includes('typed-server-key'));
    });

    it('shows the model of a profile activated from the palette', async () => {
      const profile = { model: 'anthropic/profile-model', base_url: null, api_key: 'profile-key' };
      ui.service.state.profiles.set('work', profile);
      const { quickInput } = ui.workbench;
      await ui.workbench.runCommand(commandIds.profileManage);
      await quickInput.waitFor('Select a profile');
      await quickInput.pick('work');
      await quickInput.waitFor('Select what to do');
      await quickInput.pick('Use for New Conversations');
      await ui.workbench.dialog().getByRole('button', { name: 'Use', exact: true }).click();
      const field = form.field('llm_model');
      await eventually(
        async () => (await field.inputValue()) === profile.model,
        () => 'the form hasn’t got the profile’s model',
      );
      assert.equal(ui.service.state.activeProfile, 'work');
    });
  },
  { profiles: ['current'] },
);
