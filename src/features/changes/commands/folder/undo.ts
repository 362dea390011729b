import * as vscode from 'vscode';
import { blobHash } from '../../../sandboxChanges';
import type { FileOutcome } from '../../model/outcome';
import { localContent } from '../../model/plan';
import { type AppliedFile, planUndo } from '../../model/undo';
import type { AppliedChanges } from './apply';
import { FolderReader } from './reader';
import { setExecutable } from './modes';

/** What undo needs to know about the changed files, which are read again. */
export async function appliedFiles(
  folder: vscode.Uri,
  { results }: Pick<AppliedChanges, 'results'>,
): Promise<AppliedFile[]> {
  const reader = new FolderReader(folder);
  const untouched: FileOutcome[] = ['skipped', 'failed', 'changed', 'open'];
  const changed = [...results].filter(([, outcome]) => !untouched.includes(outcome));
  return Promise.all(
    changed.map(async ([{ path, from, before, wasExecutable }]) => {
      const content = localContent(await reader.read(path));
      return { path, from, before, wasExecutable, now: content && blobHash(content) };
    }),
  );
}

/**
 * Restores files with their modes; returns the paths of those that have changed since, or can’t be restored. Throws the
 * signal’s reason when it’s aborted; undoing can be continued later.
 */
export async function undoInFolder(
  folder: vscode.Uri,
  files: readonly AppliedFile[],
  signal?: AbortSignal,
): Promise<string[]> {
  const left: string[] = [];
  // One at a time, because a file can be where another one’s folder was.
  for (const file of files) {
    signal?.throwIfAborted();
    const isBack = await undoOne(folder, file).catch(() => false);
    if (!isBack) left.push(file.path);
  }
  return left;
}

/** False if the file has changed since, and is left alone. */
async function undoOne(folder: vscode.Uri, file: AppliedFile): Promise<boolean> {
  const { path, from, before, wasExecutable } = file;
  // The previous file may have restored this one’s folder.
  const reader = new FolderReader(folder);
  const [here, origin] = await Promise.all([reader.read(path), reader.read(from ?? path)]);
  const step = planUndo(file, here, origin);
  const at = (name: string) => vscode.Uri.joinPath(folder, name);
  if (step === 'restore') {
    if (from !== null && before) await vscode.workspace.fs.writeFile(at(from), before);
    if (from !== path && here) await vscode.workspace.fs.delete(at(path));
  }
  if ((step === 'restore' || step === 'mode') && from !== null && wasExecutable !== null)
    await setExecutable(at(from), wasExecutable);
  return step !== 'changed';
}
