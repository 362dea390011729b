import * as vscode from 'vscode';
import type { Question } from './tool';

/**
 * A question as the editor shows it. The editor would read a plain string as Markdown, including command links. So the
 * text is escaped, and quoted text goes in a code block with a fence longer than any in the text.
 */
export function questionMarkdown({ lines, quoted }: Question): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  for (const line of lines) markdown.appendText(line).appendMarkdown('\n\n');
  if (quoted !== undefined) markdown.appendCodeblock(quoted, 'text');
  return markdown;
}
