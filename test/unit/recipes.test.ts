import assert from 'node:assert/strict';
import { build } from 'esbuild';
import type * as EventSchema from '../../src/api/events/schema';
import type * as Client from '../../src/api/service/client';
import type * as Generations from '../../src/api/service/generation';
import type * as Messages from '../../src/features/settings/shared/messages';
import type * as Document from '../../src/features/settings/model/document';
import type * as Settings from '../../src/shared/settings';
import type * as Actions from '../../src/features/sandboxes/model/actions';
import type * as Change from '../../src/features/sandboxes/model/changeSandboxes';
import type * as Entries from '../../src/features/transcript/model/entries';
import type * as Separators from '../../src/shared/entryTitles';
import type * as Rows from '../../src/features/sandboxes/rows/rows';
import type * as Reference from '../service/service';
import { aClient } from '../support/builders/client';
import { aList, aSandbox } from '../support/builders/records';
import { refusedImport } from '../support/layers.mjs';
import { TrialTree } from '../support/trialTree';
import type * as Service from './settings/fakeService';
import { edits, keyMayGo } from './settings/support';

/** The recipes, followed in a copy of the source: the compiler names what is missing, and what was added works. */
describe('recipes in CONTRIBUTING.md', function () {
  this.timeout(120_000);
  let tree: TrialTree;
  before(() => (tree = new TrialTree('recipes')));
  after(() => tree.remove());

  it('add a command', () => {
    const index = 'src/compose/commands/serviceCommands.ts';
    const command = 'src/features/sandboxes/commands/greet.ts';
    tree.add(
      'src/ids.ts',
      'export const commandIds = {\n',
      "  sandboxGreet: 'agentWorkspace.sandbox.greet',\n",
    );
    const [missing] = tree.errors(index);
    assert.match(missing ?? '', /'"?agentWorkspace\.sandbox\.greet"?' is missing/);
    tree.create(
      command,
      `import type { SessionStore } from '../../../core/session/session';

export const greet = ({ session }: { session: SessionStore }) => () => session.reload();
`,
    );
    tree.add(
      index,
      '    [ids.sandboxStart]: startSelectedSandbox(needs),\n',
      '    [ids.sandboxGreet]: greet(needs),\n',
    );
    tree.add(
      index,
      "import { startSelectedSandbox } from '../../features/sandboxes/commands/start';\n",
      "import { greet } from '../../features/sandboxes/commands/greet';\n",
    );
    assert.deepEqual(tree.errors(index, command), []);
    assert.equal(
      refusedImport('features/sandboxes/commands/greet.ts', '../../../core/session/session'),
      undefined,
    );
  });

  it('add a column to a row', () => {
    tree.add('src/api/service/schemas/sandbox.ts', '  status_detail: maybeText,\n', '  region: maybeText,\n');
    tree.add(
      'src/features/sandboxes/rows/rows.ts',
      '      detailOf(sandbox, 60),\n',
      "      plainText(sandbox.region ?? '', 60),\n",
    );
    assert.deepEqual(tree.errors('src/features/sandboxes/rows/rows.ts'), []);
    const { sandboxRows } = tree.load('src/features/sandboxes/rows/rows.ts') as typeof Rows;
    const [row] = sandboxRows({
      sandboxes: aList([{ ...aSandbox(), region: 'eu-west' }]),
      conversations: [],
      pending: () => undefined,
      pausedByService: () => false,
      now: Date.parse('2026-01-01T03:00:00Z'),
    });
    assert.match(row?.description ?? '', /eu-west/);
  });

  it('add a settings field', async () => {
    tree.add(
      'src/shared/fields.ts',
      'const plain = {\n',
      "  motto: { ...text, section: 'agent', label: () => l10n.t('Motto'), help: () => l10n.t('For example “Onward”.') },\n",
    );
    tree.add(
      'test/service/settingsFields.ts',
      'fields: Record<string, Field> = {\n',
      '  motto: nullable(readString),\n',
    );
    tree.add('test/service/records.ts', '    git_user_email: null,\n', '    motto: null,\n');
    tree.add('test/service/current/record.ts', "'git_user_name', 'git_user_email'", ", 'motto'");
    const places = 'src/api/service/current/places.ts';
    const [missing] = tree.errors(places);
    assert.match(missing ?? '', /'motto' is missing/);
    tree.add(places, "  language: top('language'),\n", "  motto: top('motto'),\n");
    assert.deepEqual(tree.errors('src/shared/fields.ts', places, 'src/shared/settings.ts'), []);

    const { fieldLabel, plainFields } = tree.load('src/shared/settings.ts') as typeof Settings;
    const motto = 'motto' as Settings.PlainField;
    assert.ok(plainFields.includes(motto));
    assert.equal(fieldLabel(motto), 'Motto');
    const { fakeService } = tree.load('test/unit/settings/fakeService.ts') as typeof Service;
    const { SettingsDocument } = tree.load('src/features/settings/model/document.ts') as typeof Document;
    for (const profile of ['observed', 'current'] as const) {
      const service = fakeService(profile, { motto: 'Onward' });
      const document = await SettingsDocument.load(service.client, service.safeguards);
      assert.equal(document.model.values[motto], 'Onward', profile);
      const outcome = await document.save(edits({ values: { [motto]: 'Upward' } }), keyMayGo);
      assert.equal(outcome.kind, 'saved', JSON.stringify(outcome));
      assert.equal(service.state.settings?.['motto'], 'Upward', profile);
    }
  });

  it('add an action on a sandbox', async () => {
    const index = 'src/compose/commands/serviceCommands.ts';
    const actions = 'src/features/sandboxes/model/actions.ts';
    tree.add(
      actions,
      'export const sandboxActions = { pause, resume, delete: remove',
      ", wake: { ...resume, verb: 'wake', from: ['failed'] } satisfies SandboxAction",
    );
    tree.add(
      'src/ids.ts',
      'export const commandIds = {\n',
      "  sandboxWake: 'agentWorkspace.sandbox.wake',\n",
    );
    const [missing] = tree.errors(index);
    assert.match(missing ?? '', /'"?agentWorkspace\.sandbox\.wake"?' is missing/);
    tree.add(
      index,
      '    [ids.sandboxStart]: startSelectedSandbox(needs),\n',
      '    [ids.sandboxWake]: change(needs, sandboxActions.wake),\n',
    );
    assert.deepEqual(tree.errors(actions, index, 'src/ids.ts'), []);

    const { sandboxActions, isFor } = tree.load(actions) as typeof Actions;
    const { changeSandboxes } = tree.load('src/features/sandboxes/model/changeSandboxes.ts') as typeof Change;
    const wake = (sandboxActions as Record<string, Actions.SandboxAction>)['wake']!;
    const sandbox = aSandbox({ status: 'ERROR' });
    assert.ok(isFor(wake, sandbox));
    const done: string[] = [];
    const model = {
      pending: { begin: (_: unknown, { verb }: Actions.SandboxAction) => done.push(verb) },
      refresh: () => Promise.resolve(),
    } as unknown as Parameters<typeof changeSandboxes>[0];
    const client = aClient({ resumeSandbox: (id) => Promise.resolve(void done.push(id)) });
    assert.deepEqual(await changeSandboxes(model, client, [sandbox], wake), []);
    assert.deepEqual(done, ['wake', 'sb-1']);
  });

  it('add an endpoint', async () => {
    const client = 'src/api/service/client.ts';
    tree.add(
      client,
      '  getRelease(signal?: AbortSignal): Promise<string>;\n',
      '  /** `GET /greeting`. */\n  getGreeting(signal?: AbortSignal): Promise<string>;\n',
    );
    const [missing] = tree.errors(client);
    assert.match(missing ?? '', /'getGreeting' is missing/);
    tree.add(
      client,
      '    ended: options.ended,\n',
      `    getGreeting: (signal) =>
        transport.request({ method: 'GET', route: '/greeting', read: (json) => String(json) }, signal),\n`,
    );
    tree.add(
      'test/service/routes/health.ts',
      "    '/health': () => 'OK',\n",
      "    '/greeting': () => 'Hello',\n",
    );
    assert.deepEqual(tree.errors(client), []);

    const { createClient } = tree.load(client) as typeof Client;
    const { startService } = tree.load('test/service/service.ts') as typeof Reference;
    const service = await startService({ profile: 'observed' });
    const { url: baseUrl, sessionKey } = service;
    const made = createClient({ baseUrl, sessionKey }) as Client.ApiClient & {
      getGreeting(): Promise<string>;
    };
    const greeting = await made.getGreeting().finally(() => service.close());
    assert.equal(greeting, 'Hello');
  });

  it('add a kind of event', () => {
    const schema = 'src/api/events/schema.ts';
    const titles = 'src/shared/entryTitles.ts';
    const transcript = 'src/features/transcript/model/';
    const [simple, compact] = [`${transcript}simpleEntries.ts`, `${transcript}compact.ts`] as const;
    tree.add(
      'src/api/events/event.ts',
      "  | { kind: 'condensation'; summary: string }\n",
      "  | { kind: 'checkpoint'; label: string }\n",
    );
    assert.equal(tree.errors(simple, compact).length, 3, 'each place that has to know it');
    tree.add(
      'src/api/events/kinds.ts',
      "  PauseEvent: plain({ kind: 'paused' }),\n",
      "  CheckpointEvent: kind(z.object({ label: lenientText }), ({ label }) => ({ kind: 'checkpoint', label })),\n",
    );
    tree.add('src/shared/transcript.ts', "      'modelChanged',\n", "      'checkpoint',\n");
    const [missing] = tree.errors(titles);
    assert.match(missing ?? '', /'checkpoint' is missing/);
    tree.add(
      titles,
      "  modelChanged: () => l10n.t('Model changed'),\n",
      "  checkpoint: () => l10n.t('Checkpoint'),\n",
    );
    tree.add(
      simple,
      '      return [goalEntry(event)];\n',
      `    case 'checkpoint':
      return [{ ...base, kind: 'separator', what: 'checkpoint', text: clipLine(event.label, mostOfName) }];\n`,
    );
    for (const next of ['condensation', 'paused'])
      tree.add(compact, `    case 'model':\n    case '${next}':\n`, "    case 'checkpoint':\n");
    assert.deepEqual(tree.errors('src/api/events/kinds.ts', simple, compact, titles), []);

    const { eventSchema } = tree.load(schema) as typeof EventSchema;
    const { createEntryMaker } = tree.load(`${transcript}entries.ts`) as typeof Entries;
    const { separatorTitle } = tree.load(titles) as typeof Separators;
    const told = { id: 'e', timestamp: '2026-01-01T00:00:00', source: 'agent' };
    const event = eventSchema.parse({ ...told, kind: 'CheckpointEvent', label: 'Before the move' });
    const [entry] = createEntryMaker()([event], 'idle');
    assert.ok(entry?.kind === 'separator');
    assert.deepEqual([separatorTitle(entry), entry.text], ['Checkpoint', 'Before the move']);
  });

  it('add a kind of service', () => {
    const client = 'src/api/service/client.ts';
    const generation = 'src/api/service/generation.ts';
    tree.add(generation, "export const allGenerations = ['first', 'current', 'agentServer'", ", 'archive'");
    assert.deepEqual(
      tree.errors(client, generation).map((error) => error.includes("'archive' is missing")),
      [true, true],
      'its groups, and its settings',
    );
    tree.add(
      client,
      'Readonly<Record<Generation, ConversationCalls & ServiceGroups>> = {\n    first,\n',
      '    archive: { ...first, sandboxes: undefined },\n',
    );
    tree.add(
      generation,
      '    agentServer: agentServerSettings(transport),\n',
      '    archive: firstSettings(transport),\n',
    );
    assert.deepEqual(tree.errors(client, generation, 'src/compose.ts'), []);
    const { createClient, needed } = tree.load(client) as typeof Client;
    const { ownMemory } = tree.load(generation) as typeof Generations;
    const generations = ownMemory();
    const made = createClient({ baseUrl: 'http://127.0.0.1:9', sessionKey: 'key', generations });
    assert.ok(made.sandboxes);
    generations.set(made.baseUrl, 'archive' as Generations.Generation);
    const { sandboxes, events, profiles, secrets, repositories, agents, conversationPageUrl } = made;
    assert.ok(events && conversationPageUrl);
    assert.deepEqual([sandboxes, profiles, secrets, repositories, agents], Array(5).fill(undefined));
    assert.throws(() => needed(sandboxes), { reason: 'agentServer' });
  });

  it('add a message between form and extension', () => {
    const handlers = 'src/features/settings/panel/handlers.ts';
    const messages = 'src/features/settings/shared/messages.ts';
    tree.add(
      messages,
      "  about('review', revisedEdits),\n",
      "  z.strictObject({ type: z.literal('greet') }),\n",
    );
    const [missing] = tree.errors(handlers);
    assert.match(missing ?? '', /'greet' is missing/);
    tree.add(
      handlers,
      '    review: (_message, open) => review(host, open),\n',
      "    greet: () => host.ports.log.info('Hello'),\n",
    );
    assert.deepEqual(tree.errors(handlers, messages), []);
    const { parseWebviewMessage } = tree.load(messages) as typeof Messages;
    assert.ok(parseWebviewMessage({ type: 'greet' }).ok);
    assert.ok(!parseWebviewMessage({ type: 'greet', all: true }).ok);
  });

  it('add a panel', async () => {
    const panel = 'src/features/notes/panel/panel.ts';
    const page = 'src/features/notes/page/main.ts';
    tree.create(
      panel,
      `import * as vscode from 'vscode';
import { fillPanel } from '../../../editor/webviewPanel';
import { panelTypes } from '../../../ids';

export function openNotes(extensionUri: vscode.Uri): void {
  fillNotes(vscode.window.createWebviewPanel(panelTypes.notes, 'Notes', vscode.ViewColumn.Active), extensionUri);
}

export function fillNotes(panel: vscode.WebviewPanel, extensionUri: vscode.Uri): void {
  fillPanel(panel, extensionUri, 'notes');
}
`,
    );
    tree.create(
      page,
      `import { html, render } from 'lit/html.js';
import { root } from '../../../core/kit/host';
import './main.css';

render(html\`<h1>Notes</h1>\`, root);
`,
    );
    tree.create('src/features/notes/page/main.css', 'h1 { font-size: 1.6em; }');
    assert.match(tree.errors(panel).join(), /'notes' does not exist/);
    tree.add('src/ids.ts', 'export const panelTypes = {\n', "  notes: 'agentWorkspace.notes',\n");
    const [missing] = tree.errors('src/compose/panels.ts');
    assert.match(missing ?? '', /'notes' is missing/);
    tree.add(
      'src/compose/panels.ts',
      '    restore: {\n',
      "      notes: async (panel) => (await import('../features/notes/panel/panel')).fillNotes(panel, extensionUri),\n",
    );
    assert.deepEqual(tree.errors(panel, 'src/compose/panels.ts', 'src/shell.ts'), []);
    for (const [file, target] of [
      ['features/notes/panel/panel.ts', '../../../editor/webviewPanel'],
      ['features/notes/page/main.ts', '../../../core/kit/host'],
    ] as const)
      assert.equal(refusedImport(file, target), undefined);
    const { outputFiles } = await build({
      entryPoints: { notes: tree.pathOf(page) },
      bundle: true,
      write: false,
      outdir: 'dist',
      format: 'iife',
      loader: { '.ttf': 'dataurl' },
    });
    assert.deepEqual(outputFiles.map(({ path }) => path.replace(/.*\//, '')).sort(), [
      'notes.css',
      'notes.js',
    ]);
  });
});
