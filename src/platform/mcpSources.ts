import * as l10n from '@vscode/l10n';
import { homedir } from 'node:os';
import * as vscode from 'vscode';
import { decodedText } from '../shared/decodedText';
import { thrownWords } from '../shared/thrown';

export interface FoundSource {
  label: string;
  uri: vscode.Uri;
}

export type ReadSource = { ok: true; text: string } | { ok: false; reason: string };

/**
 * What determines where configuration files are on this computer.
 * @param globalStorage the extension's storage folder, which is inside the running editor's `User` folder
 */
export function sourceHost(globalStorage: vscode.Uri) {
  const userFolder = vscode.Uri.joinPath(globalStorage, '..', '..');
  const folders = vscode.workspace.workspaceFolders ?? [];
  return {
    platform: process.platform,
    home: homedir(),
    env: process.env,
    workspaceFolders: folders.map(({ name, uri }) => ({ name, uri: uri.toString() })),
    editorUserFolder: userFolder.scheme === 'file' ? userFolder.fsPath : null,
  };
}

/**
 * The candidates that exist, in order.
 * @param candidates `path` is relative to the workspace folder with the URI `folder`, or absolute without one
 */
export async function findSources(
  candidates: readonly { label: string; folder: string | null; path: string }[],
): Promise<FoundSource[]> {
  const sources = candidates.map(({ label, folder, path }) => ({
    label,
    uri: folder === null ? vscode.Uri.file(path) : vscode.Uri.joinPath(vscode.Uri.parse(folder, true), path),
  }));
  const found = await Promise.all(sources.map(({ uri }) => isFile(uri)));
  return sources.filter((_, index) => found[index]);
}

async function isFile(uri: vscode.Uri): Promise<boolean> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** Reads a configuration file of at most `maxBytes` bytes. */
export async function readSource(uri: vscode.Uri, maxBytes: number): Promise<ReadSource> {
  const tooLarge = {
    ok: false,
    reason: l10n.t('The file is larger than {0} KiB.', Math.floor(maxBytes / 1024)),
  } as const;
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return { ok: false, reason: l10n.t('This isn’t a file.') };
    if (size > maxBytes) return tooLarge;
    const bytes = await vscode.workspace.fs.readFile(uri);
    // The file may have grown since.
    if (bytes.length > maxBytes) return tooLarge;
    const text = decodedText(bytes);
    return text === undefined ? { ok: false, reason: notText() } : { ok: true, text };
  } catch (error) {
    return { ok: false, reason: failure(error) };
  }
}

const notText = () => l10n.t('The file isn’t UTF-8 or UTF-16 text. Save it in UTF-8, and try again.');

function failure(error: unknown): string {
  switch (error instanceof vscode.FileSystemError ? error.code : '') {
    case 'FileNotFound':
      return l10n.t('The file no longer exists.');
    case 'NoPermissions':
      return l10n.t('You don’t have permission to read this file.');
    default:
      return l10n.t('Couldn’t read the file: {0}', thrownWords(error));
  }
}
