import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { extensionId } from '../../../ids';
import { conversationLink } from '../../../shared/conversationLink';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseConversation } from '../chooseConversation';
import { chooseHere } from '../chooseHere';

/** Copy Link: leads to the conversation in the editor of anybody who uses the same service. */
export function copyLink({
  session,
  model,
  activeConversation,
}: Pick<CommandDependencies, 'session' | 'model' | 'activeConversation'>): Handler {
  return async (argument) => {
    const title = l10n.t('Copy Link');
    const answer = await chooseHere(session, () =>
      chooseConversation(model, argument, { title, active: activeConversation() }),
    );
    if (!answer) return;
    const { client, chosen } = answer;
    const link = conversationLink(client.baseUrl, chosen.id);
    await vscode.env.clipboard.writeText(`${vscode.env.uriScheme}://${extensionId}/${link}`);
  };
}
