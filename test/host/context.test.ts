import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import * as vscode from 'vscode';
import { commandIds, messageScheme } from '../../src/ids';
import { onlyFolder } from '../../src/editor/selection';
import { contextFinder } from '../../src/features/conversation/panel/context';
import type { ContextItem } from '../../src/features/context/model/context';
import { answering } from './answering';

const { find, findSymbols, pick } = contextFinder;

describe('context for a message', () => {
  const root = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath ?? '';
  const at = (name: string) => path.join(root, ...name.split('/'));
  const collection = vscode.languages.createDiagnosticCollection('checker');
  const providers: vscode.Disposable[] = [];
  let readme: string;

  before(async () => {
    readme = await readFile(at('README.md'), 'utf8');
    await mkdir(at('cartography/deep'), { recursive: true });
    await writeFile(at('cartography/deep/Map.txt'), 'here\n');
    await writeFile(at('README.md'), '# Another\n');
  });
  after(async () => {
    collection.dispose();
    for (const one of providers) one.dispose();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(at('cartography'), { recursive: true });
    await writeFile(at('README.md'), readme);
  });

  const words = (items: readonly ContextItem[]) =>
    items.map((one) => `${one.kind} ${one.label}: ${one.detail}`);
  const textOf = async (item: ContextItem | undefined) => {
    const source = await item?.locate();
    assert.equal(source?.isInside, true);
    return (await source.read())?.quote.text;
  };
  const found = async (query: string, kind: ContextItem['kind']) => {
    const item = (await find(query)).find((one) => one.kind === kind);
    return textOf(item);
  };

  it('is files and folders by name, in whichever case', async () => {
    assert.deepEqual(words(await find('map')), ['file Map.txt: cartography/deep']);
    assert.deepEqual(words(await find('CARTO')), ['folder cartography/: folder']);
    assert.deepEqual(words(await find('deep/m')), ['file Map.txt: cartography/deep']);
    assert.match((await found('map', 'file')) ?? '', /```plaintext\nhere\n```/);
    assert.equal(await found('carto', 'folder'), 'Files in `cartography/`:\n\n- `deep/Map.txt`');
  });

  it('is files of each folder that is open, the best of each first', async () => {
    const { workspaceFolders: [first] = [] } = vscode.workspace;
    assert.ok(first);
    const maps = Array.from({ length: 30 }, (_, index) => at(`cartography/deep/map${index}.md`));
    for (const map of maps) await writeFile(map, '');
    const other = await mkdtemp(path.join(tmpdir(), 'agent-workspace-test-'));
    await writeFile(path.join(other, 'mapping.md'), '');
    const folders = [first, { uri: vscode.Uri.file(other), name: 'other', index: 1 }];
    const property = Object.getOwnPropertyDescriptor(vscode.workspace, 'workspaceFolders');
    Object.defineProperty(vscode.workspace, 'workspaceFolders', { ...property, get: () => folders });
    try {
      assert.equal((await find('map'))[1]?.label, 'mapping.md');
      assert.equal(onlyFolder(), undefined);
    } finally {
      Object.defineProperty(vscode.workspace, 'workspaceFolders', property ?? {});
      await rm(other, { recursive: true });
      for (const map of maps) await rm(map);
    }
    assert.equal(onlyFolder(), root);
  });

  it('is nothing for the number of an issue', async () => {
    assert.deepEqual(await find('31'), []);
  });

  it('is what is open and selected, and the problems of the workspace', async () => {
    const uri = vscode.Uri.file(at('src/greet.ts'));
    const editor = await vscode.window.showTextDocument(uri);
    editor.selection = new vscode.Selection(1, 0, 2, 0);
    const range = new vscode.Range(1, 2, 1, 8);
    collection.set(uri, [new vscode.Diagnostic(range, 'Too kind.', vscode.DiagnosticSeverity.Warning)]);
    const all = words(await find(''));
    assert.ok(all.includes('file greet.ts: src'), all.join('\n'));
    assert.ok(all.includes('selection Selection: src/greet.ts, line 2'), all.join('\n'));
    assert.match((await found('sel', 'selection')) ?? '', /return `Hello/);
    assert.match((await found('prob', 'problems')) ?? '', /- `src\/greet\.ts`, line 2, warning: Too kind\./);
  });

  it('is what isn’t committed', async () => {
    let text: string | undefined;
    // The editor's Git looks at the folder when it changes.
    for (;;) {
      const item = (await find('chan')).find(({ kind }) => kind === 'changes');
      text = item && (await textOf(item));
      if (text?.includes('Map.txt')) break;
      await nextTurn();
    }
    assert.match(text, /```diff\n[^]*-# Example\n\+# Another\n[^]*```/);
    assert.match(text, /Files that aren’t in the diff:\n\n- `cartography\/deep\/Map\.txt`/);
  });

  it('is all of a symbol, where a language tells only its name', async () => {
    const uri = vscode.Uri.file(at('src/greet.ts'));
    const name = new vscode.Range(0, 16, 0, 21);
    const whole = new vscode.Range(0, 0, 2, 1);
    const { Function: kind } = vscode.SymbolKind;
    providers.push(
      vscode.languages.registerWorkspaceSymbolProvider({
        provideWorkspaceSymbols: (query) =>
          query === 'gre'
            ? [new vscode.SymbolInformation('greet', kind, '', new vscode.Location(uri, name))]
            : [],
      }),
      vscode.languages.registerDocumentSymbolProvider(
        { pattern: '**/greet.ts' },
        { provideDocumentSymbols: () => [new vscode.DocumentSymbol('greet', '', kind, whole, name)] },
      ),
    );
    const symbols = await findSymbols('gre');
    assert.ok(words(symbols).includes('symbol greet: symbol · src/greet.ts'), words(symbols).join());
    assert.match((await textOf(symbols[0])) ?? '', /lines 1–3:[^]*export function greet[^]*\}/);
    assert.deepEqual(await findSymbols('g'), []);
  });

  it('is picked from a list that looks for names as one types', async () => {
    const answers = answering([{ type: 'deep/ma', pick: 'Map.txt' }]);
    try {
      assert.deepEqual(words(await pick()), ['file Map.txt: cartography/deep']);
      assert.ok(answers.rows[0]?.includes('Files on This Computer…:'), answers.rows[0]?.join('\n'));
    } finally {
      answers.restore();
    }
  });

  it('goes below the message of a new conversation, whose cursor stays where it was', async () => {
    await vscode.commands.executeCommand(commandIds.conversationStart);
    const editor = vscode.window.activeTextEditor;
    assert.equal(editor?.document.uri.scheme, messageScheme);
    const { document } = editor;
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'Draw #deep/m'));
    const { items } = await vscode.commands.executeCommand<vscode.CompletionList>(
      'vscode.executeCompletionItemProvider',
      document.uri,
      new vscode.Position(0, 12),
      '#',
    );
    const [item] = items.filter(({ insertText }) => insertText === '#Map.txt ');
    assert.ok(item?.command);
    assert.deepEqual(item.range, new vscode.Range(0, 5, 0, 12));
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 5, 0, 12), '#Map.txt '));
    const cursor = new vscode.Selection(0, 14, 0, 14);
    editor.selection = cursor;
    await vscode.commands.executeCommand(
      item.command.command,
      ...((item.command.arguments ?? []) as unknown[]),
    );
    assert.match(
      document.getText(),
      /^Draw #Map\.txt \n\nIn `cartography\/deep\/Map\.txt`, lines 1–2:\n\n```plaintext\nhere\n```\n$/,
    );
    assert.deepEqual(editor.selection, cursor);
    await editor.edit((edit) => edit.insert(cursor.active, 'and '));
    const [folder] = await find('carto');
    await vscode.commands.executeCommand(commandIds.conversationAddContext, folder);
    assert.match(document.getText(), /^Draw #Map\.txt and \n[^]*here\n```\n\nFiles in `cartography\/`:/);
    const lenses = await vscode.commands.executeCommand<vscode.CodeLens[]>(
      'vscode.executeCodeLensProvider',
      document.uri,
    );
    // What the message is about has no command. An ordinary space after an icon would have no width.
    assert.deepEqual(
      lenses.flatMap(({ command }) => (command?.command ? [command.title] : [])),
      [
        '$(play)\u00a0Start Conversation',
        '$(layers)\u00a0Start Several…',
        '$(attach)\u00a0Add Context…',
        '$(trash)\u00a0Discard',
        '$(history)\u00a0Earlier Messages and Templates…',
      ],
    );
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });
});
