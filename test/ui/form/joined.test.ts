import assert from 'node:assert/strict';
import { fieldTable } from '../../../src/shared/fields';
import { plainFields, secretFields, type PlainField } from '../../../src/shared/settings';
import { startService, type ReferenceService } from '../../service/service';
import { eventually } from '../../support/patience';
import { clientOf, Harness } from '../../unit/settings/panel/support';
import { refuseSave } from '../../unit/settings/support';
import { buildForm, type Built } from './formPage';
import { JoinedForm } from './joinedForm';

/** Values that differ from the seed's and from each other, as typed or selected. */
const newValues: Record<PlainField, { typed: string | boolean; stored: string | number | boolean }> = {
  llm_model: { typed: 'openai/gpt-5.2', stored: 'openai/gpt-5.2' },
  llm_base_url: { typed: 'https://models.example.com/v2', stored: 'https://models.example.com/v2' },
  agent: { typed: 'BrowsingAgent', stored: 'BrowsingAgent' },
  language: { typed: 'pt', stored: 'pt' },
  confirmation_mode: { typed: 'Off', stored: false },
  security_analyzer: { typed: 'invariant', stored: 'invariant' },
  enable_default_condenser: { typed: false, stored: false },
  max_iterations: { typed: '77', stored: 77 },
  max_budget_per_task: { typed: '12.25', stored: 12.25 },
  remote_runtime_resource_factor: { typed: '4', stored: 4 },
  sandbox_base_container_image: { typed: 'debian:12-slim', stored: 'debian:12-slim' },
  sandbox_runtime_container_image: { typed: 'runtime:9', stored: 'runtime:9' },
  git_user_name: { typed: 'Grace Hopper', stored: 'Grace Hopper' },
  git_user_email: { typed: 'grace@example.com', stored: 'grace@example.com' },
  enable_sound_notifications: { typed: false, stored: false },
  enable_proactive_conversation_starters: { typed: false, stored: false },
  enable_solvability_analysis: { typed: false, stored: false },
  user_consents_to_analytics: { typed: 'On', stored: true },
};

describe('the form and its extension side, on a service', function () {
  this.timeout(60_000);
  let built: Built;
  let service: ReferenceService;
  let form: JoinedForm;

  before(async () => {
    built = await buildForm();
  });
  after(() => built.close());
  afterEach(async () => {
    const complaints = form.complaints.splice(0);
    form.editor.host.dispose();
    await service.close();
    assert.deepEqual(complaints, []);
  });

  /** A copy of what the service stores. */
  const held = () =>
    structuredClone({ settings: service.state.settings, tokens: service.state.providerTokens }) as {
      settings: Record<string, unknown>;
      tokens: Record<string, { token: string; host: string | null }>;
    };
  const servers = () => held().settings['mcp_config'] as Record<string, Record<string, unknown>[]>;
  const html = () => form.page.locator('html').innerHTML();

  describe('of the first generation', () => {
    beforeEach(async () => {
      service = await startService({ profile: 'observed', seed: 'lifelike' });
      // Its loss is asked about, which has its own test.
      (service.state.settings as Record<string, unknown>)['sandbox_api_key'] = null;
      service.state.providerTokens = {
        github: { token: 'github-token', user_id: null, host: null },
        gitlab: { token: 'gitlab-token', user_id: null, host: 'gitlab.example.com' },
      };
      form = await JoinedForm.open(built, service);
    });

    it('show old and new values before the first save', async () => {
      const before = held();
      await form.field('git_user_name').fill('Grace Hopper');
      await form.field('max_iterations').fill('77');
      await form.button('Save').click();
      const row = form.review.getByRole('row', { name: 'Grace Hopper' });
      assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['Mara Lindqvist', 'Grace Hopper']);
      const number = form.review.getByRole('row', { name: '77', exact: false }).getByRole('cell');
      assert.equal((await number.allInnerTexts()).at(-1), '77');
      await form.review.getByRole('button', { name: 'Back' }).click();
      assert.deepEqual(held(), before);
      await form.saved();
      const changed = { git_user_name: 'Grace Hopper', max_iterations: 77 };
      assert.deepEqual(held(), { ...before, settings: { ...before.settings, ...changed } });
    });

    it('ask before a save that may lose the sandbox API key, and save nothing on cancel', async () => {
      (service.state.settings as Record<string, unknown>)['sandbox_api_key'] = 'kept-key';
      form.editor.host.dispose();
      form = await JoinedForm.open(built, service);
      const before = held();
      form.editor.agrees = false;
      await form.field('git_user_name').fill('Somebody');
      await form.button('Save').click();
      await form.review.getByRole('row', { name: 'Somebody' }).waitFor();
      assert.deepEqual(held(), before);
      await form.review.getByRole('button', { name: 'Save', exact: true }).click();
      await eventually(
        () => Promise.resolve(form.editor.results.at(-1)?.kind === 'canceled'),
        () => JSON.stringify(form.editor.results),
      );
      assert.match(form.editor.questions.join(), /sandbox API key/);
      assert.deepEqual(held(), before);
    });

    it('change every field, and nothing else', async () => {
      const before = held();
      for (const name of plainFields) {
        const { typed, stored } = newValues[name];
        assert.notDeepEqual(before.settings[name], stored, 'the test must change something');
        const field = form.field(name);
        if (typeof typed === 'boolean') await field.setChecked(typed);
        else if (fieldTable[name].control === 'optionalFlag') await field.selectOption({ label: typed });
        else await field.fill(typed);
      }
      await form.saved();
      assert.match(form.editor.questions.join(), /for https:\/\/models\.example\.com from now on\./);
      const stored = Object.fromEntries(plainFields.map((name) => [name, newValues[name].stored]));
      assert.deepEqual(held(), { ...before, settings: { ...before.settings, ...stored } });
    });

    for (const name of secretFields)
      it(`store ${name} as it was entered, and never show it`, async () => {
        const before = held();
        const value = `canary-${name}`;
        await form.replaceSecret(form.field(name), value);
        await form.saved();
        // A real service stores a mask for this key.
        const stored = name === 'sandbox_api_key' ? '**********' : value;
        assert.deepEqual(held(), { ...before, settings: { ...before.settings, [name]: stored } });
        assert.ok(!(await html()).includes(value));
      });

    it('add an MCP server of each kind without changing the others', async () => {
      const before = held();
      const config = servers();
      const add = async (kind: string, fields: Record<string, string>) => {
        await form.button('Add server').click();
        const row = form.page.locator('[data-mcp]').last();
        await row.getByLabel('Kind').selectOption({ label: kind });
        for (const [label, value] of Object.entries(fields))
          await row.getByLabel(label, { exact: true }).fill(value);
      };
      await add('SSE', { URL: 'https://one.example.com/sse' });
      await add('HTTP', { URL: 'https://two.example.com/mcp' });
      await add('Command', { Name: 'tool', Command: 'uvx' });
      await form.saved();
      for (const [list, label] of [
        ['sse_servers', 'https://one.example.com/sse'],
        ['shttp_servers', 'https://two.example.com/mcp'],
        ['stdio_servers', 'tool'],
      ] as const) {
        assert.deepEqual(servers()[list]?.slice(0, -1), config[list], list);
        const last = servers()[list]?.at(-1);
        assert.equal(last?.['url'] ?? last?.['name'], label);
      }
      assert.deepEqual({ ...held().settings, mcp_config: null }, { ...before.settings, mcp_config: null });
    });

    it('edit and delete MCP servers without losing a key', async () => {
      const before = servers();
      const edited = before['sse_servers']?.[0];
      assert.ok(edited?.['api_key']);
      const row = await form.openServer(String(edited['url']));
      await row.getByLabel('URL', { exact: true }).fill('https://moved.example.com/sse');
      await form.server('fetch').getByRole('button', { name: 'Delete', exact: true }).click();
      await form.saved();
      const { origin } = new URL(String(edited['url']));
      assert.ok(
        form.editor.questions.some((question) =>
          question.includes(`used for ${origin} until now, for https://moved.example.com from now on.`),
        ),
      );
      assert.deepEqual(servers(), {
        ...before,
        sse_servers: [{ ...edited, url: 'https://moved.example.com/sse' }],
        stdio_servers: before['stdio_servers']?.filter(({ name }) => name !== 'fetch'),
      });
    });

    it('show a refusal on its field, and keep everything typed', async () => {
      const before = held();
      refuseSave(service, ['max_iterations'], 'must be at most 500');
      await form.field('max_iterations').fill('900');
      await form.save();
      await form.section('agent').or(form.section('sandbox')).getByText('must be at most 500').waitFor();
      assert.equal(await form.field('max_iterations').inputValue(), '900');
      assert.deepEqual(held(), before);
    });

    it('show a refusal of part of an MCP server at that control', async () => {
      const before = held();
      const row = await form.openServer('fetch');
      await row.getByLabel('Argument 1', { exact: true }).fill('mcp-server-other');
      await row.locator('.row-toggle').click();
      refuseSave(service, ['mcp_config', 'stdio_servers', 0, 'command'], 'this command is not allowed here');
      await form.save();
      const command = row.getByLabel('Command', { exact: true });
      await row.getByText('this command is not allowed here').waitFor();
      assert.equal(await command.getAttribute('aria-invalid'), 'true');
      assert.equal(await command.evaluate((element) => element === document.activeElement), true);
      assert.equal(await row.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'false');
      assert.equal(await row.getByLabel('Argument 1', { exact: true }).inputValue(), 'mcp-server-other');
      assert.deepEqual(held(), before);
    });

    it('ask which value to keep if another form changed the same field, and lose no other changes', async () => {
      const before = held();
      const theirs = new Harness(clientOf(service));
      await theirs.open();
      await form.field('git_user_name').fill('Mine');
      await form.field('language').fill('tr');
      const others = { agent: 'BrowsingAgent', git_user_name: 'Theirs' };
      await theirs.save({ values: others });
      await form.save();
      const conflict = form.conflict('Name');
      assert.match(
        await conflict.innerText(),
        /Before: Mara Lindqvist\s+Yours: Mine\s+On the service: Theirs/,
      );
      assert.deepEqual(held().settings, { ...before.settings, ...others });
      await conflict.getByRole('radio', { name: 'Yours:' }).check();
      await form.saved();
      const both = { ...others, git_user_name: 'Mine', language: 'tr' };
      assert.deepEqual(held(), { ...before, settings: { ...before.settings, ...both } });

      // The other way around.
      (service.state.settings as Record<string, unknown>)['git_user_name'] = 'Theirs again';
      await form.field('git_user_name').fill('Mine again');
      await form.field('max_iterations').fill('99');
      await form.save();
      await form.conflict('Name').getByRole('radio', { name: 'On the service:' }).check();
      await form.saved();
      const kept = { ...both, git_user_name: 'Theirs again', max_iterations: 99 };
      assert.deepEqual(held(), { ...before, settings: { ...before.settings, ...kept } });
      theirs.host.dispose();
    });

    it('offer a closed form’s unsaved changes with their age and what changed on the service since', async () => {
      await form.field('git_user_email').fill('draft@example.com');
      await form.replaceSecret(form.field('search_api_key'), 'canary-draft-search');
      const { drafts } = form.editor;
      await eventually(
        () => Promise.resolve(JSON.stringify([...drafts]).includes('draft@example.com')),
        () => 'no draft was written',
      );
      assert.ok(!JSON.stringify([...drafts]).includes('canary-draft'));
      form.editor.host.dispose();
      (service.state.settings as Record<string, unknown>)['git_user_email'] = 'theirs@example.com';
      form = await JoinedForm.open(built, service, new Harness(clientOf(service), drafts));
      const draft = form.page.getByRole('group', { name: 'Draft' });
      const words = await draft.innerText();
      assert.match(words, /You left unsaved changes (just now|\d+ min ago) \(/);
      assert.match(words, /They change: Email\./);
      assert.match(words, /These have also changed on the service since: Email\./);
      assert.match(words, /Secrets aren’t kept with unsaved changes\. Enter these again: Search/);
      assert.equal(await form.field('git_user_email').inputValue(), 'theirs@example.com');
      await draft.getByRole('button', { name: 'Restore draft' }).click();
      await form.status.filter({ hasText: '1 unsaved change' }).waitFor();
      assert.equal(await form.field('git_user_email').inputValue(), 'draft@example.com');
      await form.button('Revert').click();
      await form.status.filter({ hasText: 'No unsaved changes' }).waitFor();
      form.editor.host.dispose();
      form = await JoinedForm.open(built, service, new Harness(clientOf(service), drafts));
      assert.equal(await draft.count(), 0);
    });

    it('store one provider’s token at once, and keep the others', async () => {
      const before = held();
      form.editor.secret = 'github-token-2';
      await form.provider('github').getByRole('button', { name: 'Replace' }).click();
      await eventually(
        () => Promise.resolve(held().tokens['github']?.token === 'github-token-2'),
        () => 'the token wasn’t stored',
      );
      assert.match(form.editor.questions.join(), /Token for GitHub/);
      await form.page.locator('[data-provider="github"][aria-busy="false"]').waitFor();
      const github = { ...before.tokens['github'], token: 'github-token-2' };
      assert.deepEqual(held(), { ...before, tokens: { ...before.tokens, github } });
    });

    it('show a refused token on its row in the service’s words, and change no token', async () => {
      const before = held();
      for (const [name, words] of [
        ['gitlab', 'Please make sure it is a valid gitlab token'],
        ['bitbucket', 'Invalid token'],
      ] as const) {
        const row = form.provider(name);
        form.editor.secret = 'bad-token';
        await row.getByRole('button', { name: /^(Replace|Set)/ }).click();
        await row.getByText(words).waitFor();
        assert.ok(!(await row.innerText()).includes('bad-token'));
        assert.deepEqual(held(), before);
      }
      await form.provider('gitlab').getByText('Token set', { exact: true }).waitFor();
    });

    it('disconnect one provider after asking, and leave the others', async () => {
      const before = held();
      const row = form.provider('gitlab');
      await row.getByRole('button', { name: 'Clear' }).click();
      await row.getByText('No token').waitFor();
      assert.match(form.editor.questions.join(), /Clear the token for GitLab\?.*\[Clear\]/s);
      assert.deepEqual(held(), { ...before, tokens: { github: before.tokens['github'] } });
      await form.provider('github').getByText('Token set', { exact: true }).waitFor();
    });
  });

  describe('of the current generation', () => {
    const url = 'https://search.example.com/mcp';
    const at = (path: string) => `agent_settings.${path}`;
    const posts = () =>
      service.requests
        .filter(({ method, path }) => method === 'POST' && path === '/api/v1/settings')
        .map(({ body }) => body);

    beforeEach(async () => {
      service = await startService({ profile: 'current', seed: 'lifelike' });
      service.patch({
        settings: {
          llm_api_key: 'stored-key',
          mcp_config: {
            sse_servers: [],
            stdio_servers: [{ name: 'fetch', command: 'uvx', args: ['mcp-server-fetch'] }],
            shttp_servers: [{ url, api_key: 'server-key' }],
          },
        },
      });
      form = await JoinedForm.open(built, service);
    });

    it('send only what changed, each value to its place', async () => {
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
      assert.equal(held().settings['llm_api_key'], 'stored-key');
    });

    it('change settings that the service describes, and name a value that may have made a save fail', async () => {
      await form.field(at('enable_sub_agents')).check();
      await form.saved();
      assert.deepEqual(posts().at(-1), { agent_settings_diff: { enable_sub_agents: true } });
      await form.section('more').locator('summary').first().click();
      await form.field(at('llm.max_input_tokens')).fill('7');
      await form.save();
      await form.status.getByText('Check Max Input Tokens.').waitFor();
      assert.equal(await form.field(at('llm.max_input_tokens')).inputValue(), '7');
      await form.field(at('llm.max_input_tokens')).fill('200000');
      await form.saved();
      assert.deepEqual(posts().at(-1), { agent_settings_diff: { llm: { max_input_tokens: 200_000 } } });
    });

    it('send no server while another’s secret is hidden, then all, and keep the secret if asked to', async () => {
      // Another save is reviewed.
      await form.field('language').fill('pt');
      await form.saved();
      const fetched = await form.openServer('fetch');
      await fetched.getByLabel('Argument 1', { exact: true }).fill('mcp-server-other');
      await form.save();
      await form.status.getByText(url).waitFor();
      assert.equal(posts().length, 1);
      assert.equal(servers()['shttp_servers']?.[0]?.['api_key'], 'server-key');

      await form.replaceSecret(await form.openServer(url), 'typed-server-key');
      await form.saved();
      assert.match(
        form.editor.questions.join(),
        /Keep the secrets of your MCP servers on this computer\?.*\[Keep\]/s,
      );
      assert.equal(servers()['shttp_servers']?.[0]?.['api_key'], 'typed-server-key');
      assert.deepEqual(servers()['stdio_servers']?.[0]?.['args'], ['mcp-server-other']);

      const again = await form.openServer('fetch');
      await again.getByLabel('Argument 1', { exact: true }).fill('mcp-server-third');
      await form.saved();
      assert.deepEqual(servers()['stdio_servers']?.[0]?.['args'], ['mcp-server-third']);
      assert.equal(servers()['shttp_servers']?.[0]?.['api_key'], 'typed-server-key');
      assert.ok(!(await html()).includes('typed-server-key'));
    });
  });
});
