import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ConversationsElsewhere } from '../../../core/lists/elsewhere';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import type { SessionStore } from '../../../core/session/session';
import type { Handler } from '../../../editor/handler';
import { extensionId } from '../../../ids';
import { conversationLink } from '../../../shared/conversationLink';
import { chooseConversation, chooseHere, rowElsewhere } from '../../targets/editor';

/** Copy Link: leads to the conversation in the editor of anybody who uses the same service. */
export function copyLink(needs: {
  session: SessionStore;
  model: ServiceModel;
  others: ConversationsElsewhere;
  activeConversation: () => string | undefined;
}): Handler {
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
