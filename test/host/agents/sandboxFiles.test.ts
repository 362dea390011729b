import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as vscode from 'vscode';
import { filesScheme } from '../../../src/ids';
import type { SandboxWorkspace } from '../../../src/api/agent/workspace';
import { openFolder } from '../../../src/features/place/commands/files/openFolder';
import { searchFiles } from '../../../src/features/place/commands/files/search';
import { showPage } from '../../../src/features/place/commands/files/showPage';
import { SearchResults } from '../../../src/features/place/commands/files/searchResults';
import { download, upload } from '../../../src/features/place/commands/files/transfer';
import { SandboxFolders } from '../../../src/features/place/commands/files/sandboxFolders';
import type { ServedPages } from '../../../src/features/place/commands/servedPages';
import { SandboxFiles } from '../../../src/features/place/model/files';
import type { ServedPage } from '../../../src/features/place/model/loopback';
import { Refusal } from '../../../src/core/basics/refusal';
import { TestSandbox } from '../../unit/changes/support';
import { answering } from '../answering';

describe('files of a sandbox in the editor', () => {
  const scheme = 'agent-workspace-files-test';
  const registered: { dispose: () => unknown }[] = [];
  let folders: SandboxFolders;
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
    folders = new SandboxFolders(open);
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

  it('sends an upload and one command for a save, also in a tree of many files', async () => {
    for (let file = 0; file < 300; file += 1) sandbox.write(`work/src/${file % 30}/${file}`, 'x');
    const editor = await opened('src/many.txt', 'one');
    await type(editor, 'mine ');
    const before = [sandbox.commands, sandbox.uploads, sandbox.downloads].map(({ length }) => length);
    assert.equal(await editor.document.save(), true);
    const after = [sandbox.commands, sandbox.uploads, sandbox.downloads].map(({ length }) => length);
    assert.deepEqual(
      after.map((count, index) => count - (before[index] ?? 0)),
      [1, 1, 0],
    );
    assert.equal(there('src/many.txt'), 'mine one');
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
      // Named, because several files may be saved at once.
      assert.deepEqual(asked.splice(0), [`${name}: The agent changed this file after you opened it.`]);
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

  it('takes what is dropped on a folder, and replaces nothing that the editor didn’t ask about', async () => {
    const { fs } = vscode.workspace;
    const here = mkdtempSync(path.join(tmpdir(), 'agent-workspace-drop-'));
    mkdirSync(path.join(here, 'dropped/deep'), { recursive: true });
    writeFileSync(path.join(here, 'dropped/deep/a.bin'), Buffer.from([0, 255, 13, 10]));
    try {
      const source = vscode.Uri.file(path.join(here, 'dropped'));
      await fs.copy(source, uriOf('dropped'), { overwrite: false });
      assert.deepEqual(readFileSync(sandbox.at('work/dropped/deep/a.bin')), Buffer.from([0, 255, 13, 10]));
      sandbox.write('work/dropped/deep/a.bin', 'the agent’s');
      const file = vscode.Uri.joinPath(source, 'deep/a.bin');
      await assert.rejects(async () => fs.copy(file, uriOf('dropped/deep/a.bin'), { overwrite: false }));
      assert.equal(there('dropped/deep/a.bin'), 'the agent’s');
      await fs.copy(file, uriOf('dropped/deep/a.bin'), { overwrite: true });
      assert.deepEqual(readFileSync(sandbox.at('work/dropped/deep/a.bin')), Buffer.from([0, 255, 13, 10]));
      const out = vscode.Uri.file(path.join(here, 'out'));
      await fs.copy(uriOf('dropped'), out, { overwrite: false });
      assert.deepEqual(readFileSync(path.join(here, 'out/deep/a.bin')), Buffer.from([0, 255, 13, 10]));
      await assert.rejects(async () => fs.copy(uriOf('dropped'), out, { overwrite: false }));
      const outside = uriOf('').with({ path: sandbox.at('outside.bin') });
      await assert.rejects(async () => fs.copy(file, outside, { overwrite: true }), /outside/);
      const elsewhere = uriOf('moved').with({ authority: 'other+sandbox' });
      await assert.rejects(async () => fs.rename(uriOf('dropped'), elsewhere), /from one sandbox to another/);
      assert.deepEqual(asked, []);
    } finally {
      rmSync(here, { recursive: true });
    }
  });

  describe('transfers and searches', () => {
    const { showOpenDialog, showSaveDialog, showInformationMessage } = vscode.window;
    let results: SearchResults;
    let here: string;
    let needs: Parameters<typeof searchFiles>[0];

    before(() => (results = new SearchResults()));
    after(() => results.dispose());
    beforeEach(() => {
      here = mkdtempSync(path.join(tmpdir(), 'agent-workspace-here-'));
      needs = {
        sandboxFolders: folders,
        searchResults: () => Promise.resolve(results),
      } as unknown as typeof needs;
    });
    afterEach(() => {
      Object.assign(vscode.window, { showOpenDialog, showSaveDialog, showInformationMessage });
      rmSync(here, { recursive: true });
    });
    const at = (name: string) => uriOf(name).with({ scheme: filesScheme });
    const local = (name: string) => vscode.Uri.file(path.join(here, name));

    it('uploads files, and asks before it replaces some', async () => {
      sandbox.write('work/a.bin', 'old');
      writeFileSync(local('a.bin').fsPath, Buffer.from([0, 255, 13, 10]));
      writeFileSync(local('b c.txt').fsPath, 'new');
      const questions: string[] = [];
      const isAgreed = [undefined, 'Replace'];
      Object.assign(vscode.window, {
        showOpenDialog: () => Promise.resolve([local('a.bin'), local('b c.txt')]),
        showInformationMessage: (words: string) => {
          questions.push(words);
          return Promise.resolve(isAgreed.shift());
        },
      });
      await upload(needs)(at(''));
      assert.equal(there('a.bin'), 'old');
      await upload(needs)(at(''));
      assert.deepEqual(questions, ['Replace 1 file?', 'Replace 1 file?']);
      assert.deepEqual(readFileSync(sandbox.at('work/a.bin')), Buffer.from([0, 255, 13, 10]));
      assert.equal(there('b c.txt'), 'new');
    });

    it('uploads the other files if some can’t be, and names those', async () => {
      writeFileSync(local('b.txt').fsPath, 'b');
      const { showErrorMessage } = vscode.window;
      Object.assign(vscode.window, {
        showOpenDialog: () => Promise.resolve([local('a.txt'), local('b.txt'), local('c.txt')]),
        showInformationMessage: (words: string) => Promise.resolve(void asked.push(words)),
        showErrorMessage: (words: string) => Promise.resolve(void asked.push(words)),
      });
      await upload(needs)(at('')).finally(() => Object.assign(vscode.window, { showErrorMessage }));
      assert.equal(there('b.txt'), 'b');
      assert.equal(asked[0], '1 of 3 files were transferred.');
      assert.match(asked[1] ?? '', /^Couldn’t transfer “a\.txt”, “c\.txt”\. /);
    });

    it('downloads a file, and folders beside what is there', async () => {
      sandbox.write('work/folder/deep/er.txt', 'deep');
      sandbox.write('work/run.sh', 'run');
      chmodSync(sandbox.at('work/run.sh'), 0o755);
      symlinkSync('/', sandbox.at('work/folder/out'));
      Object.assign(vscode.window, {
        showSaveDialog: () => Promise.resolve(local('other.sh')),
        showOpenDialog: () => Promise.resolve([vscode.Uri.file(here)]),
        showWarningMessage: (words: string) => Promise.resolve(void asked.push(words)),
      });
      await download(needs)(at('run.sh'));
      assert.equal(readFileSync(local('other.sh').fsPath, 'utf8'), 'run');
      assert.equal(statSync(local('other.sh').fsPath).mode & 0o777, 0o755);
      mkdirSync(local('folder').fsPath);
      await download(needs)(at('folder'), [at('folder'), at('run.sh')]);
      assert.equal(readFileSync(local('folder (2)/deep/er.txt').fsPath, 'utf8'), 'deep');
      assert.equal(readFileSync(local('run.sh').fsPath, 'utf8'), 'run');
      assert.equal(asked.length, 1);
      assert.ok(asked[0]?.endsWith(sandbox.at('work/folder/out')), asked[0]);
    });

    it('says nothing when the user cancels where to download a file', async () => {
      sandbox.write('work/run.sh', 'run');
      const { showErrorMessage } = vscode.window;
      Object.assign(vscode.window, {
        showSaveDialog: () => Promise.resolve(undefined),
        showErrorMessage: (words: string) => Promise.resolve(void asked.push(words)),
      });
      await download(needs)(at('run.sh')).finally(() => Object.assign(vscode.window, { showErrorMessage }));
      assert.deepEqual(asked, []);
    });

    it('shows an HTML file as a page, and offers those in a folder', async () => {
      sandbox.write('work/dist/index.html', '<p>built</p>');
      sandbox.write('work/about.html', '<p>about</p>');
      sandbox.write('work/a.txt', 'no page');
      const pages: ServedPage[] = [];
      const servedPages = {
        open: async (serving: Promise<ServedPage>) => void pages.push(await serving),
      } as unknown as ServedPages;
      const show = showPage({ ...needs, servedPages: () => Promise.resolve(servedPages) });
      const { restore } = answering(['index.html']);
      try {
        await show(at('about.html'));
        await show(at(''));
        const bodies = await Promise.all(pages.map(async ({ url }) => (await fetch(url)).text()));
        assert.deepEqual(bodies, ['<p>about</p>', '<p>built</p>']);
      } finally {
        restore();
        for (const page of pages) page.close();
      }
    });

    it('downloads files of the same name beside each other', async () => {
      sandbox.write('work/one/x.txt', '1');
      sandbox.write('work/two/x.txt', '2');
      Object.assign(vscode.window, { showOpenDialog: () => Promise.resolve([vscode.Uri.file(here)]) });
      await download(needs)(at('one/x.txt'), [at('one/x.txt'), at('two/x.txt')]);
      assert.equal(readFileSync(local('x.txt').fsPath, 'utf8'), '1');
      assert.equal(readFileSync(local('x.txt (2)').fsPath, 'utf8'), '2');
    });

    it('finds files by name and content, in a document with links', async () => {
      sandbox.write('work/src/needle.ts', 'one\ntwo\n');
      sandbox.write('work/a b.txt', 'one\nthe Needle\n');
      const { restore } = answering(['needle']);
      await searchFiles(needs)(at('')).finally(restore);
      const document = vscode.window.activeTextEditor?.document;
      assert.ok(document);
      await when(() => document.getText().includes('2: the Needle'));
      assert.match(document.getText(), /^src\/needle\.ts$/m);
      assert.equal(vscode.window.activeTextEditor?.selection.active.line, 0);
      const links = await vscode.commands.executeCommand<vscode.DocumentLink[]>(
        'vscode.executeLinkProvider',
        document.uri,
      );
      assert.deepEqual(
        links.map(({ target }) => `${target?.scheme} ${target?.path} ${target?.fragment}`),
        [
          `${filesScheme} ${sandbox.at('work/src/needle.ts')} `,
          `${filesScheme} ${sandbox.at('work/a b.txt')} `,
          `${filesScheme} ${sandbox.at('work/a b.txt')} L2`,
        ],
      );
    });
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
      const { terminal } = sandbox.workspace;
      const uri = await open({ terminal: { ...terminal, upload: () => Promise.resolve() } });
      assert.equal(uri?.scheme, 'agent-workspace-files');
      assert.equal(uri.authority, `my team+${conversation}`);
      assert.equal(uri.path, sandbox.at('work'));
    });
  });
});
