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
  async show(title: string, text: string, ending: 'json' | 'txt' = 'json'): Promise<void> {
    const uri = vscode.Uri.from({ scheme: detailsScheme, path: `/${title.replaceAll('/', '_')}.${ending}` });
    this.texts.set(uri.toString(), text);
    this.changed.fire(uri);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
    this.changed.dispose();
  }
}
