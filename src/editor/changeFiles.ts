import * as vscode from 'vscode';
import { refused, VirtualFiles } from './virtualFiles';

/** The sides of changed files, as read-only files of the editor; their contents are read when they are opened. */
export class ChangeFiles extends VirtualFiles implements vscode.FileSystemProvider {
  /** @param read rejects with an error whose message is for people */
  constructor(private readonly read: (uri: vscode.Uri) => Promise<Uint8Array>) {
    super();
  }

  async stat(uri: vscode.Uri): Promise<vscode.FileStat> {
    const { byteLength: size } = await this.readFile(uri);
    const permissions = vscode.FilePermission.Readonly;
    return { type: vscode.FileType.File, ctime: 0, mtime: 0, size, permissions };
  }

  async readFile(uri: vscode.Uri): Promise<Uint8Array> {
    try {
      return await this.read(uri);
    } catch (error) {
      throw vscode.FileSystemError.Unavailable(error instanceof Error ? error.message : uri);
    }
  }

  readonly writeFile = refused;
}
