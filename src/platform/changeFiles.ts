import * as vscode from 'vscode';

const refused = (uri: vscode.Uri): never => {
  throw vscode.FileSystemError.NoPermissions(uri);
};

/** The sides of changed files, as read-only files of the editor; their contents are read when they are opened. */
export class ChangeFiles implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  /** @param read rejects with an error whose message is for people */
  constructor(private readonly read: (uri: vscode.Uri) => Promise<Uint8Array>) {}

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

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readonly writeFile = refused;
  readonly createDirectory = refused;
  readonly delete = refused;
  readonly rename = refused;
}
