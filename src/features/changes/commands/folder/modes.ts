import { chmod, stat } from 'node:fs/promises';
import type * as vscode from 'vscode';

/** Whether files of a folder have git’s mode for executable files, and this computer can set it. */
export function hasModes(folder: vscode.Uri): boolean {
  return folder.scheme === 'file' && process.platform !== 'win32';
}

/** Sets or clears that mode of a file in such a folder. */
export async function setExecutable({ fsPath }: vscode.Uri, executable: boolean): Promise<void> {
  const { mode } = await stat(fsPath);
  // As with git, everyone who may read a file may execute it.
  await chmod(fsPath, executable ? mode | ((mode & 0o444) >> 2) : mode & ~0o111);
}
