import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/service/schemas/conversation';
import { askPick } from '../../platform/inputs';
import { plainText } from '../../shared/plainText';
import { conversationName } from '../../state/sandboxes/names';
import { refOf } from '../../state/lists/ref';
import type { ServiceModel } from '../../state/lists/serviceModel';
import { conversationStateWords } from '../../state/lists/stateWords';
import { conversationState } from '../../state/lists/status';
import { tellNone } from '../tellNone';

/**
 * The id of the conversation that a command is about without asking: the row's, or else that in the active tab. Menus of a
 * tab or of Source Control give arguments of their own.
 */
export function namedConversation(argument: unknown, active: string | undefined): string | undefined {
  const ref = refOf(argument);
  return ref?.kind === 'conversation' ? ref.id : active;
}

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
  const named = namedConversation(argument, active);
  const known = named === undefined ? undefined : model.conversation(named);
  // A row's conversation is never replaced by another one.
  if (known || (named !== undefined && named !== active)) return known;
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
    await tellNone(model, 'conversations', none);
    return undefined;
  }
  const picked = await askPick({ title, placeholder: l10n.t('Select a conversation'), items });
  return typeof picked === 'object' ? picked.conversation : undefined;
}
