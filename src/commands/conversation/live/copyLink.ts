import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { extensionId } from '../../../ids';
import { conversationLink } from '../../../shared/conversationLink';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseConversation } from '../chooseConversation';
import { chooseHere } from '../chooseHere';
import { rowElsewhere } from '../selected';

/** Copy Link: leads to the conversation in the editor of anybody who uses the same service. */
export function copyLink(
  needs: Pick<CommandDependencies, 'session' | 'model' | 'others' | 'activeConversation'>,
): Handler {
  const { session, model, activeConversation } = needs;
  return async (argument) => {
    const title = l10n.t('Copy Link');
    const choose = () => chooseConversation(model, argument, { title, active: activeConversation() });
    const answer = rowElsewhere(needs, argument) ?? (await chooseHere(session, choose));
    if (!answer) return;
    const { client, chosen } = answer;
    const link = conversationLink(client.baseUrl, chosen.id);
    await vscode.env.clipboard.writeText(`${vscode.env.uriScheme}://${extensionId}/${link}`);
  };
}
