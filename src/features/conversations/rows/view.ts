import { type Arrangement, groupings, orders } from '../model/arrangement';
import { joined } from '../../../shared/joined';
import { groupWords, orderWords } from '../model/arrangementWords';
import { sandboxName, sandboxNameOf } from '../../../core/lists/names';
import type { ServiceModel } from '../../../core/lists/serviceModel';
import { clientOf, type SessionStore } from '../../../core/session/session';
import type { Connection } from '../../../shared/connection';
import type { OtherConnections, ReadMarks } from '../../attention';
import type { Attempts, StartTasks } from '../../start';
import type { Shelf } from '../model/shelf';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { ListState } from '../../../core/lists/resourceList';
import type { ListViewContent } from '../../../editor/rows/listView';
import type { Row } from '../../../core/rows/row';
import { connectionRow } from './connections';
import { waitingCount, waitingWords } from '../../attention/editor';
import { listMessage } from '../../../core/rows/trouble';
import { conversationRows } from './list';
import * as l10n from '@vscode/l10n';
import { plainText } from '../../../shared/plainText';
import type { ConversationFilter } from '../../../core/lists/conversationFilter';
import { conversationStateWords } from '../../../core/lists/stateWords';

export interface ConversationsViewNeeds {
  session: SessionStore;
  model: ServiceModel;
  arrangement: Arrangement;
  starts: StartTasks;
  marks: ReadMarks;
  shelf: Shelf;
  attempts: Attempts;
  others: Pick<OtherConnections, 'waiting' | 'shown' | 'setVisible' | 'onDidChange'>;
  /** All connections, in the order of the settings. */
  connections: () => readonly Connection[];
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
  connections,
}: ConversationsViewNeeds): ListViewContent {
  const service = () => clientOf(session.current)?.baseUrl;
  const here = () => service() ?? '';
  /** What the rows of a service are made with. */
  const looks = (of: string) => ({
    filter: model.filter,
    group: arrangement.group,
    order: arrangement.order,
    showsArchived: arrangement.showsArchived,
    isUnread: (one: Conversation) => marks.isUnread(of, one),
    isPinned: (one: Conversation) => shelf.has(of, 'pinned', one),
    isArchived: (one: Conversation) => shelf.has(of, 'archived', one),
    now: Date.now(),
  });
  const rowsHere = () =>
    conversationRows({
      ...looks(here()),
      list: model.filteredConversations,
      starts: starts.of(service()),
      underWay: starts.underWay(service(), model.conversations.state.items),
      attemptOf: (one) => attempts.of(here(), one),
      resultOf: (one) => model.resultOf(one),
      sandboxName: (id) => sandboxNameOf(id, model),
      pausedByService: (id) => model.pausedByService(id),
    });
  const rowsThere = ({ baseUrl }: Connection, list: ListState<Conversation>) =>
    conversationRows({
      ...looks(baseUrl),
      list,
      // The window starts conversations only on its own connection.
      starts: [],
      attemptOf: (one) => attempts.of(baseUrl, one),
      sandboxName: (id) => sandboxName({ id }, list.items),
      pausedByService: () => false,
    });
  const own = () => ('connection' in session.current ? session.current.connection.baseUrl : undefined);
  /** The lists of other connections, where each connection has a row. */
  const grouped = () => (connections().length > 1 ? others.shown : undefined);
  function* groups(shown: NonNullable<OtherConnections['shown']>): Generator<Row> {
    for (const connection of connections()) {
      const isHere = connection.baseUrl === own();
      if (isHere && service() !== undefined) {
        const error = model.outOfDate('conversations')?.error;
        const list = { ...model.filteredConversations, error };
        yield connectionRow({ connection, list, rows: rowsHere(), isHere });
        continue;
      }
      const list = shown.find((one) => one.connection.baseUrl === connection.baseUrl)?.list;
      yield connectionRow({ connection, list, rows: list ? rowsThere(connection, list) : [], isHere });
    }
  }
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
    rows: () => {
      const shown = grouped();
      return shown ? groups(shown) : rowsHere();
    },
    // The rows of connections say it, each for itself.
    isDimmed: () => !grouped() && model.outOfDate('conversations') !== undefined,
    setVisible: (visible) => others.setVisible(visible),
    message: () => (grouped() ? undefined : listMessage(session.current, model, 'conversations', Date.now())),
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

/** The filter in a few words, for the description beside the view's title. */
function filterWords(filter: ConversationFilter): string {
  const { title, repository, state, createdWithinDays: created, updatedWithinDays: updated } = filter;
  return joined(
    title === undefined ? undefined : l10n.t('“{0}”', plainText(title, 40)),
    repository === undefined ? undefined : plainText(repository, 60),
    state === undefined ? undefined : (conversationStateWords(state) ?? l10n.t('State unknown')),
    created === undefined ? undefined : createdWords(created),
    updated === undefined ? undefined : activeWords(updated),
  );
}

const createdWords = (days: number) =>
  days === 1 ? l10n.t('created in the last day') : l10n.t('created in the last {0} days', days);
const activeWords = (days: number) =>
  days === 1 ? l10n.t('active in the last day') : l10n.t('active in the last {0} days', days);
