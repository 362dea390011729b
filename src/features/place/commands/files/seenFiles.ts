import * as vscode from 'vscode';
import { hashOf } from '../../model/files';

/** What was last read of a file. */
interface Seen {
  hash: string;
  stat: vscode.FileStat;
}

/**
 * Which content of each file the editor shows, or has edited: what a save may replace. That isn’t always the last one that
 * was read, because a search, or a comparison, reads files that are open, too.
 */
export class SeenFiles {
  private readonly last = new Map<string, Seen>();
  private readonly shown = new Map<string, Seen>();
  private readonly subscriptions = [
    vscode.workspace.onDidChangeTextDocument(({ document }) => this.follow(document)),
    vscode.workspace.onDidCloseTextDocument(({ uri }) => {
      this.last.delete(uri.toString());
      this.shown.delete(uri.toString());
    }),
  ];

  /** What the editor shows; undefined if that isn’t known. */
  of(uri: vscode.Uri): Seen | undefined {
    return this.shown.get(uri.toString());
  }

  read(uri: vscode.Uri, content: Uint8Array, stat: vscode.FileStat): void {
    const key = uri.toString();
    const seen = { hash: hashOf(content), stat };
    this.last.set(key, seen);
    const document = seenDocument(uri);
    if (!document) this.shown.set(key, seen);
    else this.follow(document);
  }

  saved(uri: vscode.Uri, content: Uint8Array, stat: vscode.FileStat): void {
    const seen = { hash: hashOf(content), stat };
    this.last.set(uri.toString(), seen);
    this.shown.set(uri.toString(), seen);
  }

  dispose(): void {
    for (const subscription of this.subscriptions) subscription.dispose();
  }

  /** A document without edits shows what was read last if it has the same text. */
  private follow(document: vscode.TextDocument): void {
    const last = this.last.get(document.uri.toString());
    if (!last || document.isDirty) return;
    const text = document.getText();
    const isLast = [text, `\uFEFF${text}`].some((one) => hashOf(Buffer.from(one)) === last.hash);
    if (isLast) this.shown.set(document.uri.toString(), last);
  }
}

/** The open document of a file. */
export const seenDocument = (uri: vscode.Uri): vscode.TextDocument | undefined =>
  vscode.workspace.textDocuments.find((document) => document.uri.toString() === uri.toString());
