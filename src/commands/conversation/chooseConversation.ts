import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { Conversation } from '../../api/schemas/conversation';
import { askPick } from '../../platform/inputs';
import { plainText } from '../../shared/plainText';
import { refOf } from '../../state/ref';
import type { ServiceModel } from '../../state/serviceModel';

/** The conversation of the row, or, from the palette, one that the user picks. */
export async function chooseConversation(
  model: ServiceModel,
  argument: unknown,
  title: string,
): Promise<Conversation | undefined> {
  const ref = refOf(argument);
  if (ref?.kind === 'conversation') return model.conversation(ref.id);
  await model.refresh('conversations');
  const items = model.conversations.state.items.map((conversation) => ({
    conversation,
    label: plainText(conversation.title ?? '', 120) || plainText(conversation.id, 24),
    description: plainText(conversation.selected_repository ?? '', 80),
  }));
  if (items.length === 0) {
    void vscode.window.showInformationMessage(l10n.t('There is no conversation.'));
    return undefined;
  }
  const picked = await askPick({ title, placeholder: l10n.t('Choose a conversation'), items });
  return typeof picked === 'object' ? picked.conversation : undefined;
}
