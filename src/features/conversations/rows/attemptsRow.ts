import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { rowLabel } from '../../../shared/isolated';
import { plainText } from '../../../shared/plainText';
import type { Attempt, Start } from '../../start';
import { stateGroupIcons, stateGroupOf, stateGroups } from '../../../core/lists/stateGroups';
import { conversationLabel } from '../../../core/lists/names';
import { conversationRow, type ConversationRowState, Branch, isPausedByService } from '../../targets';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import { startRow } from './startRow';

/** What shows attempts besides the state of their conversations. */
export interface AttemptsState extends ConversationRowState {
  /** What makes a conversation one of several attempts. */
  attemptOf?: ((conversation: Conversation) => Attempt | undefined) | undefined;
}

/** Several attempts at one message: those that have conversations, and those that are starting or couldn’t. */
export interface Bundle {
  readonly group: string;
  readonly members: readonly Branch[];
  readonly starts: readonly Start[];
}

/** Stands in the list for attempts, where the most urgent of them would. */
export class AttemptsBranch extends Branch {
  constructor(
    readonly bundle: Bundle,
    lead: Branch,
  ) {
    super(lead.conversation);
    this.waits = bundle.members.some(({ waits }) => waits);
  }
}

/** Puts the attempts at one message together. One that is alone stays as it is. */
export function bundled(
  branches: readonly Branch[],
  starts: readonly Start[],
  attemptOf: AttemptsState['attemptOf'],
): { branches: readonly Branch[]; starts: readonly (Start | Bundle)[] } {
  const bundles = new Map<string, { group: string; members: Branch[]; starts: Start[] }>();
  const bundleOf = (group: string) => {
    const known = bundles.get(group) ?? { group, members: [], starts: [] };
    bundles.set(group, known);
    return known;
  };
  const groups = new Map<Branch | Start, string>();
  for (const branch of branches) {
    const group = attemptOf?.(branch.conversation)?.group;
    if (group === undefined) continue;
    groups.set(branch, group);
    bundleOf(group).members.push(branch);
  }
  for (const start of starts) {
    if (!start.attempt) continue;
    groups.set(start, start.attempt.group);
    bundleOf(start.attempt.group).starts.push(start);
  }
  if (groups.size === 0) return { branches, starts };
  const taken = new Set<string>();
  /** The bundle in place of its first member, nothing in place of the others; undefined for what stands alone. */
  const inPlace = <T>(one: Branch | Start, make: (bundle: Bundle) => T): T[] | undefined => {
    const bundle = bundles.get(groups.get(one) ?? '');
    if (!bundle || bundle.members.length + bundle.starts.length < 2) return undefined;
    if (taken.has(bundle.group)) return [];
    taken.add(bundle.group);
    return [make(bundle)];
  };
  return {
    branches: branches.flatMap(
      (branch) =>
        inPlace(branch, (bundle) => new AttemptsBranch(bundle, mostUrgent(bundle.members, branch))) ?? branch,
    ),
    starts: starts.flatMap((start): (Start | Bundle)[] => inPlace(start, (bundle) => bundle) ?? [start]),
  };
}

function mostUrgent(members: readonly Branch[], first: Branch): Branch {
  const rank = ({ conversation, waits }: Branch) =>
    waits ? -1 : stateGroups.indexOf(stateGroupOf(conversation));
  return members.reduce((lead, one) => (rank(one) < rank(lead) ? one : lead), first);
}

/** The row of attempts, with theirs below. */
export function attemptsRow({ group, members, starts }: Bundle, state: AttemptsState): Row {
  const oldest = members.toSorted((a, b) => a.created - b.created);
  const rows = oldest.map((member) =>
    named(conversationRow(member, state), state.attemptOf?.(member.conversation)?.label),
  );
  const labels = [
    ...oldest.map(({ conversation }) => conversationLabel(conversation)),
    ...starts.map((start) => plainText(start.label, 120)),
  ];
  const label = labels.find(Boolean) ?? l10n.t('New conversation');
  const all = members.length + starts.length;
  const finished = members.filter(({ conversation }) => stateGroupOf(conversation) === 'finished').length;
  const waiting = members.filter(({ waits }) => waits).length;
  const failed = members.filter(({ conversation }) => stateGroupOf(conversation) === 'failed').length;
  const paused = members.filter((one) => !one.waits && isPausedByService(one.conversation, state)).length;
  const notStarted = starts.filter(({ failure, unknown }) => failure !== undefined && !unknown).length;
  const words = joined(
    l10n.t('{0} of {1} finished', finished, all),
    waiting === 0
      ? undefined
      : waiting === 1
        ? l10n.t('1 waiting for you')
        : l10n.t('{0} waiting for you', waiting),
    failed === 0 ? undefined : l10n.t('{0} failed', failed),
    paused === 0 ? undefined : l10n.t('{0} paused by the service', paused),
    notStarted === 0 ? undefined : l10n.t('{0} not started', notStarted),
  );
  return {
    ref: { kind: 'attempts', ids: oldest.map(({ conversation }) => conversation.id) },
    id: `attempts/${group}`,
    // First, because a narrow view cuts off what comes after the title.
    label: `${finished}/${all} ${rowLabel(label)}`,
    description: words,
    tooltip: tooltip(label, [[l10n.t('Attempts'), words]]),
    icon: waiting > 0 ? stateGroupIcons.needsYou : { name: 'layers' },
    contextValue: contextOf(rows),
    accessibilityLabel: l10n.t('Attempts at {0}, {1}', label, words),
    expanded: true,
    children: [...rows, ...starts.map((start) => named(startRow(start, state.now), start.attempt?.label))],
  };
}

/** What the menus of attempts depend on: what can be done to any of them. Those that only start have none. */
function contextOf(rows: readonly Row[]): string {
  if (rows.length === 0) return 'starts';
  const has = (word: string) => (row: Row) => row.contextValue.split('.').includes(word);
  return [
    'attempts',
    rows.length > 1 ? 'several' : '',
    ...['running', 'unread', 'pinned'].filter((word) => rows.some(has(word))),
    rows.every(has('archived')) ? 'archived' : '',
  ]
    .filter(Boolean)
    .join('.');
}

/** All attempts have the same title, so what one differs in stands first. */
function named(row: Row, difference: string | undefined): Row {
  const words = plainText(difference ?? '', 80);
  if (words === '') return row;
  return {
    ...row,
    label: rowLabel(words),
    ...(row.accessibilityLabel !== undefined && {
      accessibilityLabel: `${words}, ${row.accessibilityLabel}`,
    }),
  };
}
