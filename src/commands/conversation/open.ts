import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseConversation } from './chooseConversation';
import { chooseHere } from './chooseHere';

/** Open Conversation in Browser: the service's page for people. */
export function open({ session, model }: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (argument) => {
    const title = l10n.t('Open a conversation in the browser');
    const answer = await chooseHere(session, () => chooseConversation(model, argument, title));
    if (!answer) return;
    const url = answer.client.conversationPageUrl(answer.chosen.id);
    await vscode.env.openExternal(vscode.Uri.parse(url, true));
  };
}
