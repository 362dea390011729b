import * as l10n from '@vscode/l10n';
import type { ServiceModel } from '../../state/serviceModel';
import type { SessionStore } from '../../state/session';
import { listMessage } from '../listMessage';
import type { ListViewContent } from '../listView';
import { conversationRows } from './rows';

/** What the view Conversations shows; its badge counts those that wait for the user. */
export function conversationsView(session: SessionStore, model: ServiceModel): ListViewContent {
  return {
    list: 'conversations',
    model,
    rows: () => conversationRows(model.conversations.state, Date.now()),
    message: () => listMessage(session.current, model.conversations.state),
    badge: () => {
      const value = model.waitingConversations;
      if (value === 0) return undefined;
      const tooltip =
        value === 1 ? l10n.t('1 agent waits for you') : l10n.t('{0} agents wait for you', value);
      return { value, tooltip };
    },
  };
}
