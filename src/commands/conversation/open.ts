import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { clientOf } from '../../state/session';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseConversation } from './chooseConversation';

/** Open Conversation in Browser: the service's page for people. */
export function open({ session, model }: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (argument) => {
    const conversation = await chooseConversation(
      model,
      argument,
      l10n.t('Open a conversation in the browser'),
    );
    const client = clientOf(session.current);
    if (!conversation || !client) return;
    await vscode.env.openExternal(vscode.Uri.parse(client.conversationPageUrl(conversation.id), true));
  };
}
