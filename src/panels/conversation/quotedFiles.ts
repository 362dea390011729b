import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pathOf } from '../../platform/selection';
import type { QuotedSelection } from '../../shared/selection';
import { quotedSelection } from '../../state/conversations/selectionMessage';

/** In bytes; of a longer file, an agent should read what it needs. */
const longestFile = 1_000_000;

/** Asks for files; resolves to their URIs. */
export async function pickFiles(): Promise<string[]> {
  const uris = await vscode.window.showOpenDialog({
    title: l10n.t('Attach Files'),
    openLabel: l10n.t('Attach'),
    canSelectMany: true,
  });
  return (uris ?? []).map(String);
}

/** Quotes the text files among these; leaves out those that are too long. */
export async function quoteFiles(uris: readonly string[]): Promise<QuotedSelection[]> {
  const quotes = await Promise.all(uris.map((uri) => quoteFile(vscode.Uri.parse(uri))));
  return quotes.filter((one) => one !== undefined);
}

async function quoteFile(uri: vscode.Uri): Promise<QuotedSelection | undefined> {
  try {
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > longestFile) return undefined;
    // Rejects for what isn't text. Has what the user typed and hasn't saved yet.
    const document = await vscode.workspace.openTextDocument(uri);
    const part = { firstLine: 1, lastLine: document.lineCount, text: document.getText() };
    return quotedSelection({ path: pathOf(uri), language: document.languageId, parts: [part], problems: [] });
  } catch {
    return undefined;
  }
}
