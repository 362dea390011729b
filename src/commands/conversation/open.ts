import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openAddress } from '../../platform/openAddress';
import { isAgentServer } from '../../state/session/session';
import type { CommandDependencies, Handler } from '../dependencies';
import { chooseConversation } from './chooseConversation';
import { chooseHere } from './chooseHere';

/** Open Conversation in Browser: the service's page for people. */
export function open({ session, model }: Pick<CommandDependencies, 'session' | 'model'>): Handler {
  return async (argument) => {
    const title = l10n.t('Open Conversation in Browser');
    const answer = await chooseHere(session, () => chooseConversation(model, argument, { title }));
    if (!answer) return;
    if (isAgentServer(session.current)) {
      void vscode.window.showInformationMessage(l10n.t('An agent server by itself has no page for this.'));
      return;
    }
    await openAddress(new URL(answer.client.conversationPageUrl(answer.chosen.id)));
  };
}
