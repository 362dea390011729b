import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { parse } from 'jsonc-parser';
import { commandIds } from '../../../src/ids';
import { browserStorage } from '../../support/browserStorage';
import { takesPictures } from '../../support/picture';
import { uiSuite } from '../../support/ui';
import type { SettingsForm } from '../../support/workbench/settingsForm';
import type { Theme } from '../../support/workbench';
import { closeServers, serve } from '../../unit/api/support/servers';
import { serveHttp } from '../../unit/api/mcp/servers';
import { held, openForm, plainSettings } from './support';

const docs = 'https://docs.example.com/mcp';
const database = 'postgres-readonly';

/** A file as people write it: with comments, trailing commas, and a key to ask for. */
const mcpJson = `{
  // What our agents use.
  "inputs": [
    { "type": "promptString", "id": "tracker-key", "description": "Key of the tracker", "password": true },
  ],
  "servers": {
    "docs": { "type": "http", "url": "https://docs.example.com/mcp" }, // there already
    "tracker": {
      "type": "http",
      "url": "https://tracker.example.com/mcp",
      "headers": { "Authorization": "Bearer \${input:tracker-key}" },
    },
    /* runs in the sandbox */
    "files": { "command": "npx", "args": ["-y", "@example/files", "/workspace"], "env": { "MODE": "read-only" } },
  },
}
`;

// What a save does is tested in ui/form/joined.test.ts; here, what the editor has to do with it.
uiSuite('saving service settings', (ui) => {
  let form: SettingsForm;
  const config = () => held(ui).settings['mcp_config'] as Record<string, Record<string, unknown>[]>;

  before(async () => {
    plainSettings(ui);
    await mkdir(path.join(ui.folder, '.vscode'));
    await writeFile(path.join(ui.folder, '.vscode', 'mcp.json'), mcpJson);
    await ui.workbench.setTheme('dark');
    form = await openForm(ui);
  });

  afterEach(closeServers);

  for (const theme of takesPictures ? (['light', 'hc-light', 'hc-dark', 'dark'] satisfies Theme[]) : [])
    it(`looks right in the theme ${theme}`, async () => {
      await ui.workbench.setTheme(theme);
      await ui.workbench.screenshot(`settings-${theme}`);
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

  it('parks servers, which survive a restart and are restored with their secrets', async () => {
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

  it('imports the workspace’s mcp.json after a preview, and saves nothing before Save', async () => {
    const { quickInput } = ui.workbench;
    const before = config();
    await ui.workbench.runCommand(commandIds.mcpImport);
    await quickInput.waitFor('Select where to import from');
    await quickInput.pick(`VS Code: folder ${path.basename(ui.folder)}`);
    await quickInput.waitFor('Select servers to import');
    const items = await quickInput.items();
    assert.deepEqual(
      items.map(({ label, checked }) => [label, checked]),
      [
        ['docs', false],
        ['tracker', true],
        ['files', true],
      ],
    );
    assert.match(
      items[0]?.detail ?? '',
      /^Duplicate: https:\/\/docs\.example\.com\/mcp is already in your list/,
    );
    assert.match(items[1]?.detail ?? '', /Will ask for: tracker-key/);
    await ui.workbench.screenshot(`servers-import-preview-${ui.profile}`);
    await quickInput.accept();
    await quickInput.waitFor('tracker-key: Key of the tracker');
    assert.equal(await quickInput.isPassword(), true);
    await quickInput.type('typed-tracker-key');
    await quickInput.accept();
    await quickInput.waitForClosed();

    await form.frame.getByText('2 servers imported.').waitFor();
    for (const name of ['https://tracker.example.com/mcp', 'files'])
      await form.server(name).getByText('new', { exact: true }).waitFor();
    assert.deepEqual(config(), before);
    assert.ok(!(await form.frame.locator('html').innerHTML()).includes('typed-tracker-key'));
    await form.saved();
    assert.equal(await form.frame.getByText('servers imported').count(), 0);
    const after = config();
    assert.deepEqual(after['stdio_servers']?.slice(0, -1), before['stdio_servers']);
    assert.deepEqual(after['stdio_servers']?.at(-1), {
      name: 'files',
      command: 'npx',
      args: ['-y', '@example/files', '/workspace'],
      env: { MODE: 'read-only' },
    });
    assert.deepEqual(after['shttp_servers']?.slice(0, -1), before['shttp_servers']);
    const { url, api_key } = after['shttp_servers']?.at(-1) ?? {};
    assert.deepEqual([url, api_key], ['https://tracker.example.com/mcp', 'typed-tracker-key']);
  });

  it('tests a real HTTP server from its row, lists its tools, and recognizes a web page', async () => {
    const mcp = await serveHttp({ name: 'Weather' });
    const page = await serve((_request, response) =>
      response.setHeader('content-type', 'text/html').end('<!doctype html><title>Hello</title>'),
    );
    const settings = ui.service.state.settings;
    settings?.mcp_config?.shttp_servers.push(
      { url: `${mcp.origin}/mcp`, api_key: 'key-of-the-weather' },
      { url: `${page.origin}/mcp` },
    );
    await form.reload();
    const good = form.server(`${mcp.origin}/mcp`);
    await good.getByRole('button', { name: 'Test', exact: true }).click();
    await good.getByText('Weather 1.2.3').waitFor();
    assert.deepEqual(await good.getByRole('list', { name: 'Tools' }).getByRole('listitem').allInnerTexts(), [
      'tool-0',
      'tool-1',
    ]);
    assert.match(await good.innerText(), /from this computer, not from the sandbox/);
    assert.deepEqual(
      new Set(mcp.requests.map(({ headers }) => headers.authorization)),
      new Set(['Bearer key-of-the-weather']),
    );
    const bad = form.server(`${page.origin}/mcp`);
    await bad.getByRole('button', { name: 'Test', exact: true }).click();
    await bad.locator('.error').waitFor();
    assert.match(
      await bad.locator('.error').innerText(),
      /This address returned text\/html, so it isn’t an MCP server\. Check the address/,
    );
    await ui.workbench.screenshot(`servers-test-${ui.profile}`);
  });

  it('exports servers without secrets to a document and to the workspace’s file', async () => {
    const { quickInput, notifications } = ui.workbench;
    const secrets = ['seed-linear-key-0001', 'seed-docs-key-0001', 'seed-db-pass-0001', 'typed-tracker-key'];
    for (const secret of secrets)
      assert.ok(JSON.stringify(config()).includes(secret), 'a secret to leave out');
    await ui.workbench.runCommand(commandIds.mcpExport);
    await quickInput.waitFor('Select servers to export');
    await quickInput.accept();
    await quickInput.waitFor('Select where to export');
    await quickInput.pick('New Document');
    await notifications.waitFor('servers exported. Secrets were left out');
    const text = await ui.workbench.wholeEditorText();
    const exported = parse(text) as { servers: Record<string, { url?: string }>; inputs: unknown[] };
    const urls = Object.values(exported.servers).map(({ url }) => url);
    for (const { url } of [...(config()['sse_servers'] ?? []), ...(config()['shttp_servers'] ?? [])])
      assert.ok(urls.includes(String(url)), String(url));
    assert.ok(exported.inputs.length > 0);
    for (const secret of secrets) assert.ok(!text.includes(secret), 'a secret is in the document');
    await notifications.clear();

    await form.open();
    await form.button('Export').click();
    await quickInput.waitFor('Select servers to export');
    await quickInput.accept();
    await quickInput.waitFor('Select where to export');
    await quickInput.pick(`.vscode/mcp.json in folder ${path.basename(ui.folder)}`);
    await ui.workbench.dialog().getByRole('button', { name: 'Replace' }).click();
    await notifications.waitFor('servers exported.');
    const file = await readFile(path.join(ui.folder, '.vscode', 'mcp.json'), 'utf8');
    assert.ok(file.includes('// What our agents use.'), 'what else is in the file stays');
    assert.ok(file.includes('https://mcp.linear.example.com/sse'));
    for (const secret of secrets) assert.ok(!file.includes(secret), 'a secret is in the file');
    await notifications.clear();
  });

  it('removes parked servers with their connection, after a warning', async () => {
    const { quickInput, notifications } = ui.workbench;
    await form.open();
    await form.move(docs, 'Park');
    const { 'agentWorkspace.connections': connections } = await ui.editor.readSettings();
    await ui.workbench.runCommand(commandIds.connectionRemove);
    await quickInput.pick('Team');
    const dialog = ui.workbench.dialog();
    await dialog.getByText(`Its parked MCP servers are deleted too, with their secrets: ${docs}.`).waitFor();
    await dialog.getByRole('button', { name: 'Remove' }).click();
    await notifications.waitFor('Removed the connection Team');
    await ui.workbench.changeSettings({ 'agentWorkspace.connections': connections });
    await ui.workbench.runCommand(commandIds.sessionSetKey);
    await quickInput.waitFor('Enter the session key for Team');
    await quickInput.type(ui.service.sessionKey);
    await quickInput.accept();
    await quickInput.waitForClosed();
    await form.frame.getByText('No parked servers.').waitFor();
  });
});
