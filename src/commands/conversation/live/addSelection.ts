import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { selectionOf } from '../../../platform/selection';
import { quotedSelection } from '../../../state/conversations/selectionMessage';
import type { ConversationDependencies, Handler } from '../../dependencies';
import { chooseLive, type LiveNeeds } from './choose';

/** Add Selection to Conversation…: attaches the selected code to the message in a conversation's composer. */
export function addSelection(
  needs: LiveNeeds & Pick<ConversationDependencies, 'attachToConversation'>,
): Handler {
  return async () => {
    const editor = vscode.window.activeTextEditor;
    const selection = editor && selectionOf(editor);
    if (!selection) {
      void vscode.window.showInformationMessage(
        l10n.t('Nothing is selected. Select some code and try again.'),
      );
      return;
    }
    const live = await chooseLive(needs, undefined, { title: l10n.t('Add Selection to Conversation') });
    if (live) await needs.attachToConversation(live.model.id, [quotedSelection(selection)]);
  };
}
