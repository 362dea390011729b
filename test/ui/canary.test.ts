import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { commandIds } from '../../src/ids';
import { exposedUrls, makeSandbox, makeSpec } from '../service/service';
import { browserStorage } from '../support/browserStorage';
import { Canaries } from '../support/canary';
import { recordTexts, type Seen } from '../support/recorder';
import { sandboxLabel } from '../support/sandboxLabel';
import { uiSuite } from '../support/ui';
import { SettingsForm } from '../support/workbench/settingsForm';
import { ungroup } from './support/connect';
import { closeServers, serve } from '../unit/api/support/servers';
import { pauseSandbox } from './support/pauseSandbox';

const canaries = new Canaries();
const secret = (name: string) => canaries.make(`secret ${name}`.replaceAll(' ', '-'));
const marker = (name: string) => canaries.make(`marker ${name}`.replaceAll(' ', '-'));

const sessionKey = secret('session key');
/** Held by the service from the start. */
const held = {
  wrongKey: secret('wrong session key'),
  llm: secret('held llm key'),
  search: secret('held search key'),
  sandbox: secret('held sandbox key'),
  sse: secret('held sse key'),
  shttp: secret('held shttp key'),
  env: secret('held env value'),
  theirs: secret('key of another client'),
  github: secret('held github token'),
  sandboxSession: secret('session key of a sandbox'),
  urlQuery: secret('query of an exposed url'),
  initialEnv: secret('initial env of a spec'),
  conversation: secret('session key of a conversation'),
};
/** Typed or imported by the user. */
const typed = {
  llm: secret('typed llm key'),
  search: secret('typed search key'),
  sandbox: secret('typed sandbox key'),
  sse: secret('typed sse key'),
  shttp: secret('typed shttp key'),
  env: secret('typed env value'),
  conflict: secret('typed key in a conflict'),
  draft: secret('typed key in a draft'),
  gitlab: secret('typed gitlab token'),
  bitbucket: secret('typed bitbucket token'),
  bearer: secret('imported bearer'),
  imported: secret('imported env value'),
  input: secret('typed for an input'),
};
const marks = {
  connection: marker('name of the connection'),
  sandbox: marker('id of a sandbox'),
  serverText: marker('words of the service'),
  field: marker('value of a field'),
  draft: marker('value in a draft'),
  url: marker('address of an MCP server'),
};

/** The marker is in the host: long parts of a path are taken for secrets. */
const tracker = `https://${marks.url.toLowerCase()}.example.com/mcp`;

/** The only file that may contain secrets: they’re imported from it. */
const importedFile = path.join('.cursor', 'mcp.json');
const imported = () => `{
  // To be imported.
  "mcpServers": {
    "tracker": { "url": "${tracker}", "headers": { "Authorization": "Bearer ${typed.bearer}" } },
    "tool": { "command": "npx", "env": { "TOKEN": "${typed.imported}", "OTHER": "\${input:other}" } },
  },
}
`;

let recorded: Map<Seen, Set<string>>;

uiSuite(
  'secrets',
  (ui) => {
    let form: SettingsForm;
    const clipboard: string[] = [];
    const exported: string[] = [];
    const states: string[] = [];
    const sent: unknown[] = [];

    before(async () => {
      const { state } = ui.service;
      ui.service.onRequest((request) => sent.push([request.headers, request.body]));
      Object.assign(state.settings ?? {}, {
        llm_api_key: held.llm,
        search_api_key: held.search,
        sandbox_api_key: held.sandbox,
        mcp_config: {
          sse_servers: [{ url: 'https://events.example.com/sse', api_key: held.sse }],
          stdio_servers: [{ name: 'fetch', command: 'uvx', args: ['fetch'], env: { TOKEN: held.env } }],
          shttp_servers: [{ url: 'https://docs.example.com/mcp', api_key: held.shttp, timeout: 60 }],
        },
      });
      state.providerTokens = { github: { token: held.github, user_id: null, host: null } };
      const sandbox = makeSandbox({
        id: marks.sandbox,
        session_api_key: held.sandboxSession,
        exposed_urls: exposedUrls(34_900, held.urlQuery),
      });
      state.sandboxes.clear();
      state.sandboxes.set(sandbox.id, sandbox);
      const spec = makeSpec({ id: 'spec-with-env', initial_env: { TOKEN: held.initialEnv } });
      state.specs.set(spec.id, spec);
      ui.service.fail({
        path: '/api/v1/app-conversations/search',
        times: 'always',
        effect: {
          kind: 'answer',
          status: 200,
          body: {
            items: [
              {
                id: 'c0ffee',
                title: 'A conversation with a key',
                sandbox_id: sandbox.id,
                execution_status: 'idle',
                session_api_key: held.conversation,
                conversation_url: `http://localhost:34900/api/conversations/c0ffee?key=${held.conversation}`,
              },
            ],
            next_page_id: null,
          },
        },
      });
      await mkdir(path.join(ui.folder, '.cursor'));
      await writeFile(path.join(ui.folder, importedFile), imported());
      form = new SettingsForm(ui.workbench);
    });

    after(closeServers);

    /** Refuses the next such request with an answer that echoes what was sent. */
    const refuse = (
      route: string,
      status: number,
      answer: { body: unknown } | { text: string },
      method = 'POST',
    ) => ui.service.fail({ method, path: route, effect: { kind: 'answer', status, ...answer } });

    it('go through a refused and an accepted connection', async () => {
      const { quickInput, notifications } = ui.workbench;
      const refusal = ui.service.fail({
        times: 'always',
        when: ({ headers }) => headers['x-session-api-key'] === held.wrongKey,
        effect: { kind: 'answer', status: 401, body: { error: `${held.wrongKey} is no key` } },
      });
      await ui.workbench.openAgentWorkspace();
      await ui.workbench.runCommand(commandIds.connectionConnect);
      for (const [question, answer] of [
        ['Enter the address of the service', ui.service.url],
        ['Enter a name for this connection', marks.connection],
        ['Enter the session key for', held.wrongKey],
      ] as const) {
        await quickInput.waitFor(question);
        await quickInput.type(answer);
        await quickInput.accept();
      }
      await quickInput.waitForMessage('Enter another key');
      refusal.remove();
      await quickInput.type(sessionKey);
      await quickInput.accept();
      await quickInput.waitForClosed();
      await notifications.waitFor('Connected');
      await notifications.clear();
      await ungroup(ui.workbench);
    });

    it('go through views, details, IDs, and addresses', async () => {
      const { quickInput, notifications } = ui.workbench;
      const sandboxes = ui.workbench.view('Sandboxes');
      // In this profile, the service’s answers about conversations differ from its state.
      const named =
        ui.profile === 'observed' ? 'A conversation with a key' : sandboxLabel(ui.service, marks.sandbox);
      await sandboxes.row(named).waitFor();
      await sandboxes.toggleRow(named);
      await sandboxes.row('VS Code').waitFor();
      await sandboxes.row('VS Code').hover();
      await ui.workbench.view('Conversations').row('A conversation with a key').hover();
      const specs = ui.workbench.view('Sandbox Specs');
      await specs.expand();
      await specs.row('spec-with-env').hover();
      await specs.collapse();
      await sandboxes.chooseFromMenu(named, 'Show Sandbox Details');
      exported.push(await ui.workbench.wholeEditorText());
      await sandboxes.chooseFromMenu(named, 'Copy Sandbox ID');
      await ui.workbench.page.waitForFunction(
        async (id) => (await navigator.clipboard.readText()) === id,
        marks.sandbox,
      );
      clipboard.push(await ui.workbench.readClipboard());
      await ui.workbench.runCommand(commandIds.sandboxOpenUrl);
      await quickInput.pick(named);
      await quickInput.widget.getByText('VS Code').first().waitFor();
      await quickInput.cancel();

      refuse(`/api/v1/sandboxes/${marks.sandbox}/pause`, 500, {
        text: `${marks.serverText}: no ${sessionKey}`,
      });
      await pauseSandbox(ui, named);
      await notifications.waitFor(marks.serverText);
      await notifications.clear();
      await ui.workbench.closeAllEditors();
    });

    it('go through the form: typed, echoed in refusals, saved, undone', async () => {
      await form.open();
      await form.replaceSecret(form.field('llm_api_key'), typed.llm);
      await form.replaceSecret(form.field('search_api_key'), typed.search);
      await form.replaceSecret(form.field('sandbox_api_key'), typed.sandbox);
      await form.field('git_user_name').fill(marks.field);
      const sse = await form.openServer('https://events.example.com/sse');
      await form.replaceSecret(sse, typed.sse);
      const command = await form.openServer('fetch');
      await form.replaceSecret(command, typed.env);
      await form.button('Add server').click();
      const added = form.frame.locator('[data-mcp]').last();
      await added.getByLabel('URL', { exact: true }).fill('https://added.example.com/mcp');
      await form.replaceSecret(form.server('https://added.example.com/mcp'), typed.shttp);

      refuse('/api/settings', 422, {
        body: {
          detail: [
            {
              loc: ['body', 'llm_api_key'],
              msg: `no key: ${typed.llm}`,
              type: 'value_error',
              input: typed.llm,
            },
            {
              loc: ['body', 'mcp_config', 'sse_servers', 0, 'api_key'],
              msg: `no key: ${typed.sse}`,
              type: 'value_error',
              input: { api_key: typed.sse },
            },
            {
              loc: ['body', 'mcp_config', 'stdio_servers', 0, 'env', 'TOKEN'],
              msg: typed.env,
              type: 'value_error',
            },
          ],
        },
      });
      await form.save();
      await form.frame.locator('.status', { hasText: 'Not saved' }).waitFor();
      refuse('/api/settings', 401, { body: { error: `${typed.search} and ${sessionKey} are refused` } });
      await form.save();
      await form.frame.locator('.status', { hasText: 'are refused' }).waitFor();
      refuse('/api/settings', 500, { text: `KeyError: ${typed.sandbox} ${typed.shttp} ${held.shttp}` });
      await form.save();
      await form.frame.locator('.status', { hasText: 'KeyError' }).waitFor();
      await form.saved();
      await ui.workbench.runCommand(commandIds.settingsUndoSave);
      // This save makes the service forget the key that was just saved.
      await ui.workbench.dialog().getByRole('button', { name: 'Save Anyway' }).click();
      await form.frame.locator('.status', { hasText: 'undone' }).waitFor();
    });

    it('go through a conflict about a key', async () => {
      const docs = await form.openServer('https://docs.example.com/mcp');
      await form.replaceSecret(docs, typed.conflict);
      const [server] = ui.service.state.settings?.mcp_config?.shttp_servers ?? [];
      assert.ok(server);
      server.api_key = held.theirs;
      await form.save();
      await form.frame.getByRole('heading', { name: 'Changed on the service too' }).waitFor();
      await form.button('Keep all of mine').click();
      await form.saved();
    });

    it('go through drafts, a reload, and a closed form', async () => {
      await form.field('git_user_email').fill(`${marks.draft}@example.com`);
      await form.replaceSecret(form.field('llm_api_key'), typed.draft);
      await form.field('llm_api_key').getByText('will be replaced').waitFor();
      await ui.workbench.reloadWindow();
      await form.frame.getByText('Enter these again: API key').waitFor();
      states.push(await browserStorage(ui.workbench.page));
      await form.close();
      await form.open();
      await form.draft.getByRole('button', { name: 'Restore draft' }).click();
      await form.frame.locator('.status', { hasText: '1 unsaved change' }).waitFor();
    });

    it('go through git provider tokens, stored and refused', async () => {
      await form.replaceSecret(form.provider('gitlab'), typed.gitlab);
      await form.provider('gitlab').getByText('Token set', { exact: true }).waitFor();
      refuse('/api/add-git-providers', 401, { body: { error: `Invalid token ${typed.bitbucket}` } });
      await form.replaceSecret(form.provider('bitbucket'), typed.bitbucket);
      await form.provider('bitbucket').getByText('Invalid token').waitFor();
    });

    it('go through parking and restoring', async () => {
      const label = 'https://docs.example.com/mcp';
      await form.revert();
      await form.move(label, 'Park');
      states.push(await browserStorage(ui.workbench.page));
      await form.move(label, 'Restore');
      await form.move('fetch', 'Park');
      await form.parked('fetch').getByRole('button', { name: 'Delete' }).click();
      await ui.workbench.dialog().getByRole('button', { name: 'Delete' }).click();
      await form.frame.getByText('No parked servers.').waitFor();
    });

    it('go through import, test, and export of MCP servers', async () => {
      const { quickInput, notifications } = ui.workbench;
      const folder = path.basename(ui.folder);
      const echo = await serve((request, response) =>
        response
          .writeHead(500, { 'content-type': 'text/plain' })
          .end(`no ${request.headers.authorization ?? ''}`),
      );
      await ui.workbench.runCommand(commandIds.mcpImport);
      await quickInput.waitFor('Select where to import from');
      await quickInput.pick(`Cursor: folder ${folder}`);
      await quickInput.waitFor('Select servers to import');
      await quickInput.accept();
      await quickInput.waitFor('other, for');
      await quickInput.type(typed.input);
      await quickInput.accept();
      await quickInput.waitForClosed();
      const row = form.server(tracker);
      await row.waitFor();
      await form.openServer(tracker);
      await form.saved();

      ui.service.state.settings?.mcp_config?.shttp_servers.push({
        url: `${echo.origin}/mcp`,
        api_key: held.theirs,
      });
      await form.reload();
      const tested = form.server(`${echo.origin}/mcp`);
      await tested.getByRole('button', { name: 'Test', exact: true }).click();
      await tested.locator('.error').waitFor();
      for (const target of ['New Document', `.vscode/mcp.json in folder ${folder}`]) {
        await ui.workbench.runCommand(commandIds.mcpExport);
        await quickInput.waitFor('Select servers to export');
        await quickInput.accept();
        await quickInput.waitFor('Select where to export');
        await quickInput.pick(target);
        await notifications.waitFor('servers exported.');
        if (target === 'New Document') exported.push(await ui.workbench.wholeEditorText());
        await notifications.clear();
      }
      await ui.workbench.runCommand(commandIds.logsShow);
      await ui.workbench.page.locator('.panel .view-lines').getByText('GET /api/settings').first().waitFor();
      await ui.workbench.screenshot('canary-end');
    });

    /** Fails unless the search found only `sign`, the marker that proves the place was searched, and no secret. */
    function assertClean(found: readonly string[], sign: string): void {
      assert.deepEqual(
        found.filter((name) => !name.startsWith('marker')),
        [],
      );
      assert.ok(
        canaries.findIn(sign).every((name) => found.includes(name)),
        `${sign} is not found: ${found.join(' ')}`,
      );
    }

    it('are all used: each comes from the service, the user, or the imported file', async () => {
      const used = JSON.stringify([sent, ui.service.stateAsJson(), Object.values(held)]) + imported();
      const unused = Object.entries({ ...typed, sessionKey }).filter(([, value]) => !used.includes(value));
      // A draft forgets its secrets, so this secret was never sent.
      assert.deepEqual(
        unused.map(([name]) => name),
        ['draft'],
      );
      assert.ok((await ui.workbench.page.evaluate(() => localStorage.getItem('secrets.provider')))?.length);
    });

    it('are not in the log, at trace level', async () => {
      const files = await canaries.findInFiles(ui.editor.dataFolder);
      // Each window has its own, and each line names the connection.
      const logs = [...files.keys()].filter((name) => name.endsWith('Agent Workspace.log'));
      const texts = await Promise.all(
        logs.map((name) => readFile(path.join(ui.editor.dataFolder, name), 'utf8')),
      );
      const text = texts.join('\n');
      assert.match(text, /\[trace\] \S+: GET \/api\/settings, 200/);
      assertClean(canaries.findIn(text), marks.serverText);
    });

    it('are in no file of the editor, and in no workspace file except the imported one', async () => {
      const files = await canaries.findInFiles(ui.editor.dataFolder);
      assertClean(files.get(path.join('User', 'settings.json')) ?? [], marks.connection);
      for (const [name, found] of files) assert.deepEqual(found.filter(isSecret), [], name);
      const own = await canaries.findInFiles(ui.folder);
      assert.ok(own.delete(importedFile), 'the imported file is searched');
      assertClean(own.get(path.join('.vscode', 'mcp.json')) ?? [], marks.url);
      for (const [name, found] of own) assert.deepEqual(found.filter(isSecret), [], name);
    });

    it('are in no state that the editor stores', async () => {
      // This includes the secret storage, encrypted with a key from elsewhere, so nothing is excluded.
      states.push(await browserStorage(ui.workbench.page));
      assertClean(canaries.findIn(states.join('\n')), marks.draft);
    });

    for (const [where, sign] of [
      ['notification', marks.serverText],
      ['document', marks.field],
      ['webview message', marks.field],
      ['webview state', marks.draft],
    ] as const)
      it(`never appear in a ${where}`, () => {
        assertClean(
          [...(recorded.get(where) ?? [])].map((mark) => canaries.nameOf(mark)),
          sign,
        );
      });

    it('are not in what was copied, shown or exported', () => {
      assertClean(canaries.findIn(clipboard.join()), marks.sandbox);
      assertClean(canaries.findIn(exported[0] ?? ''), marks.sandbox);
      assertClean(canaries.findIn(exported[1] ?? ''), marks.url);
    });

    it('are not in what the editor prints', () => {
      const printed = [...ui.workbench.console.map(({ text }) => text), ...ui.editor.process.output].join(
        '\n',
      );
      assert.ok(printed.length > 0);
      assert.deepEqual(canaries.findIn(printed).filter(isSecret), []);
    });
  },
  {
    service: { sessionKey },
    editor: { args: ['--log', 'trace'] },
    prepare: async (context) => {
      recorded = await recordTexts(context, Canaries.pattern);
    },
  },
);

const isSecret = (name: string) => !name.startsWith('marker');
