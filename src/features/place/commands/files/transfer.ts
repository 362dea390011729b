import { chmod } from 'node:fs/promises';
import { homedir } from 'node:os';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { isUnanswered } from '../../../../api/http/errors';
import { Refusal } from '../../../../core/basics/refusal';
import type { Handler } from '../../../../editor/handler';
import { agreedTo, listed } from '../../../../editor/inputs';
import { unlessCanceled } from '../../../../editor/progress';
import { quotedNames } from '../../../../shared/joined';
import { plainText } from '../../../../shared/plainText';
import { tellFailed } from '../../../targets/editor';
import { hashOf, largestFile, type SandboxFiles } from '../../model/files';
import { chooseSandboxFolder, type FolderNeeds, isInSandbox, nameOfPath } from './chooseFolder';

/** Upload to Agent’s Folder…: sends files from this computer to a folder of a sandbox. */
export function upload(needs: FolderNeeds): Handler {
  return async (argument) => {
    const title = l10n.t('Upload to Agent’s Folder');
    try {
      const chosen = await chooseSandboxFolder(needs, argument, title);
      if (!chosen) return;
      const options = { title, canSelectMany: true, openLabel: l10n.t('Upload') };
      const sources = (await vscode.window.showOpenDialog(options)) ?? [];
      if (sources.length > 0) await uploadTo(needs, chosen.uri, sources);
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t upload.'), error);
    }
  };
}

async function uploadTo(
  { sandboxFolders }: FolderNeeds,
  target: vscode.Uri,
  sources: readonly vscode.Uri[],
): Promise<void> {
  const files = sandboxFolders.filesOf(target);
  const known = await files.list(target.path);
  const there = sources.map(nameOfPath).filter((name) => known.has(name));
  if (there.length > 0) {
    const question =
      there.length === 1 ? l10n.t('Replace 1 file?') : l10n.t('Replace {0} files?', there.length);
    if (!(await agreedTo(question, listed(there), l10n.t('Replace')))) return;
  }
  await oneByOne(l10n.t('Uploading…'), sources, async (source, signal) => {
    const to = vscode.Uri.joinPath(target, nameOfPath(source));
    if ((await vscode.workspace.fs.stat(source)).size > largestFile)
      throw new Refusal(
        l10n.t('“{0}” is larger than 100 MB. It wasn’t uploaded.', plainText(nameOfPath(source), 80)),
      );
    const content = await vscode.workspace.fs.readFile(source);
    const isNew = !known.has(nameOfPath(source));
    await files.write(to.path, content, isNew ? null : hashOf(await files.read(to.path, signal)), signal);
    sandboxFolders.tell(to, isNew ? 'created' : 'changed');
  });
}

/** Download from Agent’s Folder…: copies files and folders from a sandbox to this computer. */
export function download(needs: FolderNeeds): Handler {
  return async (argument, selected) => {
    try {
      const chosen = await chooseSources(needs, argument, selected);
      const [first] = chosen;
      if (!first) return;
      const { kind } = await needs.sandboxFolders.filesOf(first).stat(first.path);
      const isOne = chosen.length === 1 && kind === 'file';
      const target = await (isOne ? placeFor(first) : folderFor());
      if (!target) return;
      const plan: Planned[] = [];
      const left: string[] = [];
      const taken = new Set<string>();
      const isPlanned = await unlessCanceled(l10n.t('Reading…'), async (_report, signal) => {
        for (const source of chosen) {
          const to = isOne ? target : await freePlace(target, nameOfPath(source), taken);
          await collect(needs.sandboxFolders.filesOf(source), source, to, { plan, left, taken, signal });
        }
        return true;
      });
      if (!isPlanned) return;
      await oneByOne(l10n.t('Downloading…'), plan, (one, signal) => fetchFile(needs, one, signal));
      if (left.length > 0)
        void vscode.window.showWarningMessage(
          l10n.t(
            'Not downloaded, because they’re larger than 100 MB or aren’t regular files with usual names: {0}',
            listed(left, 5),
          ),
        );
    } catch (error) {
      await tellFailed(l10n.t('Couldn’t download.'), error);
    }
  };
}

/** A file, and where it goes. */
interface Planned {
  path: string;
  source: vscode.Uri;
  to: vscode.Uri;
  mode: number;
}

async function chooseSources(
  needs: FolderNeeds,
  argument: unknown,
  selected: unknown,
): Promise<vscode.Uri[]> {
  const all = Array.isArray(selected) ? selected.filter(isInSandbox) : [];
  if (all.length > 0) return all;
  if (isInSandbox(argument)) return [argument];
  const title = l10n.t('Download from Agent’s Folder');
  const chosen = await chooseSandboxFolder(needs, argument, title);
  if (!chosen) return [];
  const found = await vscode.window.showOpenDialog({
    title,
    defaultUri: chosen.uri,
    canSelectFiles: true,
    canSelectFolders: true,
    canSelectMany: true,
    openLabel: l10n.t('Download'),
  });
  return (found ?? []).filter(isInSandbox);
}

const placeFor = (source: vscode.Uri) =>
  vscode.window.showSaveDialog({
    defaultUri: vscode.Uri.joinPath(vscode.Uri.file(homedir()), nameOfPath(source)),
  });

async function folderFor(): Promise<vscode.Uri | undefined> {
  const options = { canSelectFiles: false, canSelectFolders: true, openLabel: l10n.t('Download Here') };
  return (await vscode.window.showOpenDialog({ ...options, defaultUri: vscode.Uri.file(homedir()) }))?.[0];
}

/** Adds the files in and below a place to the plan. Doesn’t follow links to folders, which may lead in a circle. */
async function collect(
  files: SandboxFiles,
  source: vscode.Uri,
  to: vscode.Uri,
  into: { plan: Planned[]; left: string[]; taken: Set<string>; signal: AbortSignal },
): Promise<void> {
  into.signal.throwIfAborted();
  const { kind, isLink, mode, size } = await files.stat(source.path, into.signal);
  const isFree = !into.taken.has(oneName(to));
  into.taken.add(oneName(to));
  if (kind === 'file' && size <= largestFile && isFree)
    into.plan.push({ path: source.path, source, to, mode });
  else if (kind !== 'folder' || isLink) into.left.push(plainText(source.path, 200));
  else
    for (const [name] of await files.list(source.path, into.signal)) {
      const below = vscode.Uri.joinPath(source, name);
      if (isPlain(name)) await collect(files, below, vscode.Uri.joinPath(to, name), into);
      else into.left.push(plainText(below.path, 200));
    }
}

/** Whether this is a file name here that can’t lead out of its folder. */
const isPlain = (name: string) =>
  !['', '.', '..'].includes(name) && !(process.platform === 'win32' && /[<>:"/\\|?*]|[. ]$/.test(name));

async function fetchFile(
  { sandboxFolders }: FolderNeeds,
  { path, source, to, mode }: Planned,
  signal: AbortSignal,
): Promise<void> {
  const content = await sandboxFolders.filesOf(source).read(path, signal);
  await vscode.workspace.fs.writeFile(to, content);
  if (to.scheme === 'file' && (mode & 0o100) !== 0) await chmod(to.fsPath, 0o755);
}

/** What identifies a name here: most file systems of some computers ignore case. */
function oneName({ path }: vscode.Uri): string {
  return process.platform === 'win32' || process.platform === 'darwin'
    ? path.normalize().toLowerCase()
    : path;
}

/** A path that doesn’t exist yet, and that nothing else in this download gets. */
async function freePlace(folder: vscode.Uri, name: string, taken: ReadonlySet<string>): Promise<vscode.Uri> {
  for (let number = 1; ; number += 1) {
    const place = vscode.Uri.joinPath(folder, number === 1 ? name : `${name} (${number})`);
    const there = await vscode.workspace.fs.stat(place).then(
      () => true,
      () => false,
    );
    if (!there && !taken.has(oneName(place))) return place;
  }
}

/** Handles one after another. If the user cancels or some fail, says how many were done, and names those that failed. */
async function oneByOne<T extends { path: string }>(
  title: string,
  all: readonly T[],
  work: (one: T, signal: AbortSignal) => Promise<void>,
): Promise<void> {
  let done = 0;
  const failed: string[] = [];
  let failure: unknown;
  const tellDone = () => {
    if (done > 0 && done < all.length)
      void vscode.window.showInformationMessage(
        l10n.t('{0} of {1} files were transferred.', done, all.length),
      );
  };
  await unlessCanceled(title, async (report, signal) => {
    for (const one of all) {
      signal.throwIfAborted();
      const name = plainText(nameOfPath(one), 80);
      report(l10n.t('{0} ({1} of {2})', name, done + failed.length + 1, all.length));
      try {
        await work(one, signal);
        done += 1;
      } catch (error) {
        // Without an answer, the others would wait in vain, too.
        if (signal.aborted || all.length === 1 || isUnanswered(error)) throw error;
        failed.push(name);
        failure ??= error;
      }
    }
  }).finally(tellDone);
  if (failed.length > 0)
    void tellFailed(l10n.t('Couldn’t transfer {0}.', quotedNames(failed)), failure, failed.length > 1);
}
