import * as vscode from 'vscode';

/** Patches that are on their way into sandboxes, as files of the extension on this computer. */
export class KeptPatches {
  constructor(private readonly storage: vscode.Uri) {}

  async write(id: string, content: Uint8Array): Promise<void> {
    await vscode.workspace.fs.createDirectory(this.folder);
    await vscode.workspace.fs.writeFile(this.fileOf(id), content);
  }

  /** Rejects if it is gone. */
  async read(id: string): Promise<Uint8Array> {
    return vscode.workspace.fs.readFile(this.fileOf(id));
  }

  async remove(id: string): Promise<void> {
    await vscode.workspace.fs.delete(this.fileOf(id)).then(undefined, () => undefined);
  }

  private get folder(): vscode.Uri {
    return vscode.Uri.joinPath(this.storage, 'patches');
  }

  private fileOf(id: string): vscode.Uri {
    return vscode.Uri.joinPath(this.folder, `${id}.patch`);
  }
}
