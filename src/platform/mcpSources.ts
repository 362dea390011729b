import * as l10n from '@vscode/l10n';
import { homedir } from 'node:os';
import * as vscode from 'vscode';

/** What decides where configuration files are. Which files those are is no matter of the editor, so it is passed in. */
export interface SourceHost {
  platform: NodeJS.Platform;
  home: string;
  env: Readonly<Record<string, string | undefined>>;
  workspaceFolders: readonly { name: string; uri: string }[];
  editorUserFolder: string | null;
}

/** A file that may exist; `path` is relative to the workspace folder's URI, or absolute without one. */
export interface CandidateSource {
  label: string;
  folder: string | null;
  path: string;
}

export interface FoundSource {
  label: string;
  uri: vscode.Uri;
}

export type ReadSource = { ok: true; text: string } | { ok: false; reason: string };

/**
 * The configuration files that exist, in the order of the candidates.
 * @param candidates `candidateSources`
 * @param globalStorage the extension's, which lies in the folder of the running editor's user files
 */
export async function findSources(
  candidates: (host: SourceHost) => readonly CandidateSource[],
  globalStorage: vscode.Uri,
): Promise<FoundSource[]> {
  const userFolder = vscode.Uri.joinPath(globalStorage, '..', '..');
  const folders = vscode.workspace.workspaceFolders ?? [];
  const sources = candidates({
    platform: process.platform,
    home: homedir(),
    env: process.env,
    workspaceFolders: folders.map(({ name, uri }) => ({ name, uri: uri.toString() })),
    editorUserFolder: userFolder.scheme === 'file' ? userFolder.fsPath : null,
  }).map(({ label, folder, path }) => ({
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

/** Reads a configuration file, unless it has more than `maxBytes` bytes. */
export async function readSource(uri: vscode.Uri, maxBytes: number): Promise<ReadSource> {
  const tooLarge = {
    ok: false,
    reason: l10n.t('The file is larger than {0} KiB.', Math.floor(maxBytes / 1024)),
  } as const;
  try {
    const { size, type } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0) return { ok: false, reason: l10n.t('This is not a file.') };
    if (size > maxBytes) return tooLarge;
    const bytes = await vscode.workspace.fs.readFile(uri);
    // It may have grown meanwhile.
    return bytes.length > maxBytes ? tooLarge : { ok: true, text: new TextDecoder().decode(bytes) };
  } catch (error) {
    return { ok: false, reason: failure(error) };
  }
}

function failure(error: unknown): string {
  switch (error instanceof vscode.FileSystemError ? error.code : '') {
    case 'FileNotFound':
      return l10n.t('The file is gone.');
    case 'NoPermissions':
      return l10n.t('The file may not be read.');
    default:
      return l10n.t('The file cannot be read: {0}', error instanceof Error ? error.message : String(error));
  }
}
