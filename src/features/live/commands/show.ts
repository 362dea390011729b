import * as l10n from '@vscode/l10n';
import { refOf } from '../../../core/lists/ref';
import type { Handler } from '../../../editor/handler';
import { startTabId } from '../../../shared/startTab';
import { changesInEditor, chooseConversation, namedConversation, chooseHere } from '../../targets/editor';
import { chooseLive, type LiveNeeds } from './choose';
import { open } from './open';

type Needs = LiveNeeds & {
  showConversation: (id: string, on?: 'composer' | 'pending', service?: string) => Promise<void>;
  activeConversation: () => string | undefined;
};

/** Open Conversation: in the editor, or in the browser if the service has no transcripts. */
export function showConversation(needs: Needs): Handler {
  return async (argument) => {
    const ref = refOf(argument);
    if (ref?.kind === 'start') {
      await needs.showConversation(startTabId(ref.id));
      return;
    }
    const title = l10n.t('Open Conversation');
    // A conversation from a link may not be in the list.
    const choose = () => chooseConversation(needs.model, argument, { title });
    const named = namedConversation(argument, changesInEditor());
    const id = named?.id ?? (await chooseHere(needs.session, choose))?.chosen.id;
    if (id === undefined) return;
    // A tab says why a service can’t be reached.
    const isElsewhere = named?.service !== undefined && named.service !== needs.conversations.service;
    if (isElsewhere || needs.conversations.model(id))
      await needs.showConversation(id, undefined, named?.service);
    else await open(needs)({ ref: { kind: 'conversation', id } });
  };
}

/** Send Message…: to the composer of a conversation. */
export function message(needs: Needs): Handler {
  return async (argument) => {
    const live = await chooseLive(needs, argument, { title: l10n.t('Send Message') });
    if (live) await needs.showConversation(live.model.id, 'composer', live.service);
  };
}

/** Review Actions…, Approve Actions…, and Reject Actions…: to the card that shows all of what the agent asks for. */
export function answer(needs: Needs, title: () => string): Handler {
  return async (argument) => {
    const live = await chooseLive(needs, argument, {
      title: title(),
      fits: ({ execution_status: state }) => state?.toLowerCase() === 'waiting_for_confirmation',
      none: l10n.t('No agent is waiting for you.'),
    });
    if (live) await needs.showConversation(live.model.id, 'pending', live.service);
  };
}
