import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { selectionOf } from '../../../platform/selection';
import { quotedSelection } from '../../../state/conversations/selectionMessage';
import type { CommandDependencies, Handler } from '../../dependencies';

/** Start Conversation about Selection…: adds the selection to the message, where the user sees it before it is sent. */
export function startFromSelection({ message }: Pick<CommandDependencies, 'message'>): Handler {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const selection = editor && selectionOf(editor);
    if (!selection) {
      void vscode.window.showInformationMessage(
        l10n.t('Nothing is selected. Select some code and try again.'),
      );
      return;
    }
    await message.begin({ about: editor.document.uri.toString() });
    await message.addSelection(quotedSelection(selection));
  };
}
