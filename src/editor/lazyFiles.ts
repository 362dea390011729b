import * as vscode from 'vscode';

export type LoadFiles = () => Promise<vscode.FileSystemProvider>;

/** Files of the editor whose provider is loaded when the first of them is used. */
export class LazyFiles implements vscode.FileSystemProvider {
  private readonly changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  readonly onDidChangeFile = this.changed.event;
  private followed: vscode.FileSystemProvider | undefined;

  /** @param load resolves to the same provider each time */
  constructor(private readonly load: LoadFiles) {}

  private async files(): Promise<vscode.FileSystemProvider> {
    const files = await this.load();
    if (files !== this.followed) files.onDidChangeFile((changes) => this.changed.fire(changes));
    this.followed = files;
    return files;
  }

  watch(...watched: Parameters<vscode.FileSystemProvider['watch']>): vscode.Disposable {
    const watching = this.files().then((files) => files.watch(...watched));
    return new vscode.Disposable(() => void watching.then((watcher) => void watcher.dispose()));
  }

  readonly stat = async (uri: vscode.Uri) => (await this.files()).stat(uri);
  readonly readDirectory = async (uri: vscode.Uri) => (await this.files()).readDirectory(uri);
  readonly createDirectory = async (uri: vscode.Uri) => (await this.files()).createDirectory(uri);
  readonly readFile = async (uri: vscode.Uri) => (await this.files()).readFile(uri);
  readonly writeFile = async (...call: Parameters<vscode.FileSystemProvider['writeFile']>) =>
    (await this.files()).writeFile(...call);
  readonly delete = async (...call: Parameters<vscode.FileSystemProvider['delete']>) =>
    (await this.files()).delete(...call);
  readonly rename = async (...call: Parameters<vscode.FileSystemProvider['rename']>) =>
    (await this.files()).rename(...call);
}
