import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { refOf } from '../../../state/lists/ref';
import type { ConversationModel } from '../../../state/transcript/model';
import type { CommandDependencies, ConversationDependencies } from '../../dependencies';
import { chooseConversation } from '../chooseConversation';
import { chooseHere } from '../chooseHere';

export type LiveNeeds = Pick<CommandDependencies, 'session' | 'model'> &
  Pick<ConversationDependencies, 'conversations' | 'activeConversation'>;

export interface LiveConversation {
  client: ApiClient;
  conversation: Conversation;
  model: ConversationModel;
}

/** The row's conversation, that of the active tab, or one that the user selects, with its model; undefined if the service has no transcripts. */
export async function chooseLive(
  { session, model, conversations, activeConversation }: LiveNeeds,
  argument: unknown,
  options: Parameters<typeof chooseConversation>[2],
): Promise<LiveConversation | undefined> {
  // Menus of a tab or of Source Control give arguments of their own.
  const id = refOf(argument) ? undefined : activeConversation();
  const chosen = id === undefined ? argument : { ref: { kind: 'conversation', id } };
  const answer = await chooseHere(session, () => chooseConversation(model, chosen, options));
  if (!answer) return undefined;
  const { client, chosen: conversation } = answer;
  const live = conversations.model(conversation.id);
  if (live) return { client, conversation, model: live };
  void vscode.window.showInformationMessage(
    l10n.t('Conversations of this service can only be continued in the browser.'),
  );
  return undefined;
}
