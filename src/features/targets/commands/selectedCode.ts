import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { selectionOf } from '../../../editor/selection';
import type { QuotedSelection } from '../../../shared/selection';
import { quotedSelection } from '../../../core/text/selectionMessage';

/** The code selected in the active editor, and the address of its file. If there is none, says so. */
export function selectedCode(): { file: string; quote: QuotedSelection } | undefined {
  const editor = vscode.window.activeTextEditor;
  const selection = editor && selectionOf(editor);
  if (selection) return { file: editor.document.uri.toString(), quote: quotedSelection(selection) };
  void vscode.window.showInformationMessage(l10n.t('Nothing is selected. Select some code and try again.'));
  return undefined;
}
