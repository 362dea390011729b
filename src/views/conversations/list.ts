import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/schemas/conversation';
import { plainText } from '../../shared/plainText';
import type { Grouping, Order } from '../../state/arrangement';
import { type ConversationFilter, passes } from '../../state/conversationFilter';
import { groupBy } from '../../state/groupBy';
import type { ListState } from '../../state/resourceList';
import type { Start } from '../../state/startTasks';
import { conversationState } from '../../state/status';
import { conversationStateWords } from '../../state/stateWords';
import { loadMoreRow } from '../loadMore';
import type { Row } from '../row';
import { shortId } from '../words';
import { type Branch, forest } from './forest';
import { conversationRow, type ConversationRowState } from './rows';
import { startRow } from './startRow';

export interface ConversationsState extends ConversationRowState {
  list: ListState<Conversation>;
  /** Conversations that are being started, or could not be. */
  starts: readonly Start[];
  filter?: ConversationFilter | undefined;
  group: Grouping;
  order: Order;
}

/**
 * The rows of the view Conversations: those that wait for the user first, then the starts; each under its group if
 * there are groups, below the starts then.
 */
export function* conversationRows(state: ConversationsState): Generator<Row> {
  const { list, starts, filter, group, order, now } = state;
  const branches = forest(
    filter ? list.items.filter((conversation) => passes(filter, conversation, now)) : list.items,
  ).toSorted((a, b) => Number(b.waits) - Number(a.waits) || compare[order](a, b));
  const shown = branches.slice(0, list.limit);
  const first = group === 'none' ? shown.filter(({ waits }) => waits) : [];
  const others = shown.slice(first.length);
  for (const branch of first) yield conversationRow(branch, state);
  for (const start of starts) yield startRow(start);
  if (group === 'none') for (const branch of others) yield conversationRow(branch, state);
  else yield* groupRows(others, group, state);
  if (branches.length > list.limit || list.nextPageId !== null) yield loadMoreRow('conversations');
}

const newest = (a: Branch, b: Branch) => b.created - a.created;

const compare: Record<Order, (a: Branch, b: Branch) => number> = {
  created: newest,
  updated: (a, b) => b.updated - a.updated || newest(a, b),
  title: (a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : newest(a, b)),
};

function* groupRows(
  branches: readonly Branch[],
  group: Exclude<Grouping, 'none'>,
  state: ConversationRowState,
): Generator<Row> {
  const groups = groupBy(branches, ({ conversation }) => groupOf(conversation, group));
  for (const [key, members] of groups) {
    const label = groupLabel(key, group);
    const count =
      members.length === 1 ? l10n.t('1 conversation') : l10n.t('{0} conversations', members.length);
    yield {
      ref: { kind: 'group', key },
      id: `group/${group}/${key}`,
      label,
      description: String(members.length),
      tooltip: `${group === 'sandbox' ? plainText(key, 200) || label : label}\n${count}`,
      icon: { name: groupIcons[group] },
      contextValue: 'group',
      accessibilityLabel: `${label}, ${count}`,
      expanded: true,
      children: members.map((branch) => conversationRow(branch, state)),
    };
  }
}

const groupIcons = { sandbox: 'vm', repository: 'repo', state: 'pulse' };

function groupOf(conversation: Conversation, group: Exclude<Grouping, 'none'>): string {
  switch (group) {
    case 'sandbox':
      return conversation.sandbox_id ?? '';
    case 'repository':
      return conversation.selected_repository ?? '';
    case 'state':
      return conversationState(conversation);
  }
}

function groupLabel(key: string, group: Exclude<Grouping, 'none'>): string {
  switch (group) {
    case 'sandbox':
      return shortId(key) || l10n.t('No sandbox');
    case 'repository':
      return plainText(key, 80) || l10n.t('No repository');
    case 'state':
      return conversationStateWords(key) ?? l10n.t('State unknown');
  }
}
