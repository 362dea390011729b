import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { selectionOf } from '../../../platform/selection';
import { selectionMessage } from '../../../state/selectionMessage';
import type { CommandDependencies, Handler } from '../../dependencies';

/** Start Conversation about Selection…: the selection goes into the message, where the user sees it before it is sent. */
export function startFromSelection({ message }: Pick<CommandDependencies, 'message'>): Handler {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const selection = editor && selectionOf(editor);
    if (!selection) {
      void vscode.window.showInformationMessage(
        l10n.t('Nothing is selected. Select the code that the conversation is about, and try again.'),
      );
      return;
    }
    const text = selectionMessage(selection);
    await message.begin({ about: editor.document.uri.toString() });
    await message.add(text);
  };
}
