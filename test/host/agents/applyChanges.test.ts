import assert from 'node:assert/strict';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import { apply as applyCommand } from '../../../src/features/changes/commands/apply';
import { showChanges, showStep } from '../../../src/features/changes/commands/show';
import { tellApplied } from '../../../src/features/changes/commands/tellApplied';
import { Refusal } from '../../../src/core/basics/refusal';
import { type AppliedChanges, applyToFolder } from '../../../src/features/changes/commands/folder/apply';
import { FolderReader } from '../../../src/features/changes/commands/folder/reader';
import { appliedFiles, undoInFolder } from '../../../src/features/changes/commands/folder/undo';
import { KeptUndo } from '../../../src/features/changes/commands/keptUndo';
import { undoRecord } from '../../../src/features/changes/commands/undoApply';
import type { ChangedFile, FileMode } from '../../../src/features/sandboxChanges/model/changeSet';
import type { AppliedFile } from '../../../src/features/changes/model/undo';
import type { FileOutcome } from '../../../src/features/changes/model/outcome';
import { planChanges } from '../../../src/features/changes/model/planning';
import { anError } from '../../support/builders/client';

type Content = string | Buffer | null;
interface Case {
  base: Content;
  agent: Content;
  /** Defaults to the base. */
  here?: Content;
  from?: string;
  modes?: [FileMode, FileMode];
}

const bom = Buffer.from('\uFEFFone\ntwo\n');
const cases: Record<string, Case> = {
  'lf.txt': { base: '1\n2\n3\n', agent: '1\ntwo\n3\nfour\n' },
  'crlf.txt': { base: '1\r\n2\r\n3\r\n', agent: '1\r\ntwo\r\n3\r\n' },
  'mixed.txt': { base: '1\r\n2\n3\r4\n', agent: '1\r\ntwo\n3\r4\n' },
  'endless.txt': { base: '1\n2', agent: '1\n2\n3' },
  'ended.txt': { base: '1\n2\n', agent: '1\n2' },
  'one line.txt': { base: 'one', agent: 'one\r\ntwo\r\n' },
  'becomes-crlf.txt': { base: '1\n2\n', agent: '1\r\n2\r\n' },
  'bom.txt': { base: bom, agent: Buffer.concat([bom, Buffer.from('three\n')]) },
  'loses-bom.txt': { base: bom, agent: 'one\ntwo\n' },
  'latin1.txt': {
    base: Buffer.from('caf\xE9\n', 'latin1'),
    agent: Buffer.from('caf\xE9\nth\xE9\n', 'latin1'),
  },
  'utf16.txt': { base: Buffer.from('\uFEFFa\n', 'utf16le'), agent: Buffer.from('\uFEFFb\n', 'utf16le') },
  'binary.bin': { base: Buffer.from([0, 1, 2, 255]), agent: Buffer.from([0, 13, 10, 255, 254]) },
  'empty.txt': { base: '', agent: 'no longer\n' },
  'emptied.txt': { base: 'full\n', agent: '' },
  'new/deep/er.txt': { base: null, agent: 'new\r\nmixed\n' },
  'new.bin': { base: null, agent: Buffer.from([0, 0, 13, 10]) },
  'gone.txt': { base: 'gone\n', agent: null },
  'gone.bin': { base: Buffer.from([0, 1]), agent: null },
  'moved.txt': { from: 'old.txt', base: 'same\n', agent: 'same\n' },
  'moved/edited.txt': { from: 'edited.txt', base: '1\n2\n3\n', agent: '1\n2\nthree\n' },
  'moved.bin': { from: 'old.bin', base: Buffer.from([0, 1]), agent: Buffer.from([0, 2]) },
  'script.sh': { base: '#!/bin/sh\n', agent: '#!/bin/sh\necho\n', modes: ['100644', '100755'] },
  'mode only': { base: 'x\n', agent: 'x\n', modes: ['100644', '100755'] },
  'merged.txt': { base: '1\n2\n3\n4\n', agent: '1\n2\n3\nagent\n', here: 'here\n2\n3\n4\n' },
  'checkout.txt': { base: '1\n2\n3\n', agent: '1\n2\nagent\n', here: 'here\r\n2\r\n3\r\n' },
  'conflict.txt': { base: '1\n', agent: 'agent\n', here: 'here\n' },
};
const expected: Record<string, string> = {
  'merged.txt': 'here\n2\n3\nagent\n',
  'checkout.txt': 'here\r\n2\r\nagent\r\n',
  'conflict.txt': '<<<<<<< local\nhere\n=======\nagent\n>>>>>>> agent\n',
};

/** Every file of a folder with its bytes and whether it’s executable. */
function contents(root: string): Record<string, string> {
  const files = readdirSync(root, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  return Object.fromEntries(
    files
      .map((entry) => path.join(entry.parentPath, entry.name))
      .sort()
      .map((file) => [
        path.relative(root, file),
        `${(statSync(file).mode & 0o100) === 0 ? '' : 'x '}${readFileSync(file).toString('latin1')}`,
      ]),
  );
}

describe('changes in a paused sandbox with none in the transcript', () => {
  it('aren’t reported as none or shown as an empty list', async () => {
    const model = {
      signal: new AbortController().signal,
      isCurrent: true,
      readings: 1,
      head: { readAt: 1, problem: '', limit: 'asleep', title: 'Mend it' },
      keepCurrent: () => ({ dispose: () => undefined }),
      onDidChange: () => ({ dispose: () => undefined }),
      changes: {
        repositories: () => Promise.reject(new Refusal('It’s paused.')),
        fromEvents: () => Promise.resolve({ list: () => Promise.resolve({ files: [], complete: false }) }),
      },
    };
    const needs = {
      activeTab: () => ({ id: 'c-1' }),
      conversations: { model: () => model },
      model: { conversation: () => undefined },
    } as unknown as Parameters<typeof applyCommand>[0];
    const said: string[] = [];
    const ran: string[] = [];
    const { showWarningMessage, showInformationMessage } = vscode.window;
    const { executeCommand } = vscode.commands;
    const say = (message: string) => Promise.resolve(void said.push(message));
    Object.assign(vscode.window, { showWarningMessage: say, showInformationMessage: say });
    Object.assign(vscode.commands, {
      executeCommand: (command: string) => Promise.resolve(void ran.push(command)),
    });
    try {
      for (const command of [applyCommand(needs), showChanges(needs)]) await command();
    } finally {
      Object.assign(vscode.window, { showWarningMessage, showInformationMessage });
      Object.assign(vscode.commands, { executeCommand });
    }
    assert.equal(said.length, 2);
    for (const words of said) assert.match(words, /files that commands changed/i);
    assert.deepEqual(ran, []);
  });
});

describe('changes of a step that can’t be read', () => {
  it('are refused with the reason', async () => {
    const said: string[] = [];
    const { showWarningMessage, showErrorMessage } = vscode.window;
    const say = (message: string) => Promise.resolve(void said.push(message));
    Object.assign(vscode.window, { showWarningMessage: say, showErrorMessage: say });
    const failures: Error[] = [new Refusal('It’s paused.'), anError('refused')];
    const ofStep = () => Promise.reject(failures.shift() ?? new Error('asked once too often'));
    const needs = {
      conversations: { model: () => ({ changes: { ofStep } }) },
    } as unknown as Parameters<typeof showStep>[0];
    try {
      for (let times = 0; times < 2; times += 1)
        await showStep(needs)({ ref: { kind: 'conversation', id: 'c-1' }, entry: 'e-1' });
    } finally {
      Object.assign(vscode.window, { showWarningMessage, showErrorMessage });
    }
    assert.equal(said[0], 'It’s paused.');
    assert.match(said[1] ?? '', /^Couldn’t read the changes\. /);
  });
});

describe('applying changes to a folder', () => {
  let root: string;
  let folder: vscode.Uri;

  beforeEach(() => {
    root = mkdtempSync(path.join(tmpdir(), 'apply-'));
    folder = vscode.Uri.file(root);
  });
  afterEach(async () => {
    await vscode.workspace.saveAll(false);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    rmSync(root, { recursive: true, force: true });
  });

  const writeCases = (chosen: Record<string, Case>) => {
    for (const [name, { base, here = base, from = name, modes }] of Object.entries(chosen)) {
      if (here === null) continue;
      mkdirSync(path.dirname(path.join(root, from)), { recursive: true });
      writeFileSync(path.join(root, from), here);
      chmodSync(path.join(root, from), modes?.[0] === '100755' ? 0o755 : 0o644);
    }
  };
  const planOf = (chosen: Record<string, Case>) => {
    const stored = new Map<string, Buffer>();
    const version = (key: string, content: Content, mode: FileMode = '100644') => {
      if (content === null) return null;
      stored.set(key, Buffer.from(content));
      return { oid: key, mode, size: content.length };
    };
    const files = Object.entries(chosen).map(([name, { base, agent, from, modes }]): ChangedFile => ({
      path: name,
      ...(from !== undefined && { oldPath: from }),
      kind: 'modified',
      before: version(`before ${name}`, base, modes?.[0]),
      after: version(`after ${name}`, agent, modes?.[1]),
    }));
    const content = ({ oid }: { oid: string }) => Promise.resolve(stored.get(oid) ?? Buffer.alloc(0));
    return planChanges({ files }, content, new FolderReader(folder), () => undefined);
  };

  /** What undo needs, read back from the extension’s storage. */
  const kept = async (applied: AppliedChanges) => {
    const storage = vscode.Uri.file(mkdtempSync(path.join(tmpdir(), 'undo-')));
    try {
      let name: unknown;
      const store = () => new KeptUndo(storage, { read: () => name, write: (value) => (name = value) });
      await store().keep({ folder, files: await appliedFiles(folder, applied) });
      const record = await store().read();
      assert.equal(record?.folder.toString(), folder.toString());
      await store().remove();
      assert.equal(await store().read(), undefined);
      assert.deepEqual(readdirSync(path.join(storage.fsPath, 'undo')), []);
      return record.files;
    } finally {
      rmSync(storage.fsPath, { recursive: true });
    }
  };

  /** Applies, and presses the preview’s button once the preview opens. */
  const apply = async (
    chosen: Record<string, Case>,
    button: 'apply' | 'discard' = 'apply',
    meanwhile = () => Promise.resolve(),
    mayPress = Promise.resolve(),
  ) => {
    const { changes, refused } = await planOf(chosen);
    await meanwhile();
    const preview = { isPending: true };
    const applying = applyToFolder(folder, changes).finally(() => (preview.isPending = false));
    await mayPress;
    // No event says that the preview is ready.
    while (preview.isPending) {
      await vscode.commands.executeCommand(`refactorPreview.${button}`);
      await wait(50);
    }
    const outcomes: Record<string, FileOutcome> = {};
    const applied = await applying;
    for (const [{ path: name }, outcome] of applied?.results ?? []) outcomes[name] = outcome;
    return { applied, outcomes, refused, isCanceled: applied === undefined, lasting: applied?.lasting };
  };

  /** What is said of applied changes. */
  const toldOf = async (applied: AppliedChanges) => {
    const told = { message: '', details: '' };
    const appliedChanges = { keep: () => Promise.reject(new Error('The disk is full.')) };
    const needs = {
      appliedChanges,
      showDocument: (_title: string, text: string) => Promise.resolve(void (told.details = text)),
    } as unknown as Parameters<typeof tellApplied>[0];
    const { showInformationMessage, showWarningMessage } = vscode.window;
    const say = (message: string, ...buttons: string[]) => {
      told.message = message;
      return Promise.resolve(buttons.find((button) => button === 'Show Details'));
    };
    Object.assign(vscode.window, { showInformationMessage: say, showWarningMessage: say });
    try {
      await tellApplied(needs, folder, { changes: [], refused: [], same: 0 }, applied);
    } finally {
      Object.assign(vscode.window, { showInformationMessage, showWarningMessage });
    }
    return told;
  };

  /** The editor's own undo, which keeps working after its command ends. */
  const undoInEditor = async (isBack: () => boolean) => {
    await vscode.commands.executeCommand('undo');
    for (let looks = 0; looks < 100 && !isBack(); looks += 1) {
      await vscode.workspace.saveAll(false);
      await wait(50);
    }
  };

  it('undoes earlier changes from their notification, and can still undo the latest ones', async () => {
    const storage = vscode.Uri.file(mkdtempSync(path.join(tmpdir(), 'undo-')));
    try {
      let name: unknown;
      const appliedChanges = new KeptUndo(storage, { read: () => name, write: (value) => (name = value) });
      const previous = await appliedChanges.keep({ folder, files: [] });
      await appliedChanges.keep({ folder, files: [] });
      await undoRecord({ appliedChanges }, previous);
      const last = await appliedChanges.read();
      assert.ok(last);
      await undoRecord({ appliedChanges }, last);
      assert.equal(await appliedChanges.read(), undefined);
    } finally {
      rmSync(storage.fsPath, { recursive: true });
    }
  });

  it('leaves nothing of what can’t be kept for undo', async () => {
    const storage = vscode.Uri.file(mkdtempSync(path.join(tmpdir(), 'undo-')));
    try {
      let name: unknown;
      const store = new KeptUndo(storage, { read: () => name, write: (value) => (name = value) });
      const before = Buffer.from('before');
      const file: AppliedFile = { path: 'a.txt', from: null, before, wasExecutable: null, now: null };
      // As on a full disk: the first file is written, the second isn't.
      let reads = 0;
      const unwritable = Object.defineProperty({ ...file }, 'before', {
        get: () => {
          reads += 1;
          if (reads > 2) throw new Error('The disk is full.');
          return before;
        },
      });
      await assert.rejects(store.keep({ folder, files: [file, unwritable] }), /full/);
      assert.deepEqual([readdirSync(path.join(storage.fsPath, 'undo')), name], [[], undefined]);
    } finally {
      rmSync(storage.fsPath, { recursive: true });
    }
  });

  it('writes every kind of file byte for byte, and reverts everything with one undo', async () => {
    writeCases(cases);
    const before = contents(root);
    const { applied, outcomes, refused } = await apply(cases);
    assert.deepEqual(refused, []);
    const wanted = Object.fromEntries(
      Object.entries(cases).flatMap(([name, { agent, modes }]) =>
        agent === null
          ? []
          : [
              [
                name,
                (modes?.[1] === '100755' ? 'x ' : '') +
                  (expected[name] ?? Buffer.from(agent).toString('latin1')),
              ],
            ],
      ),
    );
    assert.deepEqual(contents(root), Object.fromEntries(Object.entries(wanted).sort()));
    assert.deepEqual(new Set(Object.values(outcomes)), new Set(['done']));

    const files = await kept(applied!);
    await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, 'lf.txt'));
    // The editor doesn't undo mode changes.
    const withoutModes = (files: Record<string, string>) =>
      Object.fromEntries(Object.entries(files).map(([name, text]) => [name, text.replace(/^x /, '')]));
    await undoInEditor(
      () => JSON.stringify(withoutModes(contents(root))) === JSON.stringify(withoutModes(before)),
    );
    assert.deepEqual(withoutModes(contents(root)), withoutModes(before));
    assert.deepEqual(await undoInFolder(folder, files), []);
    assert.deepEqual(contents(root), before);
  });

  it('restores every kind of file with its mode, even after the window was closed', async () => {
    writeCases(cases);
    const before = contents(root);
    const { applied } = await apply(cases);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    const files = await kept(applied!);
    assert.notDeepEqual(contents(root), before);
    assert.deepEqual(await undoInFolder(folder, files), []);
    assert.deepEqual(contents(root), before);
    assert.deepEqual(await undoInFolder(folder, files), []);
    assert.deepEqual(contents(root), before);
  });

  it('restores files that haven’t changed since, and names the rest', async () => {
    const chosen = {
      'a.txt': { base: '1\n', agent: '2\n' },
      'b.bin': { base: Buffer.from([0, 1]), agent: Buffer.from([0, 2]) },
      'c.txt': { base: '1\n', agent: null },
      'new.txt': { base: null, agent: 'new' },
      'typed.txt': { base: '1\n', agent: '2\n' },
    };
    writeCases(chosen);
    const { applied } = await apply(chosen);
    const files = await kept(applied!);
    writeFileSync(path.join(root, 'a.txt'), 'mine\n');
    writeFileSync(path.join(root, 'c.txt'), 'mine\n');
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'typed.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved'));
    assert.deepEqual((await undoInFolder(folder, files)).toSorted(), ['a.txt', 'c.txt', 'typed.txt']);
    assert.deepEqual(contents(root), {
      'a.txt': 'mine\n',
      'b.bin': '\0\x01',
      'c.txt': 'mine\n',
      'typed.txt': '2\n',
    });
    assert.equal(document.getText(), 'unsaved2\n');
  });

  it('restores all files of a deleted folder', async () => {
    const names = ['deep/er/a.txt', 'deep/er/b.txt', 'deep/c.txt'];
    const files = names.map((name) => ({
      path: name,
      from: name,
      before: Buffer.from(name),
      wasExecutable: null,
      now: null,
    }));
    assert.deepEqual(await undoInFolder(folder, files), []);
    assert.deepEqual(contents(root), {
      'deep/c.txt': 'deep/c.txt',
      'deep/er/a.txt': 'deep/er/a.txt',
      'deep/er/b.txt': 'deep/er/b.txt',
    });
  });

  it('leaves an open file alone if the editor would alter its line endings', async () => {
    const chosen = {
      'mixed.txt': { base: '1\r\n2\n', agent: '1\r\n3\n' },
      'plain.txt': { base: '1\n', agent: '2\n' },
    };
    writeCases(chosen);
    for (const name of Object.keys(chosen))
      await vscode.window.showTextDocument(vscode.Uri.joinPath(folder, name), { preview: false });
    const { outcomes } = await apply(chosen);
    assert.deepEqual(outcomes, { 'mixed.txt': 'open', 'plain.txt': 'done' });
    assert.deepEqual(contents(root), { 'mixed.txt': '1\r\n2\n', 'plain.txt': '2\n' });
  });

  it('says in the preview in which files conflicts are marked', async () => {
    const chosen = { 'merged.txt': cases['merged.txt']!, 'conflict.txt': cases['conflict.txt']! };
    writeCases(chosen);
    const says: Record<string, string> = {};
    const { prototype } = vscode.WorkspaceEdit;
    const set = Object.getOwnPropertyDescriptor(prototype, 'set')!;
    type Edits = [vscode.TextEdit, vscode.WorkspaceEditEntryMetadata][];
    const value = function (this: vscode.WorkspaceEdit, uri: vscode.Uri, edits: Edits) {
      says[path.basename(uri.path)] = edits[0]?.[1].label ?? '';
      Reflect.apply(set.value as () => void, this, [uri, edits]);
    };
    Object.defineProperty(prototype, 'set', { ...set, value });
    await apply(chosen, 'discard').finally(() => Object.defineProperty(prototype, 'set', set));
    assert.deepEqual(says, {
      'conflict.txt': 'Also changed here: conflicts are marked',
      'merged.txt': 'Changes of the agent',
    });
  });

  it('writes nothing when the preview is discarded', async () => {
    writeCases(cases);
    const before = contents(root);
    const { isCanceled } = await apply(cases, 'discard');
    assert.ok(isCanceled);
    assert.deepEqual(contents(root), before);
  });

  it('reports what’s missing after the editor gave up midway, and restores it', async () => {
    const chosen = {
      'a.txt': { base: '1\n', agent: '2\n' },
      'b.bin': { base: Buffer.from([0, 1]), agent: Buffer.from([0, 2]) },
    };
    writeCases(chosen);
    const before = contents(root);
    const { changes } = await planOf(chosen);
    const { applyEdit } = vscode.workspace;
    Object.assign(vscode.workspace, {
      applyEdit: () => {
        rmSync(path.join(root, 'b.bin'));
        return Promise.resolve(false);
      },
    });
    try {
      const applied = await applyToFolder(folder, changes);
      assert.deepEqual([...applied!.results.values()], ['failed', 'partial']);
      const files = await kept(applied!);
      assert.deepEqual(
        files.map(({ path: name }) => name),
        ['b.bin'],
      );
      assert.deepEqual(await undoInFolder(folder, files), []);
      assert.deepEqual(contents(root), before);
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
  });

  it('treats unsaved text in the editor as local changes', async () => {
    const chosen = { 'a.txt': { base: '1\n2\n3\n', agent: '1\n2\nagent\n' } };
    writeCases(chosen);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'a.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 1), 'typed'));
    const { outcomes } = await apply(chosen);
    assert.deepEqual(outcomes, { 'a.txt': 'done' });
    assert.equal(readFileSync(path.join(root, 'a.txt'), 'utf8'), 'typed\n2\nagent\n');
  });

  it('leave alone what only the editor holds: a new file, and one that was deleted on the disk', async () => {
    const chosen = {
      'gone.txt': { base: null, agent: 'agent\n' },
      'new.txt': { base: null, agent: 'agent\n' },
      'moved.txt': { base: '1\n', agent: '1\n', from: 'old.txt' },
      'free.txt': { base: null, agent: 'agent\n' },
    };
    writeCases(chosen);
    const held: vscode.TextDocument[] = [];
    for (const name of ['gone.txt', 'new.txt', 'moved.txt']) {
      const uri = vscode.Uri.joinPath(folder, name);
      if (name === 'gone.txt') writeFileSync(uri.fsPath, 'mine\n');
      const scheme = name === 'gone.txt' ? 'file' : 'untitled';
      const document = await vscode.workspace.openTextDocument(uri.with({ scheme }));
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed'));
      rmSync(uri.fsPath, { force: true });
      held.push(document);
    }
    const { outcomes, refused } = await apply(chosen);
    assert.deepEqual(outcomes, { 'free.txt': 'done' });
    assert.deepEqual(
      refused.map(({ path: name, why }) => [name, why]),
      ['gone.txt', 'new.txt', 'moved.txt'].map((name) => [name, 'unsavedHere']),
    );
    assert.deepEqual(
      held.map((document) => [document.isDirty, document.getText()]),
      [
        [true, 'typedmine\n'],
        [true, 'typed'],
        [true, 'typed'],
      ],
    );
    for (const document of held) {
      await vscode.window.showTextDocument(document);
      await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
    }
  });

  it('leave alone what was changed after the plan, before the preview', async () => {
    const chosen = {
      'a.bin': { base: Buffer.from([0, 1]), agent: Buffer.from([0, 2]) },
      'b.txt': { base: '1\n', agent: null },
      'c.txt': { base: '1\n', agent: '1\n', from: 'old.txt' },
      'd.txt': { base: null, agent: 'agent\n' },
      'e.txt': { base: '1\n', agent: '2\n' },
    };
    writeCases(chosen);
    const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, 'b.txt'));
    const editor = await vscode.window.showTextDocument(document);
    const { outcomes } = await apply(chosen, 'apply', async () => {
      for (const name of ['a.bin', 'c.txt', 'd.txt']) writeFileSync(path.join(root, name), 'mine\n');
      await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'typed'));
    });
    assert.deepEqual(outcomes, {
      ...{ 'a.bin': 'changed', 'b.txt': 'changed', 'c.txt': 'changed', 'd.txt': 'changed' },
      'e.txt': 'done',
    });
    const mine = { 'a.bin': 'mine\n', 'b.txt': '1\n', 'c.txt': 'mine\n', 'd.txt': 'mine\n' };
    assert.deepEqual(contents(root), { ...mine, 'e.txt': '2\n', 'old.txt': '1\n' });
    assert.equal(document.getText(), 'typed1\n');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('leave alone what is changed while the preview is open, and name it as the reason for the rest', async () => {
    const chosen = {
      'a.txt': { base: '1\n2\n3\n', agent: '1\n2\nagent\n' },
      'b.txt': { base: '1\n', agent: '2\n' },
      'new.txt': { base: null, agent: 'new\n' },
    };
    writeCases(chosen);
    const uri = vscode.Uri.joinPath(folder, 'a.txt');
    const { applyEdit } = vscode.workspace;
    let done: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => (done = resolve));
    Object.assign(vscode.workspace, {
      applyEdit: async (...edit: Parameters<typeof applyEdit>) => {
        const applying = applyEdit(...edit);
        const editor = await vscode.window.showTextDocument(uri);
        await editor.edit((typed) => typed.insert(new vscode.Position(0, 0), 'typed\n'));
        done();
        return applying;
      },
    });
    try {
      const { applied, outcomes } = await apply(chosen, 'apply', undefined, isTyped);
      assert.deepEqual(outcomes, { 'a.txt': 'changed', 'b.txt': 'failed', 'new.txt': 'failed' });
      assert.deepEqual(contents(root), { 'a.txt': '1\n2\n3\n', 'b.txt': '1\n' });
      assert.deepEqual(await appliedFiles(folder, applied!), []);
      const reason = 'The editor changed nothing, because of changes here: a.txt. Apply again.';
      const told = await toldOf(applied!);
      assert.equal(
        told.message,
        `0 files changed. Not applied as they are: a.txt, b.txt, new.txt. ${reason}`,
      );
      assert.equal(told.details.split(reason).length, 3);
      const [document] = vscode.workspace.textDocuments.filter((one) => one.uri.path === uri.path);
      assert.equal(document?.getText(), 'typed\n1\n2\n3\n');
      assert.equal(readFileSync(uri.fsPath, 'utf8'), '1\n2\n3\n');
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  for (const [name, chosen] of [
    ['edited', { 'a.txt': { base: '1\n2\n3\n', agent: '1\n2\nagent\n' } }],
    ['moved and edited', { 'b.txt': { from: 'a.txt', base: '1\n2\n3\n', agent: '1\n2\nagent\n' } }],
  ] as [string, Record<string, Case>][])
    it(`leave alone what other programs write while the preview is open: ${name}`, async () => {
      writeCases(chosen);
      const { applyEdit } = vscode.workspace;
      let done: () => void = () => undefined;
      const mayPress = new Promise<void>((resolve) => (done = resolve));
      Object.assign(vscode.workspace, {
        applyEdit: async (...edit: Parameters<typeof applyEdit>) => {
          const applying = applyEdit(...edit);
          writeFileSync(path.join(root, 'a.txt'), 'other\n1\n2\n3\n');
          // That preview ends by itself.
          if (name !== 'edited') await applying;
          done();
          return applying;
        },
      });
      try {
        const { outcomes } = await apply(chosen, 'apply', undefined, mayPress);
        assert.deepEqual(outcomes, { [Object.keys(chosen)[0]!]: 'changed' });
        assert.deepEqual(contents(root), { 'a.txt': 'other\n1\n2\n3\n' });
      } finally {
        Object.assign(vscode.workspace, { applyEdit });
      }
    });

  it('doesn’t save files that the user left out', async () => {
    const chosen = {
      'a.txt': { base: '1\n2\n3\n', agent: '1\n2\nagent\n' },
      'b.txt': { base: '1\n2\n3\n', agent: '1\n2\nagent\n' },
    };
    writeCases(chosen);
    for (const name of Object.keys(chosen)) {
      const document = await vscode.workspace.openTextDocument(vscode.Uri.joinPath(folder, name));
      const editor = await vscode.window.showTextDocument(document, { preview: false });
      await editor.edit((edit) => edit.replace(new vscode.Range(0, 0, 0, 1), 'typed'));
    }
    const { changes } = await planOf(chosen);
    const { applyEdit } = vscode.workspace;
    // As if only the first file were selected in the preview.
    Object.assign(vscode.workspace, {
      applyEdit: () => {
        const edit = new vscode.WorkspaceEdit();
        edit.replace(vscode.Uri.joinPath(folder, 'a.txt'), new vscode.Range(2, 0, 3, 0), 'agent\n');
        return applyEdit(edit);
      },
    });
    try {
      const applied = await applyToFolder(folder, changes);
      assert.deepEqual([...applied!.results.values()], ['done', 'skipped']);
    } finally {
      Object.assign(vscode.workspace, { applyEdit });
    }
    assert.deepEqual(contents(root), { 'a.txt': 'typed\n2\nagent\n', 'b.txt': '1\n2\n3\n' });
  });

  it('says that undo doesn’t restore a replaced file if no text was edited', async () => {
    const chosen = { 'binary.bin': { base: Buffer.from([0, 1]), agent: Buffer.from([0, 2]) } };
    writeCases(chosen);
    const { outcomes, lasting } = await apply(chosen);
    assert.deepEqual(outcomes, { 'binary.bin': 'done' });
    assert.deepEqual(lasting, ['binary.bin']);
    assert.deepEqual(contents(root), { 'binary.bin': '\0\x02' });
  });

  it('names files with changed modes, since the preview doesn’t show them', async () => {
    const chosen = {
      'a.txt': { base: '1\n', agent: '2\n' },
      run: { base: 'x\n', agent: 'x\n', modes: ['100644', '100755'] },
      data: { base: 'y\n', agent: 'y\n', modes: ['100755', '100644'] },
    } satisfies Record<string, Case>;
    writeCases(chosen);
    const { applied } = await apply(chosen);
    assert.ok(applied);
    const { message } = await toldOf(applied);
    assert.equal(message, '3 files changed. Made executable: run. No longer executable: data.');
  });

  it('reports a file that the editor changes on save', async () => {
    const settings = vscode.workspace.getConfiguration('files');
    await settings.update('insertFinalNewline', true, vscode.ConfigurationTarget.Global);
    try {
      const chosen = { 'a.txt': { base: '1\n2', agent: '1\n3' } };
      writeCases(chosen);
      const { outcomes } = await apply(chosen);
      assert.deepEqual(outcomes, { 'a.txt': 'differs' });
    } finally {
      await settings.update('insertFinalNewline', undefined, vscode.ConfigurationTarget.Global);
    }
  });

  it('names links, folders in the way, and large files, and leaves them alone', async () => {
    const elsewhere = mkdtempSync(path.join(tmpdir(), 'elsewhere-'));
    try {
      writeFileSync(path.join(elsewhere, 'x.txt'), 'untouched');
      symlinkSync(elsewhere, path.join(root, 'linked'));
      symlinkSync(path.join(elsewhere, 'x.txt'), path.join(root, 'link.txt'));
      mkdirSync(path.join(root, 'folder'));
      writeFileSync(path.join(root, 'file'), '');
      writeFileSync(path.join(root, 'large'), Buffer.alloc(21 * 1024 * 1024));
      const added = { base: null, agent: 'agent' };
      const names = ['linked/x.txt', 'link.txt', 'folder', 'file/x', 'large', '../x', '.git/config'];
      const { refused, changes } = await planOf(Object.fromEntries(names.map((name) => [name, added])));
      assert.deepEqual(changes, []);
      assert.deepEqual(Object.fromEntries(refused.map(({ path: name, why }) => [name, why])), {
        'linked/x.txt': 'linkHere',
        'link.txt': 'linkHere',
        folder: 'folderHere',
        'file/x': 'folderHere',
        large: 'tooLarge',
        '../x': 'outside',
        '.git/config': 'git',
      });
      assert.deepEqual(contents(elsewhere), { 'x.txt': 'untouched' });
    } finally {
      rmSync(elsewhere, { recursive: true });
    }
  });
});
