import assert from 'node:assert/strict';
import { commandIds } from '../../../src/ids';
import { browserStorage } from '../../support/browserStorage';
import { uiSuite } from '../../support/ui';
import { SettingsForm } from '../../support/workbench/settingsForm';
import { createWorkspaceFolder } from '../../support/workspaceFolder';
import { held, openForm, plainSettings } from './support';

uiSuite('saving service settings', (ui) => {
  let form: SettingsForm;

  before(async () => {
    plainSettings(ui);
    ui.service.state.providerTokens = {
      github: { token: 'github-token', user_id: null, host: null },
      gitlab: { token: 'gitlab-token', user_id: null, host: 'gitlab.example.com' },
    };
    await ui.workbench.setTheme('dark');
    form = await openForm(ui);
  });

  it('shows old and new values before a panel’s first save', async () => {
    const before = held(ui);
    await form.field('git_user_name').fill('Grace Hopper');
    await form.field('max_iterations').fill('77');
    await form.button('Save').click();
    const row = form.review.getByRole('row', { name: 'Grace Hopper' });
    await row.waitFor();
    assert.deepEqual(await row.getByRole('cell').allInnerTexts(), ['Mara Lindqvist', 'Grace Hopper']);
    const number = form.review.getByRole('row', { name: '77', exact: false }).getByRole('cell');
    assert.equal((await number.allInnerTexts()).at(-1), '77');
    await ui.workbench.screenshot('saving-review');
    await form.review.getByRole('button', { name: 'Back' }).click();
    assert.deepEqual(held(ui), before);
    await form.saved();
    assert.deepEqual(held(ui), {
      ...before,
      settings: { ...before.settings, git_user_name: 'Grace Hopper', max_iterations: 77 },
    });
  });

  it('restores the previous values with Undo Last Settings Save, without the form', async () => {
    const { notifications } = ui.workbench;
    const saved = held(ui);
    await form.field('git_user_email').fill('grace@example.com');
    await form.field('language').fill('pt');
    await form.saved();
    assert.notDeepEqual(held(ui), saved);
    await form.close();
    await ui.workbench.runCommand(commandIds.settingsUndoSave);
    await notifications.waitFor('The last save was undone. The previous values are back.');
    assert.deepEqual(held(ui), saved);
    await notifications.clear();
    await form.open();
    assert.equal(await form.field('git_user_email').inputValue(), saved.settings['git_user_email']);
  });

  it('asks which value to keep if two windows changed the same field, and loses no other changes', async () => {
    const before = held(ui);
    const folder = await createWorkspaceFolder();
    const other = await ui.workbench.openSecondWindow(folder.path);
    const theirs = new SettingsForm(other);
    await other.runCommand(commandIds.connectionSwitch);
    await other.quickInput.pick('Team');
    await theirs.open();
    await ui.workbench.page.bringToFront();
    await form.field('git_user_name').fill('Mine');
    await form.field('language').fill('tr');
    await other.page.bringToFront();
    await theirs.field('git_user_name').fill('Theirs');
    await theirs.field('agent').fill('BrowsingAgent');
    await theirs.saved();

    await ui.workbench.page.bringToFront();
    await form.save();
    const conflict = form.conflict('Name');
    assert.match(await conflict.innerText(), /Before: Grace Hopper\s+Yours: Mine\s+On the service: Theirs/);
    const others = { agent: 'BrowsingAgent', git_user_name: 'Theirs' };
    assert.deepEqual(held(ui).settings, { ...before.settings, ...others });
    await ui.workbench.screenshot('saving-conflict');
    await conflict.getByRole('radio', { name: 'Yours:' }).check();
    await form.saved();
    const both = { agent: 'BrowsingAgent', git_user_name: 'Mine', language: 'tr' };
    assert.deepEqual(held(ui), { ...before, settings: { ...before.settings, ...both } });

    // The other way around: the other window's form still shows what it saved.
    await other.page.bringToFront();
    await theirs.field('git_user_name').fill('Theirs again');
    await theirs.field('max_iterations').fill('99');
    await theirs.save();
    await theirs.conflict('Name').getByRole('radio', { name: 'On the service:' }).check();
    await theirs.saved();
    assert.deepEqual(held(ui), {
      ...before,
      settings: { ...before.settings, ...both, max_iterations: 99 },
    });
    await other.close();
    await folder.remove();
    await form.reload();
  });

  it('shows what the service has after a window reload, and restores unsaved changes without secrets', async () => {
    await form.field('git_user_name').fill('draft-after-reload');
    await form.replaceSecret(form.field('llm_api_key'), 'canary-draft-key');
    await form.field('llm_api_key').getByText('will be replaced').waitFor();
    await ui.workbench.reloadWindow();
    await form.frame.getByText('Your unsaved changes from').waitFor();
    await form.frame.getByText('Enter these again: API key').waitFor();
    assert.equal(await form.field('git_user_name').inputValue(), 'draft-after-reload');
    assert.equal(await form.field('llm_model').inputValue(), held(ui).settings['llm_model']);
    const stored = await browserStorage(ui.workbench.page);
    assert.ok(stored.includes('draft-after-reload'));
    assert.ok(!stored.includes('canary-draft-key'));
    await form.revert();
  });

  it('offers a closed form’s unsaved changes with their age and what changed on the service since', async () => {
    await form.field('git_user_email').fill('draft@example.com');
    await form.replaceSecret(form.field('search_api_key'), 'canary-draft-search');
    await form.field('search_api_key').getByText('will be replaced').waitFor();
    await form.close();
    const settings = ui.service.state.settings as Record<string, unknown>;
    settings['git_user_email'] = 'theirs@example.com';
    await form.open();
    const words = await form.draft.innerText();
    assert.match(words, /You left unsaved changes (just now|\d+ min ago) \(/);
    assert.match(words, /They change: Email\./);
    assert.match(words, /These have also changed on the service since: Email\./);
    assert.match(words, /Secrets aren’t kept with unsaved changes\. Enter these again: Search/);
    assert.equal(await form.field('git_user_email').inputValue(), 'theirs@example.com');
    const stored = await browserStorage(ui.workbench.page);
    assert.ok(stored.includes('draft@example.com'));
    assert.ok(!stored.includes('canary-draft'));
    await ui.workbench.screenshot('saving-draft');
    await form.draft.getByRole('button', { name: 'Restore draft' }).click();
    await form.frame.locator('.status', { hasText: '1 unsaved change' }).waitFor();
    assert.equal(await form.field('git_user_email').inputValue(), 'draft@example.com');
    await form.revert();
    await form.close();
    await form.open();
    assert.equal(await form.draft.count(), 0);
  });

  it('shows a 422 about part of an MCP server at that control', async () => {
    const before = held(ui);
    const row = await form.openServer('fetch');
    await row.getByLabel('Argument 1', { exact: true }).fill('mcp-server-other');
    await row.locator('.row-toggle').click();
    ui.service.fail({
      method: 'POST',
      path: '/api/settings',
      effect: {
        kind: 'answer',
        status: 422,
        body: {
          detail: [
            {
              loc: ['body', 'mcp_config', 'stdio_servers', 0, 'command'],
              msg: 'this command is not allowed here',
              type: 'value_error',
            },
          ],
        },
      },
    });
    await form.save();
    const command = row.getByLabel('Command', { exact: true });
    await row.getByText('this command is not allowed here').waitFor();
    assert.equal(await command.getAttribute('aria-invalid'), 'true');
    assert.equal(await command.evaluate((element) => element === document.activeElement), true);
    assert.equal(await row.getByLabel('Name', { exact: true }).getAttribute('aria-invalid'), 'false');
    assert.equal(await row.getByLabel('Argument 1', { exact: true }).inputValue(), 'mcp-server-other');
    assert.deepEqual(held(ui), before);
    await ui.workbench.screenshot('saving-422');
    await form.revert();
  });

  it('changes one provider’s token and leaves the others', async () => {
    await form.openProviders();
    const before = held(ui);
    const posted = ui.service.waitForRequest(({ path }) => path === '/api/add-git-providers');
    await form.replaceSecret(form.provider('github'), 'github-token-2');
    await posted;
    await form.frame.locator('[data-provider="github"][aria-busy="false"]').waitFor();
    const { tokens, settings } = held(ui);
    assert.deepEqual(tokens, {
      ...before.tokens,
      github: { ...before.tokens['github'], token: 'github-token-2' },
    });
    assert.deepEqual(settings, before.settings);
  });

  it('shows a refused token on its row in the service’s words, and changes no token', async () => {
    const before = held(ui);
    await form.replaceSecret(form.provider('gitlab'), 'bad-token');
    const row = form.provider('gitlab');
    await row.getByText('Please make sure it is a valid gitlab token').waitFor();
    await row.getByText('Token set', { exact: true }).waitFor();
    assert.ok(!(await row.innerText()).includes('bad-token'));
    assert.deepEqual(held(ui), before);
  });

  it('disconnects one provider after asking, and leaves the others', async () => {
    const before = held(ui);
    const row = form.provider('gitlab');
    await row.getByRole('button', { name: 'Clear' }).click();
    const dialog = ui.workbench.dialog();
    await dialog.getByText('Clear the token for GitLab?').waitFor();
    await dialog.getByRole('button', { name: 'Clear' }).click();
    await row.getByText('No token').waitFor();
    assert.deepEqual(held(ui), { ...before, tokens: { github: before.tokens['github'] } });
    await form.provider('github').getByText('Token set', { exact: true }).waitFor();
  });
});
