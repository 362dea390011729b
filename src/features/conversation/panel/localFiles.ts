import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { filesScheme } from '../../../ids';
import { openRepositories } from '../../../editor/git';
import { isPlainPath, pathWithin, type AgentFolders } from '../../../shared/agentFolders';
import { hasRemote } from '../../../core/gitRemote';
import { authorityOf } from '../../place';
import type { ConversationModel } from '../../live';
import { locateFile } from './quotedFiles';

/**
 * The URIs of those of an agent’s files that are in a folder open here, by their paths: in a repository with the same
 * remote, or at the same path, as with an agent server on this computer. None leads out of the folders.
 * @param sandbox the authority of its files, for those that aren’t here; undefined if it can’t be reached
 */
export async function findFiles(
  paths: readonly string[],
  folders: AgentFolders,
  sandbox?: string,
): Promise<ReadonlyMap<string, string>> {
  const inSandbox = sandbox === undefined ? [] : paths.flatMap((path) => sandboxFile(path, folders, sandbox));
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) return new Map(inSandbox);
  const roots = await rootsOf(folders.repository);
  const found = paths.map(async (path) => {
    for (const candidate of candidatesFor(path, folders, roots))
      if (await isFileHere(candidate)) return [[path, candidate.toString()] as const];
    return [];
  });
  return new Map([...inSandbox, ...(await Promise.all(found)).flat()]);
}

/** The address of a file in the agent’s folder; whether it’s still there shows when it’s opened. */
function sandboxFile(path: string, { above }: AgentFolders, authority: string): [string, string][] {
  const isInside = pathWithin(path, above.slice(0, 1)) !== undefined;
  return isInside ? [[path, vscode.Uri.from({ scheme: filesScheme, authority, path }).toString()]] : [];
}

/** The authority of the files of a sandbox; undefined while it can’t be reached. */
export const sandboxFiles = (
  { id, head: { limit } }: Pick<ConversationModel, 'id' | 'head'>,
  connection: string,
): string | undefined => (limit === 'none' || limit === 'busy' ? authorityOf(connection, id) : undefined);

/** The open folders of a repository. */
async function rootsOf(repository: string): Promise<vscode.Uri[]> {
  if (repository === '') return [];
  const open = await openRepositories(undefined);
  return open.filter((one) => hasRemote(one, repository)).map(({ root }) => vscode.Uri.parse(root));
}

function candidatesFor(
  path: string,
  { repository, own, above }: AgentFolders,
  roots: readonly vscode.Uri[],
): vscode.Uri[] {
  const isAbsolute = path.startsWith('/');
  const below = isAbsolute ? pathWithin(path, own) : isPlainPath(path) ? path : undefined;
  const inRoots = below === undefined ? [] : roots.map((root) => vscode.Uri.joinPath(root, below));
  if (isAbsolute) return [...inRoots, vscode.Uri.file(path)];
  const [folder] = above;
  const isInFolder = repository === '' && below !== undefined && folder !== undefined;
  return isInFolder ? [vscode.Uri.joinPath(vscode.Uri.file(folder), below)] : inRoots;
}

/** Whether there is a file, in one of the workspace's folders whichever links lead there. */
async function isFileHere(uri: vscode.Uri): Promise<boolean> {
  const located = await locateFile(uri.toString());
  if (located?.isInside !== true) return false;
  try {
    const { type } = await vscode.workspace.fs.stat(uri);
    return (type & vscode.FileType.File) !== 0;
  } catch {
    return false;
  }
}

/** @param line from 1 on; null for wherever the editor was last */
export async function openFile(uri: string, line: number | null): Promise<void> {
  const at = line === null ? undefined : new vscode.Position(Math.max(0, line - 1), 0);
  const selection = at && new vscode.Range(at, at);
  const file = vscode.Uri.parse(uri);
  try {
    // The editor’s own words would be about an address that nobody knows.
    if (file.scheme === filesScheme) await vscode.workspace.fs.stat(file);
  } catch (error) {
    const isMissing = error instanceof vscode.FileSystemError && error.code === 'FileNotFound';
    const words = isMissing ? l10n.t('The file isn’t in the sandbox anymore.') : (error as Error).message;
    void vscode.window.showWarningMessage(words);
    return;
  }
  await vscode.window.showTextDocument(file, { ...(selection && { selection }) });
}
