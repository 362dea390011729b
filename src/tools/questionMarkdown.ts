import * as vscode from 'vscode';
import type { Question } from './tool';

/**
 * A question as the editor shows it. A string it would read as Markdown, links of commands included; so the text is
 * escaped, and what is quoted stands in a block of code whose fence is longer than any in it.
 */
export function questionMarkdown({ lines, quoted }: Question): vscode.MarkdownString {
  const markdown = new vscode.MarkdownString();
  for (const line of lines) markdown.appendText(line).appendMarkdown('\n\n');
  if (quoted !== undefined) markdown.appendCodeblock(quoted, 'text');
  return markdown;
}
