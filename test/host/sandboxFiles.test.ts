import assert from 'node:assert/strict';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import type { SandboxWorkspace } from '../../src/api/agent/workspace';
import { openFolder } from '../../src/commands/conversation/files/openFolder';
import { SandboxFolders } from '../../src/commands/conversation/files/sandboxFolders';
import { SandboxFiles } from '../../src/state/place/files';
import { Refusal } from '../../src/state/basics/refusal';
import { TestSandbox } from '../unit/state/changes/support';
import { answering } from './answering';

describe('files of a sandbox in the editor', () => {
  const scheme = 'agent-workspace-files-test';
  const registered: { dispose: () => unknown }[] = [];
  let sandbox: TestSandbox;
  let files: SandboxFiles;
  let isPaused: boolean;
  let agentActed: () => void;
  const { showWarningMessage } = vscode.window;
  let asked: string[];

  before(() => {
    const open = () => ({
      files,
      follow: (changed: () => void) => {
        agentActed = changed;
        return new vscode.Disposable(() => undefined);
      },
    });
    const folders = new SandboxFolders(open);
    const options = { isCaseSensitive: true };
    registered.push(folders, vscode.workspace.registerFileSystemProvider(scheme, folders, options));
  });
  after(() => registered.forEach((one) => void one.dispose()));
  beforeEach(() => {
    sandbox = new TestSandbox();
    isPaused = false;
    asked = [];
    const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
    files = new SandboxFiles(
      () => (isPaused ? Promise.reject(new Refusal('The sandbox is paused.')) : Promise.resolve(place)),
      () => performance.now(),
    );
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showWarningMessage });
    for (const document of vscode.workspace.textDocuments.filter(({ isDirty }) => isDirty)) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    sandbox.dispose();
  });

  const uriOf = (name: string) =>
    vscode.Uri.from({ scheme, authority: 'team+1', path: sandbox.at('work', name) });
  const there = (name: string) => readFileSync(sandbox.at('work', name), 'utf8');
  const answer = (action: string | undefined) =>
    Object.assign(vscode.window, {
      showWarningMessage: (message: string) => {
        asked.push(message);
        return Promise.resolve(action);
      },
    });

  async function opened(name: string, content: string): Promise<vscode.TextEditor> {
    sandbox.write(`work/${name}`, content);
    files.forget();
    return vscode.window.showTextDocument(uriOf(name), { preview: false });
  }
  const type = (editor: vscode.TextEditor, text: string) =>
    editor.edit((edit) => edit.insert(new vscode.Position(0, 0), text));

  /** Resolves when a condition holds, looked at after every change of a document. */
  const when = (holds: () => boolean) =>
    new Promise<void>((resolve) => {
      const look = () => {
        if (holds()) resolve();
        else setImmediate(look);
      };
      look();
    });

  it('saves what was edited, with its mode and line ends', async () => {
    const editor = await opened('a.txt', 'one\r\ntwo\r\n');
    await type(editor, 'mine ');
    assert.equal(await editor.document.save(), true);
    assert.equal(there('a.txt'), 'mine one\r\ntwo\r\n');
    await type(editor, 'again ');
    assert.equal(await editor.document.save(), true);
    assert.equal(there('a.txt'), 'again mine one\r\ntwo\r\n');
    assert.deepEqual(asked, []);
  });

  it('asks before it overwrites what the agent wrote, whatever its size and time', async () => {
    for (const [theirs, action, after] of [
      ['two', 'Overwrite', 'mine one'],
      ['longer than before', 'Overwrite', 'mine one'],
      ['two', undefined, 'two'],
      ['longer than before', 'Compare', 'longer than before'],
    ] as const) {
      const name = `${action}-${theirs.length}.txt`;
      const editor = await opened(name, 'one');
      await type(editor, 'mine ');
      writeFileSync(sandbox.at('work', name), theirs);
      answer(action);
      await editor.document.save();
      assert.deepEqual(asked.splice(0), ['The agent changed this file after you opened it.']);
      assert.equal(there(name), after);
      assert.equal(editor.document.getText(), 'mine one');
    }
  });

  it('asks again when other code read the file in between', async () => {
    const editor = await opened('b.txt', 'one');
    await type(editor, 'mine ');
    writeFileSync(sandbox.at('work/b.txt'), 'two');
    await vscode.workspace.fs.readFile(uriOf('b.txt'));
    answer(undefined);
    await editor.document.save();
    assert.equal(asked.length, 1);
    assert.equal(there('b.txt'), 'two');
  });

  it('discards the edits instead', async () => {
    const editor = await opened('c.txt', 'one');
    await type(editor, 'mine ');
    writeFileSync(sandbox.at('work/c.txt'), 'two');
    answer('Discard Mine');
    await editor.document.save();
    await when(() => !editor.document.isDirty);
    assert.equal(editor.document.getText(), 'two');
    await type(editor, 'mine ');
    assert.equal(await editor.document.save(), true);
    assert.equal(there('c.txt'), 'mine two');
    assert.equal(asked.length, 1);
  });

  it('creates a file again that the agent deleted', async () => {
    const editor = await opened('d.txt', 'one');
    await type(editor, 'mine ');
    rmSync(sandbox.at('work/d.txt'));
    assert.equal(await editor.document.save(), true);
    assert.equal(there('d.txt'), 'mine one');
  });

  it('shows what the agent changed', async () => {
    const editor = await opened('e.txt', 'one');
    await when(() => (agentActed as (() => void) | undefined) !== undefined);
    writeFileSync(sandbox.at('work/e.txt'), 'two, and more');
    agentActed();
    await when(() => editor.document.getText() === 'two, and more');
  });

  it('shows what was read last while the sandbox is paused, and refuses changes', async () => {
    const editor = await opened('f.txt', 'one');
    await files.list(sandbox.at('work'));
    files.forget();
    isPaused = true;
    Object.assign(files, { place: undefined });
    const names = await vscode.workspace.fs.readDirectory(uriOf(''));
    assert.deepEqual(names, [['f.txt', vscode.FileType.File]]);
    assert.equal(Buffer.from(await vscode.workspace.fs.readFile(uriOf('f.txt'))).toString(), 'one');
    const { permissions } = await vscode.workspace.fs.stat(uriOf('f.txt'));
    assert.equal(permissions, vscode.FilePermission.Readonly);
    await assert.rejects(async () => vscode.workspace.fs.writeFile(uriOf('f.txt'), Buffer.from('two')));
    assert.equal(there('f.txt'), 'one');
    assert.equal(editor.document.getText(), 'one');
  });

  it('creates, renames, and deletes files', async () => {
    const { fs } = vscode.workspace;
    await fs.createDirectory(uriOf('folder'));
    await fs.writeFile(uriOf('folder/new'), Buffer.from('1'));
    await fs.rename(uriOf('folder/new'), uriOf('folder/newer'));
    await fs.copy(uriOf('folder/newer'), uriOf('copy'));
    assert.equal(there('folder/newer') + there('copy'), '11');
    await assert.rejects(async () => fs.rename(uriOf('copy'), uriOf('folder/newer')));
    await fs.delete(uriOf('folder'), { recursive: true });
    assert.deepEqual(await fs.readDirectory(uriOf('')), [['copy', vscode.FileType.File]]);
  });

  describe('opening a folder', () => {
    const conversation = '0'.repeat(32);
    const { executeCommand } = vscode.commands;
    let opened: unknown[][];

    beforeEach(() => {
      opened = [];
      Object.assign(vscode.commands, {
        executeCommand: (...call: unknown[]) => Promise.resolve(void opened.push(call)),
      });
    });
    afterEach(() => Object.assign(vscode.commands, { executeCommand }));

    /** Opens it, where the agent’s computer writes files like this. */
    async function open(own: Partial<SandboxWorkspace> = {}): Promise<vscode.Uri | undefined> {
      const place = { workspace: { ...sandbox.workspace, ...own }, workingDir: sandbox.at('work') };
      const model = {
        id: conversation,
        head: { title: 'Fix checkout', limit: 'none', about: { repository: null } },
        changes: { place: () => Promise.resolve(place) },
      };
      const service = 'https://one.example.com';
      const needs = {
        listConnections: () => ({ connections: [{ name: 'My Team', baseUrl: service }] }),
        activeTab: () => undefined,
        model: { conversation: () => undefined },
        conversations: { service, model: () => model },
      } as unknown as Parameters<typeof openFolder>[0];
      const { restore } = answering(['Open in New Window']);
      try {
        await openFolder(needs)({ ref: { kind: 'conversation', id: conversation } });
      } finally {
        restore();
      }
      const [[command, uri, how] = []] = opened;
      assert.deepEqual([command, how], ['vscode.openFolder', { forceNewWindow: true }]);
      return uri as vscode.Uri | undefined;
    }

    it('opens the real one where it’s on this computer', async () => {
      sandbox.write('work/a.txt', '');
      assert.equal((await open())?.toString(), vscode.Uri.file(sandbox.at('work')).toString());
    });

    it('opens that of the sandbox where it only has the same name', async () => {
      sandbox.write('work/a.txt', '');
      const uri = await open({ upload: () => Promise.resolve() });
      assert.equal(uri?.scheme, 'agent-workspace-files');
      assert.equal(uri.authority, `my team+${conversation}`);
      assert.equal(uri.path, sandbox.at('work'));
    });
  });
});
