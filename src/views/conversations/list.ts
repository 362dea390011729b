import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/service/schemas/conversation';
import { plainText } from '../../shared/plainText';
import type { Grouping, Order } from '../../state/conversations/arrangement';
import { type ConversationFilter, passes } from '../../state/conversations/conversationFilter';
import { groupBy } from '../../state/basics/groupBy';
import type { ListState } from '../../state/lists/resourceList';
import type { Start } from '../../state/conversations/startTasks';
import { conversationState } from '../../state/lists/status';
import { conversationStateWords } from '../../state/lists/stateWords';
import { loadMoreRow } from '../moreRow';
import type { Row } from '../row';
import { tooltip } from '../rowText';
import { type Branch, forest } from '../forest';
import { conversationRow, type ConversationRowState } from '../conversationRow';
import { startRow } from './startRow';

export interface ConversationsState extends ConversationRowState {
  list: ListState<Conversation>;
  /** Conversations that are starting or failed to start. */
  starts: readonly Start[];
  /** Ids of the conversations that these starts create. Until a start is done, its row represents both. */
  underWay?: ReadonlySet<string> | undefined;
  filter?: ConversationFilter | undefined;
  group: Grouping;
  order: Order;
  /** The name of the sandbox with this id. */
  sandboxName: (id: string) => string;
}

/**
 * The rows of Conversations: those waiting for the user, then the starts, then the others. With groups: the starts, then
 * each conversation in its group.
 */
export function* conversationRows(state: ConversationsState): Generator<Row> {
  const { list, starts, underWay, filter, group, order, now } = state;
  const matches = filter ? matching(list.items, filter, now) : list.items;
  const items = underWay?.size ? matches.filter(({ id }) => !underWay.has(id)) : matches;
  const branches = forest(items).toSorted(
    (a, b) => Number(b.waits) - Number(a.waits) || compare[order](a, b),
  );
  const shown = branches.slice(0, list.limit);
  const first = group === 'none' ? shown.filter(({ waits }) => waits) : [];
  const others = shown.slice(first.length);
  for (const branch of first) yield conversationRow(branch, state);
  for (const start of starts) yield startRow(start, now);
  if (group === 'none') for (const branch of others) yield conversationRow(branch, state);
  else yield* groupRows(others, group, state);
  if (branches.length > list.limit || list.nextPageId !== null) yield loadMoreRow('conversations');
}

/** The last matches, so that a redraw doesn't filter and sort everything again. */
let lastMatch: { of: readonly Conversation[]; key: string; found: Conversation[] } | undefined;

/** The conversations that match the filter. Returns the same list for a minute if nothing changes. */
function matching(of: readonly Conversation[], filter: ConversationFilter, now: number): Conversation[] {
  const key = JSON.stringify([filter, Math.floor(now / 60_000)]);
  if (lastMatch?.of !== of || lastMatch.key !== key) {
    lastMatch = { of, key, found: of.filter((conversation) => passes(filter, conversation, now)) };
  }
  return lastMatch.found;
}

const newest = (a: Branch, b: Branch) => b.created - a.created;

const compare: Record<Order, (a: Branch, b: Branch) => number> = {
  created: newest,
  updated: (a, b) => b.updated - a.updated || newest(a, b),
  title: (a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : newest(a, b)),
};

function* groupRows(branches: readonly Branch[], group: Group, state: ConversationsState): Generator<Row> {
  const { icon, keyOf, label: labelOf } = groupings[group];
  for (const [key, members] of groupBy(branches, ({ conversation }) => keyOf(conversation))) {
    const label = labelOf(key, state.sandboxName);
    const count =
      members.length === 1 ? l10n.t('1 conversation') : l10n.t('{0} conversations', members.length);
    yield {
      ref: { kind: 'group', key },
      id: `group/${group}/${key}`,
      label,
      description: String(members.length),
      tooltip: tooltip(label, [[undefined, count]]),
      icon: { name: icon },
      contextValue: 'group',
      accessibilityLabel: `${label}, ${count}`,
      expanded: true,
      children: members.map((branch) => conversationRow(branch, state)),
    };
  }
}

type Group = Exclude<Grouping, 'none'>;

const groupings: Readonly<
  Record<
    Group,
    {
      icon: string;
      keyOf: (conversation: Conversation) => string;
      label: (key: string, sandboxName: (id: string) => string) => string;
    }
  >
> = {
  sandbox: {
    icon: 'vm',
    keyOf: ({ sandbox_id }) => sandbox_id ?? '',
    label: (key, sandboxName) => (key === '' ? l10n.t('No sandbox') : sandboxName(key)),
  },
  repository: {
    icon: 'repo',
    keyOf: ({ selected_repository }) => selected_repository ?? '',
    label: (key) => plainText(key, 80) || l10n.t('No repository'),
  },
  state: {
    icon: 'pulse',
    keyOf: conversationState,
    label: (key) => conversationStateWords(key) ?? l10n.t('State unknown'),
  },
};
