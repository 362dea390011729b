import { type Arrangement, groupings, orders } from '../../state/conversations/arrangement';
import { groupWords, orderWords } from '../../state/conversations/arrangementWords';
import { sandboxNameOf } from '../../state/sandboxes/names';
import type { ServiceModel } from '../../state/lists/serviceModel';
import { clientOf, type SessionStore } from '../../state/session/session';
import type { OtherConnections } from '../../state/attention/otherConnections';
import type { ReadMarks } from '../../state/attention/readMarks';
import type { Attempts } from '../../state/conversations/attempts';
import type { Shelf } from '../../state/conversations/shelf';
import type { StartTasks } from '../../state/conversations/startTasks';
import type { ListViewContent } from '../listView';
import { waitingCount, waitingWords } from '../statusBarContent';
import { listMessage } from '../trouble';
import { joined } from '../rowText';
import { filterWords } from './filterWords';
import { conversationRows } from './list';

export interface ConversationsViewNeeds {
  session: SessionStore;
  model: ServiceModel;
  arrangement: Arrangement;
  starts: StartTasks;
  marks: ReadMarks;
  shelf: Shelf;
  attempts: Attempts;
  others: Pick<OtherConnections, 'waiting' | 'onDidChange'>;
}

/** The content of the Conversations view. Its badge counts the conversations waiting for the user on all connections. */
export function conversationsView({
  session,
  model,
  arrangement,
  starts,
  marks,
  shelf,
  attempts,
  others,
}: ConversationsViewNeeds): ListViewContent {
  const service = () => clientOf(session.current)?.baseUrl;
  const here = () => service() ?? '';
  return {
    list: 'conversations',
    model,
    events: [
      arrangement.onDidChange,
      starts.onDidChange,
      marks.onDidChange,
      shelf.onDidChange,
      attempts.onDidChange,
      others.onDidChange,
    ],
    rows: () =>
      conversationRows({
        list: model.filteredConversations,
        starts: starts.of(service()),
        underWay: starts.underWay(service(), model.conversations.state.items),
        filter: model.filter,
        group: arrangement.group,
        order: arrangement.order,
        showsArchived: arrangement.showsArchived,
        isUnread: (one) => marks.isUnread(here(), one),
        isPinned: (one) => shelf.has(here(), 'pinned', one),
        isArchived: (one) => shelf.has(here(), 'archived', one),
        attemptOf: (one) => attempts.of(here(), one),
        resultOf: (one) => model.resultOf(one),
        sandboxName: (id) => sandboxNameOf(id, model),
        pausedByService: (id) => model.pausedByService(id),
        now: Date.now(),
      }),
    message: () => listMessage(session.current, model, 'conversations', Date.now()),
    description: () =>
      joined(
        model.filter && filterWords(model.filter),
        ['none', groupings[0]].includes(arrangement.group) ? undefined : groupWords(arrangement.group),
        arrangement.order === orders[0] ? undefined : orderWords(arrangement.order),
      ) || undefined,
    badge: () => {
      // No number is better than a wrong one. The status bar says why there is none.
      const isKnown = model.isFollowed && !model.outOfDate('conversations', 'numbers');
      const own = isKnown ? model.waitingConversations.length : 0;
      const value = own + waitingCount(others.waiting);
      return value === 0 ? undefined : { value, tooltip: waitingWords(value) };
    },
  };
}
