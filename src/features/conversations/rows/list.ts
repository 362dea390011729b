import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { commandIds } from '../../../ids';
import { rowLabel } from '../../../shared/isolated';
import { plainText } from '../../../shared/plainText';
import type { Grouping, Order } from '../model/arrangement';
import { type ConversationFilter, passes } from '../../../core/lists/conversationFilter';
import { groupBy } from '../../../core/basics/groupBy';
import type { ListState } from '../../../core/lists/resourceList';
import type { Start } from '../../start';
import {
  isTail,
  type StateGroup,
  stateGroupIcons,
  stateGroupOf,
  stateGroups,
  stateGroupWords,
} from '../../../core/lists/stateGroups';
import type { StateIcon } from '../../../core/lists/stateIcons';
import { loadMoreRow } from '../../../core/rows/moreRow';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import { type Branch, forest, conversationRow } from '../../targets';
import { AttemptsBranch, attemptsRow, type AttemptsState, bundled } from './attemptsRow';
import { startRow } from './startRow';

export interface ConversationsState extends AttemptsState {
  list: ListState<Conversation>;
  /** Conversations that are starting or failed to start. */
  starts: readonly Start[];
  /** Ids of the conversations that these starts create. Until a start is done, its row represents both. */
  underWay?: ReadonlySet<string> | undefined;
  filter?: ConversationFilter | undefined;
  group: Grouping;
  order: Order;
  /** Whether archived ones are shown too. */
  showsArchived?: boolean;
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
  const all = forest(items);
  // One that waits is never hidden.
  const isHidden = (branch: Branch) => !branch.waits && isArchived(branch, state);
  const shown = state.showsArchived === true ? all : all.filter((branch) => !isHidden(branch));
  const { branches: bundles, starts: alone } = bundled(shown, starts, state.attemptOf);
  const pinned = new Set(bundles.filter((branch) => any(branch, (one) => state.isPinned?.(one) === true)));
  const isAbove = (branch: Branch) => (branch.waits ? 2 : 0) + (pinned.has(branch) ? 1 : 0);
  const branches = bundles.toSorted((a, b) => isAbove(b) - isAbove(a) || compare[order](a, b));
  const first = group === 'none' ? branches.filter(({ waits }) => waits) : [];
  for (const branch of first.slice(0, list.limit)) yield rowOf(branch, state);
  for (const start of alone) yield 'members' in start ? attemptsRow(start, state) : startRow(start, now);
  if (group !== 'none') yield* groupRows(branches, group, state);
  else for (const branch of branches.slice(first.length, list.limit)) yield rowOf(branch, state);
  if (branches.length === 0 && all.length > 0) yield archivedRow(all.length);
  if (branches.length > list.limit || list.nextPageId !== null) yield loadMoreRow('conversations');
}

const rowOf = (branch: Branch, state: ConversationsState, group?: StateGroup) =>
  branch instanceof AttemptsBranch
    ? attemptsRow(branch.bundle, state)
    : conversationRow(branch, state, { group });

/** Whether something holds for a conversation, or for any of the attempts that stand on one row. */
const any = (branch: Branch, holds: (conversation: Conversation) => boolean): boolean =>
  branch instanceof AttemptsBranch
    ? branch.bundle.members.some(({ conversation }) => holds(conversation))
    : holds(branch.conversation);
const isArchived = (branch: Branch, state: ConversationsState) =>
  !any(branch, (one) => state.isArchived?.(one) !== true);

/** In place of conversations that are all archived. */
function archivedRow(count: number): Row {
  return {
    ref: { kind: 'group', key: 'archived' },
    id: 'conversations/archived',
    label: l10n.t('Show Archived'),
    description: String(count),
    icon: { name: 'archive' },
    contextValue: 'more',
    command: commandIds.conversationShowArchived,
  };
}

/** The last matches in each list, so that a redraw doesn't filter and sort everything again. */
const lastMatches = new WeakMap<readonly Conversation[], { key: string; found: Conversation[] }>();

/** The conversations that match the filter. Returns the same list for a minute if nothing changes. */
function matching(of: readonly Conversation[], filter: ConversationFilter, now: number): Conversation[] {
  const key = JSON.stringify([filter, Math.floor(now / 60_000)]);
  const known = lastMatches.get(of);
  if (known?.key === key) return known.found;
  const found = of.filter((conversation) => passes(filter, conversation, now));
  lastMatches.set(of, { key, found });
  return found;
}

const newest = (a: Branch, b: Branch) => b.created - a.created;

const compare: Record<Order, (a: Branch, b: Branch) => number> = {
  created: newest,
  updated: (a, b) => b.updated - a.updated || newest(a, b),
  title: (a, b) => (a.title < b.title ? -1 : a.title > b.title ? 1 : newest(a, b)),
};

/** Each group counts all its members; their rows end at the same limit as the list’s. */
function* groupRows(branches: readonly Branch[], group: Group, state: ConversationsState): Generator<Row> {
  const { keyOf, ...look } = groupings[group];
  const { limit, nextPageId } = state.list;
  const shown = new Set(branches.slice(0, limit));
  const members = groupBy(branches, (branch) => keyOf(branch, state));
  const keys = look.order ? look.order.filter((key) => members.has(key)) : [...members.keys()];
  for (const key of keys) {
    const all = members.get(key) ?? [];
    const label = look.label(key, state.sandboxName);
    const said = group === 'state' ? (key as StateGroup) : undefined;
    const children = all.filter((branch) => shown.has(branch));
    if (children.length === 0) continue;
    const unread = all.filter((branch) => any(branch, (one) => state.isUnread?.(one) === true)).length;
    const count = countWords(all.length, nextPageId !== null);
    yield {
      ref: { kind: 'group', key },
      id: `group/${group}/${key}`,
      label: rowLabel(label),
      description: joined(
        nextPageId === null ? String(all.length) : `${all.length}+`,
        unread === 0 ? undefined : unreadWords(unread),
      ),
      tooltip: tooltip(label, [
        [undefined, count],
        [undefined, unread === 0 ? undefined : unreadWords(unread)],
      ]),
      icon: look.icon(key),
      contextValue: 'group',
      accessibilityLabel: [label, count, ...(unread === 0 ? [] : [unreadWords(unread)])].join(', '),
      expanded: said === undefined || !isTail(said),
      children: children.map((branch) => rowOf(branch, state, said)),
    };
  }
}

const unreadWords = (count: number) => l10n.t('{0} unread', count);

/** How many conversations there are, as a screen reader says it. */
export function countWords(count: number, isMore: boolean): string {
  if (isMore) return l10n.t('{0} or more conversations', count);
  return count === 1 ? l10n.t('1 conversation') : l10n.t('{0} conversations', count);
}

type Group = Exclude<Grouping, 'none'>;

interface GroupLook {
  keyOf: (branch: Branch, state: ConversationsState) => string;
  /** All keys in the order of the view; otherwise, groups are in the order of their first members. */
  order?: readonly string[];
  icon: (key: string) => StateIcon;
  label: (key: string, sandboxName: (id: string) => string) => string;
}

const groupings: Readonly<Record<Group, GroupLook>> = {
  sandbox: {
    icon: () => ({ name: 'vm' }),
    keyOf: ({ conversation }) => conversation.sandbox_id ?? '',
    label: (key, sandboxName) => (key === '' ? l10n.t('No sandbox') : sandboxName(key)),
  },
  repository: {
    icon: () => ({ name: 'repo' }),
    keyOf: ({ conversation }) => conversation.selected_repository ?? '',
    label: (key) => plainText(key, 80) || l10n.t('No repository'),
  },
  state: {
    icon: (key) => stateGroupIcons[key as StateGroup],
    // One that waits below is found where those are that wait.
    keyOf: (branch, state) =>
      branch.waits ? 'needsYou' : isArchived(branch, state) ? 'archived' : stateGroupOf(branch.conversation),
    order: stateGroups,
    label: (key) => stateGroupWords(key as StateGroup),
  },
};
