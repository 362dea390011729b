import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { sections } from '../../../src/shared/fields';
import { SettingsForm } from '../../support/workbench/settingsForm';
import { serveHttp } from '../../unit/api/mcp/servers';
import type { Abroad } from './support';

const docs = 'https://docs.example.com/mcp';

const mcpJson = JSON.stringify({
  inputs: [{ type: 'promptString', id: 'tracker-key', description: 'Key', password: true }],
  servers: {
    docs: { type: 'http', url: docs },
    tracker: {
      type: 'http',
      url: 'https://tracker.example.com/mcp',
      headers: { Authorization: 'Bearer ${input:tracker-key}', 'X-Team': 'one' },
    },
  },
});

/** The settings form, with everything it asks and says. */
export function form(ui: Abroad): void {
  const say = (text: string, ...values: string[]) => ui.workbench.words.say(text, ...values);
  const settings = () => ui.service.state.settings as Record<string, unknown>;
  const opened = () => new SettingsForm(ui.workbench);
  const button = (name: string) => opened().button(name);

  it('shows the form', async () => {
    await opened().open();
    await ui.workbench.tab(say('Service Settings')).waitFor();
    const { frame } = opened();
    // This service describes no settings; the form’s layout test covers the words of that section.
    const shown = sections.filter((section) => section !== 'more');
    for (const section of shown) await ui.assertTranslated(opened().section(section));
    for (const toggle of await frame.locator('[data-mcp] button.row-toggle').all()) await toggle.click();
    await button('Add server').click();
    await ui.assertTranslated(frame);
    assert.equal(await frame.locator('html').getAttribute('lang'), ui.locale);
    await ui.picture('form');
    await opened().revert();
  });

  it('reports an invalid value, and reviews the changes', async () => {
    await opened().field('max_iterations').fill('many');
    await button('Save').click();
    await opened().frame.locator('[aria-invalid="true"]').first().waitFor();
    await ui.assertTranslated(opened().frame);
    await ui.picture('form-invalid');
    await opened().revert();
    await opened().field('git_user_name').fill('Grace Hopper');
    await button('Save').click();
    await opened().review.getByRole('row', { name: 'Grace Hopper' }).waitFor();
    await ui.assertTranslated(opened().frame);
    await ui.picture('form-review');
    await opened()
      .review.getByRole('button', { name: say('Save'), exact: true })
      .click();
    const dialog = ui.workbench.dialog();
    await dialog.getByText(say('This save may delete the sandbox API key')).waitFor();
    await ui.assertTranslated(dialog.locator('.dialog-message-row'));
    await dialog.getByRole('button', { name: say('Save Anyway') }).click();
    await opened()
      .frame.locator('.status', { hasText: say('Saved') })
      .waitFor();
    await ui.assertTranslated(opened().frame);
    await ui.picture('form-saved');
  });

  it('undoes a save', async () => {
    settings()['sandbox_api_key'] = null;
    await button('Undo this save').click();
    await opened()
      .frame.locator('.status', { hasText: say('Last save undone') })
      .waitFor();
    await ui.assertTranslated(opened().frame);
    await ui.picture('form-undone');
  });

  it('asks which of two values to keep', async () => {
    await opened().field('git_user_name').fill('Mine');
    settings()['git_user_name'] = 'Theirs';
    await opened().save();
    await opened().frame.locator('.conflicts').waitFor();
    await ui.assertTranslated(opened().frame);
    await ui.picture('form-conflict');
    await opened().revert();
  });

  it('shows that the service refuses part of a server', async () => {
    const row = await opened().openServer('fetch');
    await row.locator('.row-editor input, .row-editor textarea').nth(1).fill('other-command');
    const issue = {
      loc: ['body', 'mcp_config', 'stdio_servers', 0, 'command'],
      msg: 'this command is not allowed here',
      type: 'value_error',
    };
    ui.service.fail({
      method: 'POST',
      path: '/api/settings',
      effect: { kind: 'answer', status: 422, body: { detail: [issue] } },
    });
    await opened().save();
    await ui.assertTranslated(opened().frame);
    await ui.picture('form-refused');
    await opened().revert();
  });

  it('tests, parks and restores a server', async () => {
    const mcp = await serveHttp({ name: 'Weather' });
    ui.service.state.settings?.mcp_config?.shttp_servers.push({ url: `${mcp.origin}/mcp` });
    await ui.workbench.closeAllEditors();
    await opened().open();
    const row = opened().server(`${mcp.origin}/mcp`);
    await row.getByRole('button', { name: say('Test'), exact: true }).click();
    await row.getByText('Weather 1.2.3').waitFor();
    await ui.assertTranslated(row);
    for (const button of ['Park', 'Restore'] as const) {
      await opened().move(docs, button);
      await ui.assertTranslated(opened().frame);
      await ui.picture(`form-${button}`);
    }
  });

  it('imports and exports servers', async () => {
    const { quickInput, notifications } = ui.workbench;
    await mkdir(path.join(ui.folder, '.vscode'), { recursive: true });
    await writeFile(path.join(ui.folder, '.vscode', 'mcp.json'), mcpJson);
    await button('Import').click();
    await quickInput.waitFor(say('Select where to import from'));
    await ui.assertTranslated(quickInput.widget);
    await quickInput.pick(say('{0}: folder {1}', 'VS Code', path.basename(ui.folder)));
    await quickInput.waitFor(say('Select servers to import. Nothing is saved until you press Save.'));
    await ui.assertTranslated(quickInput.widget);
    await ui.picture('import');
    await quickInput.accept();
    await quickInput.waitFor('tracker-key');
    await ui.assertTranslated(quickInput.widget);
    await quickInput.accept();
    await opened().server('https://tracker.example.com/mcp').waitFor();
    await ui.assertTranslated(opened().frame);
    await ui.picture('imported');
    await opened().revert();
    await button('Export').click();
    await quickInput.waitFor(
      say(
        'Select servers to export. API keys, variable values, and what looks like a secret elsewhere are left out.',
      ),
    );
    await ui.assertTranslated(quickInput.widget);
    await quickInput.accept();
    await quickInput.waitFor(say('Select where to export'));
    await ui.assertTranslated(quickInput.widget);
    await quickInput.pick(say('New Document'));
    await ui.assertTranslated(
      await notifications.waitFor(ui.workbench.words.around('{0} servers exported.')),
    );
    await notifications.clear();
    await opened().open();
  });

  it('connects and disconnects a git provider', async () => {
    await opened().openProviders();
    const { frame } = opened();
    const { quickInput } = ui.workbench;
    await opened()
      .provider('gitlab')
      .getByRole('button', { name: say('Replace') })
      .click();
    await quickInput.input.waitFor();
    await ui.assertTranslated(quickInput.widget);
    await quickInput.type('bad-token');
    await quickInput.accept();
    await opened().provider('gitlab').locator('.error').waitFor();
    await ui.assertTranslated(frame);
    await frame.locator('[data-provider] [data-presence="set"]').first().waitFor();
    const set = frame.locator('[data-provider]', { has: ui.workbench.page.locator('[data-presence="set"]') });
    await set
      .first()
      .getByRole('button', { name: say('Clear') })
      .click();
    const dialog = ui.workbench.dialog();
    await dialog.getByRole('button', { name: say('Clear') }).waitFor();
    await ui.assertTranslated(dialog.locator('.dialog-message-row'));
    await ui.picture('provider-clear');
    await ui.workbench.page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('offers to restore unsaved changes', async () => {
    await opened().field('git_user_email').fill('draft@example.com');
    await opened().replaceSecret(opened().field('search_api_key'), 'draft-search');
    await opened().field('search_api_key').getByText(say('will be replaced')).waitFor();
    await opened().close();
    await opened().open();
    await opened().draft.waitFor();
    await ui.assertTranslated(opened().frame);
    await ui.picture('form-draft');
    await opened()
      .draft.getByRole('button', { name: say('Discard') })
      .click();
    await opened().draft.waitFor({ state: 'detached' });
    await opened().close();
  });
}
