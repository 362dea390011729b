import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { plainText } from '../../../shared/plainText';
import type { ConversationModel } from '../../../state/transcript/model';
import type { CommandDependencies, ConversationDependencies } from '../../dependencies';
import { chooseConversation, namedConversation } from '../chooseConversation';
import { chooseHere } from '../chooseHere';

export type LiveNeeds = Pick<CommandDependencies, 'session' | 'model'> &
  Pick<ConversationDependencies, 'conversations' | 'activeConversation'>;

/** A conversation that a command is about. */
export interface Live {
  model: ConversationModel;
  /** The repository that it’s about, if the list of conversations names it. */
  repository: string | null | undefined;
}

/**
 * The model of the row's conversation, of that in the active tab, or of one that the user selects; undefined if the
 * service has no transcripts. A named conversation may not be in the list: it can come from a link.
 */
export async function chooseLive(
  { session, model, conversations, activeConversation }: LiveNeeds,
  argument: unknown,
  options: Parameters<typeof chooseConversation>[2],
): Promise<Live | undefined> {
  const choose = () => chooseConversation(model, argument, options);
  const id =
    namedConversation(argument, activeConversation()) ?? (await chooseHere(session, choose))?.chosen.id;
  if (id === undefined) return undefined;
  const live = conversations.model(id);
  if (live) return { model: live, repository: model.conversation(id)?.selected_repository };
  void vscode.window.showInformationMessage(
    l10n.t('Conversations of this service can only be continued in the browser.'),
  );
  return undefined;
}

export function titleOf({ head }: ConversationModel): string {
  return plainText(head.title, 80) || l10n.t('Conversation');
}
