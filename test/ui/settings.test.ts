import assert from 'node:assert/strict';
import { commandIds } from '../../src/ids';
import { fieldTable } from '../../src/shared/fields';
import { plainFields, secretFields, type PlainField } from '../../src/shared/settings';
import { takesPictures } from '../support/picture';
import { uiSuite, type UiSuite } from '../support/ui';
import { SettingsForm } from '../support/workbench/settingsForm';
import type { Theme } from '../support/workbench';
import { connectGrouped } from './support/connect';

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

const form = (ui: UiSuite) => {
  const frame = ui.workbench.webview();
  return {
    field: (name: string) => frame.locator(`[data-field="${name}"]`),
    section: (name: string) => frame.locator(`[data-section="${name}"]`),
    server: (label: string) => frame.locator(`[data-mcp="${label}"]`),
    status: frame.locator('.status'),
    save: async () => {
      await frame.getByRole('button', { name: 'Save', exact: true }).click();
    },
    /** A panel’s first save shows what it would change; a second click confirms it. */
    review: frame.getByRole('dialog', { name: 'Review changes' }),
    saved: async () => {
      await frame.locator('.status', { hasText: /^Saved/ }).waitFor();
    },
    frame,
  };
};

/** A copy of what the service stores. */
const held = (ui: UiSuite) =>
  structuredClone({ settings: ui.service.state.settings, tokens: ui.service.state.providerTokens }) as {
    settings: Record<string, unknown>;
    tokens: Record<string, { token: string; host: string | null }>;
  };

uiSuite('service settings', (ui) => {
  /** What the service stores after a save. A real service stores a mask for a posted sandbox API key. */
  const saved = (before: ReturnType<typeof held>, changed: Record<string, unknown>) => {
    const settings = { ...before.settings, ...changed };
    if (settings['sandbox_api_key'] !== null) settings['sandbox_api_key'] = '**********';
    return settings;
  };

  before(async () => {
    await ui.workbench.openAgentWorkspace();
    await connectGrouped(ui);
    await ui.workbench.notifications.waitFor('Connected');
    await ui.workbench.notifications.clear();
    await ui.workbench.runCommand(commandIds.settingsOpen);
    await ui.workbench.tab('Service Settings').waitFor();
    await form(ui).section('model').waitFor();
  });

  it('warns before a save that may lose the sandbox API key, and saves nothing on cancel', async () => {
    const before = held(ui);
    await form(ui).field('git_user_name').fill('Somebody');
    await form(ui).save();
    await form(ui).review.getByRole('row', { name: 'Somebody' }).waitFor();
    assert.deepEqual(held(ui), before);
    await form(ui).save();
    const dialog = ui.workbench.dialog();
    await dialog.getByText('sandbox API key').first().waitFor();
    await ui.workbench.screenshot('form-sandbox-key');
    await dialog.getByRole('button', { name: 'Cancel' }).click();
    assert.deepEqual(held(ui), before);
    await form(ui).frame.getByRole('button', { name: 'Revert', exact: true }).click();
    await form(ui).frame.locator('.status', { hasText: 'No unsaved changes' }).waitFor();
  });

  it('takes a secret through the editor’s password input, and never shows it', async () => {
    const { quickInput } = ui.workbench;
    for (const [index, name] of secretFields.entries()) {
      const before = held(ui);
      const value = `canary-${name}`;
      await form(ui).field(name).getByRole('button', { name: 'Replace' }).click();
      await quickInput.waitFor('key');
      assert.equal(await quickInput.isPassword(), true);
      await quickInput.type(value);
      await quickInput.accept();
      await quickInput.waitForClosed();
      if (name !== 'sandbox_api_key' && index === 0) {
        // Includes the sandbox key, so this save loses nothing and asks nothing.
        await form(ui).field('sandbox_api_key').getByRole('button', { name: 'Replace' }).click();
        await quickInput.waitFor('key');
        await quickInput.type(String(before.settings['sandbox_api_key']));
        await quickInput.accept();
        await quickInput.waitForClosed();
      }
      await form(ui).save();
      await confirmOnce(ui);
      await form(ui).saved();
      const after = held(ui);
      const stored: Record<string, unknown> = saved(before, { [name]: value });
      assert.equal(after.settings[name], stored[name]);
      assert.ok(!(await form(ui).frame.locator('html').innerHTML()).includes(value));
      if (index === 0) assert.deepEqual(after, { ...before, settings: stored });
    }
    const settings = ui.service.state.settings as Record<string, unknown>;
    // The form has warned that the next saves lose this key.
    settings['sandbox_api_key'] = null;
  });

  it('changes every field, and nothing else', async () => {
    const before = held(ui);
    for (const name of plainFields) {
      const { typed, stored } = newValues[name];
      assert.notDeepEqual(before.settings[name], stored, 'the test must change something');
      const field = form(ui).field(name);
      if (typeof typed === 'boolean') await field.setChecked(typed);
      else if (fieldTable[name].control === 'optionalFlag') await field.selectOption({ label: typed });
      else await field.fill(typed);
    }
    await form(ui).save();
    await agreeToMove(ui, 'for https://models.example.com from now on.');
    await confirmOnce(ui);
    await form(ui).saved();
    const stored = Object.fromEntries(plainFields.map((name) => [name, newValues[name].stored]));
    assert.deepEqual(held(ui), { ...before, settings: { ...before.settings, ...stored } });
  });

  it('adds an MCP server of each kind without changing the others', async () => {
    const before = held(ui);
    const config = before.settings['mcp_config'] as Record<string, object[]>;
    const add = async (kind: string, fields: Record<string, string>) => {
      await form(ui).frame.getByRole('button', { name: 'Add server', exact: true }).click();
      const row = form(ui).frame.locator('[data-mcp]').last();
      await row.getByLabel('Kind').selectOption({ label: kind });
      for (const [label, value] of Object.entries(fields)) {
        await row.getByLabel(label, { exact: true }).fill(value);
      }
    };
    await add('SSE', { URL: 'https://one.example.com/sse' });
    await add('HTTP', { URL: 'https://two.example.com/mcp' });
    await add('Command', { Name: 'tool', Command: 'uvx' });
    await ui.workbench.screenshot('form-mcp-added');
    await form(ui).save();
    await confirmOnce(ui);
    await form(ui).saved();
    const after = held(ui).settings['mcp_config'] as Record<string, Record<string, unknown>[]>;
    for (const [list, label] of [
      ['sse_servers', 'https://one.example.com/sse'],
      ['shttp_servers', 'https://two.example.com/mcp'],
      ['stdio_servers', 'tool'],
    ] as const) {
      assert.deepEqual(after[list]?.slice(0, -1), config[list], list);
      const last = after[list]?.at(-1);
      assert.equal(last?.['url'] ?? last?.['name'], label);
    }
    assert.deepEqual({ ...held(ui).settings, mcp_config: null }, { ...before.settings, mcp_config: null });
  });

  it('edits and deletes MCP servers without losing a key', async () => {
    const before = held(ui).settings['mcp_config'] as Record<string, Record<string, unknown>[]>;
    const edited = before['sse_servers']?.[0];
    assert.ok(edited?.['api_key']);
    const row = form(ui).server(String(edited['url']));
    await row.getByRole('button', { expanded: false }).first().click();
    await row.getByLabel('URL', { exact: true }).fill('https://moved.example.com/sse');
    await form(ui).server('tool').getByRole('button', { name: 'Delete', exact: true }).click();
    await form(ui).save();
    const previous = new URL(String(edited['url'])).origin;
    await agreeToMove(ui, `used for ${previous} until now, for https://moved.example.com from now on.`);
    await confirmOnce(ui);
    await form(ui).saved();
    const after = held(ui).settings['mcp_config'] as Record<string, Record<string, unknown>[]>;
    assert.deepEqual(after['sse_servers']?.[0], { ...edited, url: 'https://moved.example.com/sse' });
    assert.deepEqual(after['stdio_servers'], before['stdio_servers']?.slice(0, -1));
    assert.deepEqual(after['shttp_servers'], before['shttp_servers']);
  });

  it('shows a refusal on its field, and keeps everything typed', async () => {
    const before = held(ui);
    ui.service.fail({
      method: 'POST',
      path: '/api/settings',
      effect: {
        kind: 'answer',
        status: 422,
        body: {
          detail: [{ loc: ['body', 'max_iterations'], msg: 'must be at most 500', type: 'less_than' }],
        },
      },
    });
    await form(ui).field('max_iterations').fill('900');
    await form(ui).save();
    await confirmOnce(ui);
    await form(ui)
      .section('agent')
      .or(form(ui).section('sandbox'))
      .getByText('must be at most 500')
      .waitFor();
    assert.equal(await form(ui).field('max_iterations').inputValue(), '900');
    assert.deepEqual(held(ui), before);
    await ui.workbench.screenshot('form-422');
    await form(ui).frame.getByRole('button', { name: 'Revert', exact: true }).click();
    await form(ui).frame.locator('.status', { hasText: 'No unsaved changes' }).waitFor();
  });

  it('stores one provider’s token at once and keeps the others', async () => {
    const { quickInput } = ui.workbench;
    const before = held(ui);
    await new SettingsForm(ui.workbench).openProviders();
    const row = form(ui).frame.locator('[data-provider="gitlab"]');
    await row.getByRole('button', { name: 'Replace' }).click();
    await quickInput.waitFor('Token for GitLab');
    assert.equal(await quickInput.isPassword(), true);
    await quickInput.type('glpat-canary');
    await quickInput.accept();
    await row.getByText('Token set', { exact: true }).waitFor();
    const after = held(ui);
    assert.equal(after.tokens['gitlab']?.token, 'glpat-canary');
    assert.deepEqual(after.tokens['github'], before.tokens['github']);
    assert.deepEqual(after.settings, before.settings);
  });

  it('shows the service’s refusal of a token on its row', async () => {
    const { quickInput } = ui.workbench;
    const before = held(ui);
    const row = form(ui).frame.locator('[data-provider="bitbucket"]');
    await row.getByRole('button', { name: 'Replace' }).click();
    await quickInput.waitFor('Token for Bitbucket');
    await quickInput.type('bad-token');
    await quickInput.accept();
    await row.getByText('Invalid token').waitFor();
    await ui.workbench.screenshot('form-token-refused');
    assert.deepEqual(held(ui), before);
  });

  const themes: Theme[] = takesPictures ? ['light', 'dark', 'hc-light', 'hc-dark'] : [];
  for (const theme of themes) {
    it(`looks right in the theme ${theme}`, async () => {
      await ui.workbench.setTheme(theme);
      await ui.workbench.screenshot(`settings-${theme}`);
    });
  }
});

/** Accepts the warning about the sandbox key, which appears once per panel. */
async function confirmOnce(ui: UiSuite): Promise<void> {
  const agree = ui.workbench.dialog().getByRole('button', { name: 'Save Anyway' });
  const done = form(ui).frame.locator('.status', { hasText: /^(Saved|Not saved)/ });
  await Promise.race([agree.waitFor(), done.waitFor()]);
  if (await agree.isVisible()) await agree.click();
}

/** Agrees to send a kept secret to a new address; the question names both addresses. */
async function agreeToMove(ui: UiSuite, words: string): Promise<void> {
  const dialog = ui.workbench.dialog();
  await dialog.getByText(words).waitFor();
  await dialog.getByRole('button', { name: 'Save', exact: true }).click();
}
