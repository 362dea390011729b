import * as vscode from 'vscode';
import type { OpenText } from '../../model/operations';

/** The document of a file, if it is open. */
export function documentOf(uri: vscode.Uri): vscode.TextDocument | undefined {
  return vscode.workspace.textDocuments.find(
    (document) => document.uri.toString() === uri.toString() && !document.isClosed,
  );
}

/**
 * A file as the editor has it, or would open it. Doesn't open the file, because the editor would then make writing to
 * it another undo step.
 */
export async function openText(uri: vscode.Uri, content: Uint8Array): Promise<OpenText> {
  const document = documentOf(uri);
  const encoding = document?.encoding ?? (hasMark(content) ? 'utf8bom' : undefined);
  const decode = async (bytes: Uint8Array) =>
    encoding === undefined
      ? vscode.workspace.decode(bytes, { uri })
      : vscode.workspace.decode(bytes, { encoding });
  const encode = async (text: string) =>
    encoding === undefined
      ? vscode.workspace.encode(text, { uri })
      : vscode.workspace.encode(text, { encoding });
  if (document) {
    const lineEnd = document.eol === vscode.EndOfLine.CRLF ? '\r\n' : '\n';
    return { text: document.getText(), lineEnd, decode, encode };
  }
  const text = await decode(content);
  return { text, lineEnd: text.includes('\n') ? firstLineEnd(text) : newLineEnd(uri), decode, encode };
}

/** Whether a file begins with the mark of UTF-8, which isn’t part of its text. */
function hasMark(content: Uint8Array): boolean {
  return Buffer.from(content.subarray(0, 3)).equals(Buffer.from('\uFEFF'));
}

const firstLineEnd = (text: string) => (text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n');

/** The line end that the editor gives a file without any. */
function newLineEnd(uri: vscode.Uri): OpenText['lineEnd'] {
  const set = vscode.workspace.getConfiguration('files', uri).get<string>('eol');
  if (set === '\r\n' || set === '\n') return set;
  return process.platform === 'win32' ? '\r\n' : '\n';
}
