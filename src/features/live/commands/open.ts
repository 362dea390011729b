import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Handler } from '../../../editor/handler';
import { openAddress } from '../../../editor/openAddress';
import {
  tellSwitched,
  chooseConversation,
  namedConversation,
  chooseHere,
  rowElsewhere,
  type RowNeeds,
} from '../../targets/editor';

/** Open Conversation in Browser: the service's page for people. */
export function open(needs: RowNeeds): Handler {
  const { session, model, activeConversation } = needs;
  return async (argument) => {
    const title = l10n.t('Open Conversation in Browser');
    // A conversation from a link may not be in the list.
    const active = activeConversation();
    const named = namedConversation(argument, active === undefined ? undefined : { id: active });
    const choose = async () => named ?? chooseConversation(model, argument, { title });
    const elsewhere = rowElsewhere(needs, argument);
    const answer = elsewhere ?? (await chooseHere(session, choose));
    if (!answer) return;
    if (named?.service !== undefined && named.service !== answer.client.baseUrl) {
      tellSwitched();
      return;
    }
    const { conversationPageUrl: pageOf } = answer.client;
    if (!pageOf) {
      void vscode.window.showInformationMessage(l10n.t('A standalone agent server has no page for this.'));
      return;
    }
    await openAddress(new URL(pageOf(answer.chosen.id)));
  };
}
