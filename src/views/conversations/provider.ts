import * as l10n from '@vscode/l10n';
import type { Arrangement } from '../../state/arrangement';
import type { ServiceModel } from '../../state/serviceModel';
import type { SessionStore } from '../../state/session';
import { listMessage } from '../listMessage';
import type { ListViewContent } from '../listView';
import { filterWords } from './filterWords';
import { conversationRows } from './list';

/** What the view Conversations shows; its badge counts those that wait for the user. */
export function conversationsView(
  session: SessionStore,
  model: ServiceModel,
  arrangement: Arrangement,
): ListViewContent {
  return {
    list: 'conversations',
    model,
    onDidChange: arrangement.onDidChange,
    rows: () =>
      conversationRows({
        list: model.filteredConversations,
        filter: model.filter,
        group: arrangement.group,
        order: arrangement.order,
        pausedByService: (id) => model.pausedByService(id),
        now: Date.now(),
      }),
    message: () => listMessage(session.current, model.filteredConversations),
    description: () => model.filter && filterWords(model.filter),
    reveal: (id) => model.conversations.show(id),
    badge: () => {
      const value = model.waitingConversations;
      if (value === 0) return undefined;
      const tooltip =
        value === 1 ? l10n.t('1 agent waits for you') : l10n.t('{0} agents wait for you', value);
      return { value, tooltip };
    },
  };
}
