import * as vscode from 'vscode';
import { questionText } from './questionText';
import type { Question } from './tool';

/** A question as the editor shows it. The editor would read a plain string as Markdown, including command links. */
export function questionMarkdown(question: Question): vscode.MarkdownString {
  return new vscode.MarkdownString(questionText(question));
}
