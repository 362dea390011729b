import * as vscode from 'vscode';
import { detailsScheme } from '../ids';
import { documentName, documentPath } from '../shared/documentNames';

/** Shows texts as read-only documents of the editor. */
export class ReadOnlyDocuments implements vscode.TextDocumentContentProvider, vscode.Disposable {
  private readonly texts = new Map<string, string>();
  private folders = 0;
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(detailsScheme, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.texts.delete(uri.toString())),
  ];

  /** @param ending extension of the document's name, which selects the language mode */
  async show(title: string, text: string, ending: 'txt' | 'md'): Promise<void> {
    const uri = this.keep(this.newFolder(), `${documentName(title)}.${ending}`, text);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: true });
  }

  /** Shows the two sides of a file in the editor's diff. */
  async showDiff(
    title: string,
    path: string,
    { before, after }: { before: string; after: string },
    viewColumn = vscode.ViewColumn.Active,
  ): Promise<void> {
    const [folder, name] = [this.newFolder(), documentPath(path)];
    const left = this.keep(`${folder}/before`, name, before);
    const right = this.keep(`${folder}/after`, name, after);
    await vscode.commands.executeCommand('vscode.diff', left, right, title, {
      preview: true,
      viewColumn,
    });
  }

  /** Whether the editor's diff shows every change: it can fold away lines in which only spaces differ. */
  get showsAllChanges(): boolean {
    const settings = vscode.workspace.getConfiguration('diffEditor');
    return !(settings.get('ignoreTrimWhitespace') && settings.get('hideUnchangedRegions.enabled'));
  }

  /** Each time another one, since documents that are open may have the same name. */
  private newFolder(): string {
    this.folders += 1;
    return `/${this.folders}`;
  }

  private keep(folder: string, name: string, text: string): vscode.Uri {
    const uri = vscode.Uri.from({ scheme: detailsScheme, path: `${folder}/${name}` });
    this.texts.set(uri.toString(), text);
    return uri;
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.texts.get(uri.toString()) ?? '';
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
