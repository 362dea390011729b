import path from 'node:path';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { pathOf } from '../../../editor/selection';
import { filePlace, type LocatedFile, type ReadFile } from '../../context';
import { quotedSelection } from '../../../core/text/selectionMessage';

/** In bytes; of a longer file, an agent should read what it needs. */
const longestFile = 1_000_000;

/** All of them. */
const noLines = () => Promise.resolve(undefined);

/** Asks for files; resolves to their URIs. */
export async function pickFiles(): Promise<string[]> {
  const uris = await vscode.window.showOpenDialog({
    title: l10n.t('Attach Files'),
    openLabel: l10n.t('Attach'),
    canSelectMany: true,
  });
  return (uris ?? []).map(String);
}

/** Finds out where a file is, without reading it; undefined for what isn't a URI. */
export async function locateFile(text: string): Promise<LocatedFile | undefined> {
  let uri: vscode.Uri;
  try {
    const given = vscode.Uri.parse(text, true);
    uri = given.scheme === 'file' ? vscode.Uri.file(path.normalize(given.fsPath)) : given;
  } catch {
    return undefined;
  }
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => folder.uri);
  const { paths, isInside } = await filePlace(uri, folders, async (one) => {
    const { type } = await vscode.workspace.fs.stat(uri.with({ path: one }));
    return (type & vscode.FileType.SymbolicLink) !== 0;
  });
  const name = uri.scheme === 'file' ? paths.join(' → ') : uri.toString(true);
  return { uri: uri.toString(), name, paths, isInside };
}

/** Quotes a text file, or lines of it; undefined if it isn't one, or is too long. */
export async function readFile(
  text: string,
  lines: (document: vscode.TextDocument) => Promise<vscode.Range | undefined> = noLines,
): Promise<ReadFile | undefined> {
  try {
    const uri = vscode.Uri.parse(text);
    const { type, size } = await vscode.workspace.fs.stat(uri);
    if ((type & vscode.FileType.File) === 0 || size > longestFile) return undefined;
    // Rejects for what isn't text. Has what the user typed and hasn't saved yet.
    const document = await vscode.workspace.openTextDocument(uri);
    const range = await lines(document);
    const [firstLine, lastLine] = range
      ? [range.start.line + 1, range.end.line + 1]
      : [1, document.lineCount];
    const whole = range && new vscode.Range(firstLine - 1, 0, lastLine, 0);
    const part = { firstLine, lastLine, text: document.getText(whole) };
    const selection = { path: pathOf(uri), language: document.languageId, parts: [part], problems: [] };
    return { quote: quotedSelection(selection), text: part.text };
  } catch {
    return undefined;
  }
}
