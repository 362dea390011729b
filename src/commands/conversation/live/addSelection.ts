import * as l10n from '@vscode/l10n';
import type { ConversationDependencies, Handler } from '../../dependencies';
import { selectedCode } from '../selectedCode';
import { chooseLive, type LiveNeeds } from './choose';

/** Add Selection to Conversation…: attaches the selected code to the message in a conversation's composer. */
export function addSelection(
  needs: LiveNeeds & Pick<ConversationDependencies, 'attachToConversation'>,
): Handler {
  return async () => {
    const selected = selectedCode();
    if (!selected) return;
    const live = await chooseLive(needs, undefined, { title: l10n.t('Add Selection to Conversation') });
    if (live) await needs.attachToConversation(live.model.id, [selected.quote], live.service);
  };
}
