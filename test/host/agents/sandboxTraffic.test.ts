import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import * as vscode from 'vscode';
import { SandboxFolders } from '../../../src/features/place/commands/files/sandboxFolders';
import { SandboxFiles } from '../../../src/features/place/model/files';
import { TestSandbox } from '../../unit/changes/support';

/** Makes 200 folders with 100 files each, of a kind that no extension of the editor looks at. */
const makeMany = `mkdir src; cd src; for d in $(seq 200); do mkdir $d; (cd $d; seq -f %g.txt 100 | xargs touch); done`;

describe('the editor in a sandbox of 20,000 files', function () {
  this.timeout(120_000);
  const scheme = 'agent-workspace-files-traffic';
  const registered: { dispose: () => unknown }[] = [];
  let sandbox: TestSandbox;
  let files: SandboxFiles;
  let now = 0;
  /** Of the folder; the editor itself only follows files that are open. */
  let agentActed: (() => void) | undefined;

  before(() => {
    sandbox = new TestSandbox();
    execFileSync('/bin/sh', ['-c', makeMany], { cwd: sandbox.at('work') });
    const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
    files = new SandboxFiles(
      () => Promise.resolve(place),
      () => now,
    );
    const folders = new SandboxFolders(() => ({
      files,
      follow: (changed) => {
        agentActed ??= changed;
        return new vscode.Disposable(() => undefined);
      },
    }));
    const options = { isCaseSensitive: true };
    registered.push(
      folders,
      vscode.workspace.registerFileSystemProvider(scheme, folders, options),
      folders.watch(uriOf(''), { recursive: true }),
    );
  });
  after(() => {
    for (const one of registered) void one.dispose();
    sandbox.dispose();
  });
  afterEach(() => vscode.commands.executeCommand('workbench.action.closeAllEditors'));

  const uriOf = (name: string) =>
    vscode.Uri.from({ scheme, authority: 'team+1', path: sandbox.at('work', name) });
  /** Changes files like the Explorer, with what the editor itself asks before and after. */
  const change = async (plan: (edit: vscode.WorkspaceEdit) => void) => {
    const edit = new vscode.WorkspaceEdit();
    plan(edit);
    assert.ok(await vscode.workspace.applyEdit(edit));
  };
  /** How many commands something takes, long after all that was before. */
  const commandsOf = async (work: () => Promise<unknown>): Promise<number> => {
    now += 60_000;
    const before = sandbox.commands.length;
    await work();
    return sandbox.commands.length - before;
  };
  const { fs } = vscode.workspace;
  const list = async (folder: string) => {
    await fs.stat(uriOf(folder));
    await fs.readDirectory(uriOf(folder));
  };
  const open = async (folder: string) => {
    await list(folder);
    return vscode.window.showTextDocument(uriOf(`${folder}/1.txt`), { preview: false });
  };

  it('lists all with one command, one more that removes the answer, and one for each folder later', async () => {
    const all = () => Promise.all(['', 'src', 'src/1'].map((name) => fs.readDirectory(uriOf(name))));
    assert.equal(await commandsOf(all), 2);
    for (const folder of ['src/1', 'src/2', 'src/3']) assert.equal(await commandsOf(() => open(folder)), 1);
  });

  it('saves with one command', async () => {
    const editor = await open('src/1');
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'mine'));
    assert.equal(await commandsOf(async () => assert.ok(await editor.document.save())), 1);
  });

  it('looks with one command, and no download, for what the agent changed', async () => {
    const downloads = sandbox.downloads.length;
    for (const turn of [1, 2]) {
      writeFileSync(sandbox.at('work/src/2/2.txt'), 'agent'.repeat(turn));
      const look = async () => {
        agentActed?.();
        assert.equal((await files.stat(sandbox.at('work/src/2/2.txt'))).size, 5 * turn);
      };
      assert.equal(await commandsOf(look), 1);
    }
    assert.equal(sandbox.downloads.length, downloads);
  });

  it('creates, renames, and deletes with two commands each', async () => {
    const [one, two] = [uriOf('src/1/new.txt'), uriOf('src/1/newer.txt')];
    // With a file of the folder open, the editor would look at it after each change, whenever it gets to that.
    await list('src/1');
    for (const plan of [
      (edit: vscode.WorkspaceEdit) => edit.createFile(one, { contents: Buffer.from('1') }),
      (edit: vscode.WorkspaceEdit) => edit.renameFile(one, two),
      (edit: vscode.WorkspaceEdit) => edit.deleteFile(two),
    ])
      assert.equal(await commandsOf(() => change(plan)), 2);
    const folder = async () => {
      await fs.createDirectory(uriOf('src/1/made'));
      await list('src/1/made');
    };
    assert.equal(await commandsOf(folder), 2);
  });
});
