import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../api/service/schemas/conversation';
import { askPick } from '../../platform/inputs';
import { plainText } from '../../shared/plainText';
import { conversationName } from '../../state/sandboxes/names';
import { refOf } from '../../state/lists/ref';
import type { ServiceModel } from '../../state/lists/serviceModel';
import { conversationStateWords } from '../../state/lists/stateWords';
import { conversationState } from '../../state/lists/status';

/** The row's conversation, or, from the palette, that in the active tab or one of those that fit. */
export async function chooseConversation(
  model: ServiceModel,
  argument: unknown,
  {
    title,
    fits = () => true,
    none = l10n.t('No conversations.'),
    active,
  }: {
    title: string;
    fits?: (conversation: Conversation) => boolean;
    none?: string;
    /** The id of the conversation in the active tab. */
    active?: string | undefined;
  },
): Promise<Conversation | undefined> {
  const ref = refOf(argument);
  if (ref?.kind === 'conversation') return model.conversation(ref.id);
  const shown = active === undefined ? undefined : model.conversation(active);
  if (shown) return shown;
  await model.refresh('conversations');
  const items = model.conversations.state.items.filter(fits).map((conversation) => ({
    conversation,
    label: conversationName(conversation),
    description: [
      conversationStateWords(conversationState(conversation)),
      plainText(conversation.selected_repository ?? '', 80),
    ]
      .filter(Boolean)
      .join(' · '),
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(none);
    return undefined;
  }
  const picked = await askPick({ title, placeholder: l10n.t('Select a conversation'), items });
  return typeof picked === 'object' ? picked.conversation : undefined;
}
