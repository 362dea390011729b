import * as vscode from 'vscode';
import { searchScheme } from '../../../../ids';
import { documentName } from '../../../../shared/documentNames';
import type { ReportLine } from '../../model/searchReport';

interface Results {
  root: vscode.Uri;
  lines: readonly ReportLine[];
}

/** The results of searches, as documents that grow, with links. */
export class SearchResults
  implements vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider, vscode.Disposable
{
  private readonly changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.changed.event;
  private readonly found = new Map<string, Results>();
  private count = 0;
  private readonly subscriptions = [
    vscode.workspace.registerTextDocumentContentProvider(searchScheme, this),
    vscode.languages.registerDocumentLinkProvider({ scheme: searchScheme }, this),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => this.found.delete(uri.toString())),
    this.changed,
  ];

  /** Shows a new document, at its first line; returns a function that replaces its lines. */
  async show(
    title: string,
    root: vscode.Uri,
    lines: readonly ReportLine[],
  ): Promise<(lines: readonly ReportLine[]) => void> {
    this.count += 1;
    const uri = vscode.Uri.from({ scheme: searchScheme, path: `/${this.count}/${documentName(title)}.txt` });
    // A cursor in an empty document would go to the end of what comes.
    const results: Results = { root, lines };
    this.found.set(uri.toString(), results);
    await vscode.window.showTextDocument(await vscode.workspace.openTextDocument(uri), { preview: false });
    return (lines) => {
      results.lines = lines;
      this.changed.fire(uri);
    };
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    const lines = this.found.get(uri.toString())?.lines ?? [];
    return lines.map(({ text }) => text).join('\n');
  }

  provideDocumentLinks({ uri }: vscode.TextDocument): vscode.DocumentLink[] {
    const results = this.found.get(uri.toString());
    return (results?.lines ?? []).flatMap(({ link }, at) => {
      if (!results || !link) return [];
      const fragment = link.line === undefined ? '' : `L${link.line}`;
      const target = vscode.Uri.joinPath(results.root, link.path).with({ fragment });
      return [new vscode.DocumentLink(new vscode.Range(at, link.from, at, link.to), target)];
    });
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }
}
