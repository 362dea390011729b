import * as vscode from 'vscode';
import { detailsScheme } from '../ids';

/** Shows texts as read-only documents of the editor. */
export class ReadOnlyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(detailsScheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
  ];

  /** @param ending extension of the document's name, which selects the language mode */
  async show(title: string, text: string, ending: 'txt' | 'md'): Promise<void> {
    const uri = this.keep(`/${title.replaceAll('/', '_')}.${ending}`, text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Shows the two sides of a file in the editor's diff. */
  async showDiff(title: string, path: string, before: string, after: string): Promise<void> {
    const name = path.replace(/^\/+/, '');
    const [left, right] = [this.keep(`/before/${name}`, before), this.keep(`/after/${name}`, after)];
    await vscode.commands.executeCommand('vscode.diff', left, right, title, { preview: true });
  }

  private keep(path: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: detailsScheme, path });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}
