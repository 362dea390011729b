import * as vscode from 'vscode';
import { openRepositories } from '../../platform/git';
import { isPlainPath, pathWithin, type AgentFolders } from '../../shared/agentFolders';
import { hasRemote } from '../../state/conversations/gitRemote';
import { locateFile } from './quotedFiles';

/**
 * The URIs of those of an agent’s files that are in a folder open here, by their paths: in a repository with the same
 * remote, or at the same path, as with an agent server on this computer. None leads out of the folders.
 */
export async function findFiles(
  paths: readonly string[],
  folders: AgentFolders,
): Promise<ReadonlyMap<string, string>> {
  if ((vscode.workspace.workspaceFolders ?? []).length === 0) return new Map();
  const roots = await rootsOf(folders.repository);
  const found = paths.map(async (path) => {
    for (const candidate of candidatesFor(path, folders, roots))
      if (await isFileHere(candidate)) return [[path, candidate.toString()] as const];
    return [];
  });
  return new Map((await Promise.all(found)).flat());
}

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
  await vscode.window.showTextDocument(vscode.Uri.parse(uri), { ...(selection && { selection }) });
}
