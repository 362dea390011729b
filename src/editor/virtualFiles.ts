import * as vscode from 'vscode';

export const refused = (uri: vscode.Uri): never => {
  throw vscode.FileSystemError.NoPermissions(uri);
};

/** What files of the editor that aren't on a disk have in common: they are in no folder, and stay what they are. */
export abstract class VirtualFiles {
  protected readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;

  readDirectory(): [string, vscode.FileType][] {
    return [];
  }

  watch(): vscode.Disposable {
    return new vscode.Disposable(() => undefined);
  }

  readonly createDirectory = refused;
  readonly delete = refused;
  readonly rename = refused;
}
