import * as l10n from '@vscode/l10n';
import type { Arrangement } from '../../state/arrangement';
import type { ServiceModel } from '../../state/serviceModel';
import { clientOf, type SessionStore } from '../../state/session';
import type { StartTasks } from '../../state/startTasks';
import { listMessage } from '../listMessage';
import type { ListViewContent } from '../listView';
import { filterWords } from './filterWords';
import { conversationRows } from './list';

/** What the view Conversations shows; its badge counts those that wait for the user. */
export function conversationsView(
  session: SessionStore,
  model: ServiceModel,
  arrangement: Arrangement,
  starts: StartTasks,
): ListViewContent {
  return {
    list: 'conversations',
    model,
    onDidChange: (listener) => {
      const both = [arrangement.onDidChange(listener), starts.onDidChange(listener)];
      return { dispose: () => both.forEach((subscription) => subscription.dispose()) };
    },
    rows: () =>
      conversationRows({
        list: model.filteredConversations,
        starts: starts.of(clientOf(session.current)?.baseUrl),
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
