import * as l10n from '@vscode/l10n';
import type { Handler } from '../../../editor/handler';
import type { QuotedSelection } from '../../../shared/selection';
import { selectedCode } from '../../targets/editor';
import { chooseLive, type LiveNeeds } from './choose';

/** Add Selection to Conversation…: attaches the selected code to the message in a conversation's composer. */
export function addSelection(
  needs: LiveNeeds & {
    attachToConversation: (id: string, quotes: readonly QuotedSelection[], service?: string) => Promise<void>;
  },
): Handler {
  return async () => {
    const selected = selectedCode();
    if (!selected) return;
    const live = await chooseLive(needs, undefined, { title: l10n.t('Add Selection to Conversation') });
    if (live) await needs.attachToConversation(live.model.id, [selected.quote], live.service);
  };
}
