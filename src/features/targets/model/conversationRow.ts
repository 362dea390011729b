import * as l10n from '@vscode/l10n';
import { changedCounts } from '../../../shared/changedCounts';
import { joined } from '../../../shared/joined';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { commandIds } from '../../../ids';
import { age } from '../../../shared/age';
import { rowLabel } from '../../../shared/isolated';
import { plainText } from '../../../shared/plainText';
import { shortAge } from '../../../shared/shortAge';
import { conversationLabel } from '../../../core/lists/names';
import { hasPullRequestPage, pullRequestWords } from '../../../core/pullRequest';
import { isSaidBy, type StateGroup } from '../../../core/lists/stateGroups';
import { conversationState, waitsForUser } from '../../../core/lists/status';
import { conversationIcon, sandboxIcons, type StateIcon } from '../../../core/lists/stateIcons';
import { conversationStateWords } from '../../../core/lists/stateWords';
import { cachedRow } from '../../../core/rows/cachedRow';
import { childrenAtMost, moreRows } from '../../../core/rows/moreRow';
import type { Row } from '../../../core/rows/row';
import { tooltip } from '../../../core/rows/rowText';
import type { Branch } from './forest';
import type { WorkResult } from '../../../core/lists/telling';
import { costText, listedUsage } from '../../../core/lists/usage';

export interface ConversationRowState {
  /** Whether the sandbox with this id was paused, but not by this window. */
  pausedByService: (id: string) => boolean;
  /** Whether a conversation has changed since somebody looked. */
  isUnread?: (conversation: Conversation) => boolean;
  isPinned?: (conversation: Conversation) => boolean;
  isArchived?: (conversation: Conversation) => boolean;
  /** What came of an agent’s work, if that is known. */
  resultOf?: (conversation: Conversation) => WorkResult | undefined;
  /** Milliseconds since the epoch. */
  now: number;
}

/** Where the row of a conversation is. */
interface RowPlace {
  /** Makes ids unique if a tree shows a conversation more than once. */
  idPrefix?: string;
  /** The group whose name says the state already. */
  group?: StateGroup | undefined;
}

/** The row of a conversation and those below. */
export function conversationRow(branch: Branch, state: ConversationRowState, place: RowPlace = {}): Row {
  const { conversation } = branch;
  const { idPrefix = '', group } = place;
  const lastActive = conversation.updated_at ?? conversation.created_at;
  const when = age(lastActive, state.now);
  const badge = shortAge(lastActive, state.now);
  const pausedByService = isPausedByService(conversation, state);
  const waitsBelow = branch.waits && !waitsForUser(conversation);
  const isNew = state.isUnread?.(conversation) === true;
  const isPinned = state.isPinned?.(conversation) === true;
  const isArchived = state.isArchived?.(conversation) === true;
  const result = state.resultOf?.(conversation);
  const key = JSON.stringify([
    when,
    badge,
    pausedByService,
    waitsBelow,
    group,
    isNew,
    isPinned,
    isArchived,
    result,
  ]);
  const own = cachedRow(conversation, idPrefix, key, () => {
    const label = conversationLabel(conversation);
    const words = joined(
      waitsBelow ? l10n.t('Sub-agent waiting') : undefined,
      stateWords(conversation, pausedByService),
    );
    const isSaid = isSaidBy(group, conversation) && !pausedByService;
    const pullRequest = pullRequestWords(conversation);
    const repository = plainText(conversation.selected_repository ?? '', 80);
    const branchName = plainText(conversation.selected_branch ?? '', 60);
    const shelved = joined(
      isPinned ? l10n.t('Pinned') : undefined,
      isArchived && group !== 'archived' ? l10n.t('Archived') : undefined,
    );
    const isFinished = conversation.execution_status?.toLowerCase() === 'finished';
    const outcome = isFinished ? joined(linesOf(result), usedCost(conversation)) : undefined;
    const runtime = containers.get(conversation.container ?? '');
    const container = runtime?.words();
    const about = [
      shelved,
      container,
      outcome,
      pullRequest,
      repository === label ? undefined : repository,
      branchName,
    ];
    return {
      ref: { kind: 'conversation', id: conversation.id },
      id: `${idPrefix}conversation/${conversation.id}`,
      label: rowLabel(label),
      description: joined(isSaid ? undefined : words, ...about),
      ...(badge !== undefined && { badge }),
      ...(isNew && { isNew }),
      tooltip: tooltip(label, [
        [l10n.t('State'), words],
        [undefined, isNew ? l10n.t('Changed since you last looked') : undefined],
        [undefined, shelved],
        [undefined, container],
        [l10n.t('Changes'), linesOf(result)],
        [l10n.t('Last message'), plainText(result?.lastWords ?? '', 300)],
        [l10n.t('Pull request'), pullRequest],
        [l10n.t('Repository'), repository],
        [l10n.t('Branch'), branchName],
        [l10n.t('Model'), plainText(conversation.llm_model ?? '', 80)],
        ...usageFacts(conversation),
        [l10n.t('Last active'), when],
      ]),
      // In a narrow view, nothing else has room for it.
      icon: isSaid && runtime && group !== 'needsYou' ? runtime.icon : conversationIcon(conversation),
      contextValue: contextOf(conversation, { isNew, isPinned, isArchived }),
      accessibilityLabel: l10n.t(
        'Conversation {0}, {1}',
        label,
        joined(isNew ? l10n.t('Unread') : undefined, words, ...about, when),
      ),
      command: commandIds.conversationShow,
    };
  });
  if (branch.children.length === 0) return own;
  const hidden = branch.children.length - childrenAtMost;
  return {
    ...own,
    children: [
      ...branch.children.slice(0, childrenAtMost).map((child) => conversationRow(child, state, place)),
      ...moreRows(own.ref, `${own.id}/more`, hidden, l10n.t('filter to find them')),
    ],
    ...(waitsBelow && { expanded: true }),
  };
}

/** What a conversation’s own container does, where that isn’t just to run. */
const containers = new Map<string, { words: () => string; icon: StateIcon }>([
  ['paused', { words: () => l10n.t('Sandbox paused'), icon: sandboxIcons.paused }],
  ['starting', { words: () => l10n.t('Sandbox starting…'), icon: sandboxIcons.starting }],
  ['error', { words: () => l10n.t('Sandbox failed'), icon: sandboxIcons.failed }],
  ['archived', { words: () => l10n.t('Only its history is left'), icon: { name: 'history' } }],
]);

/** What the menus of the row depend on. */
function contextOf(
  conversation: Conversation,
  { isNew, isPinned, isArchived }: Record<'isNew' | 'isPinned' | 'isArchived', boolean>,
): string {
  const agent = conversation.execution_status?.toLowerCase();
  return [
    'conversation',
    hasPullRequestPage(conversation) ? 'pullRequest' : '',
    agent === 'waiting_for_confirmation' ? 'waiting' : agent === 'running' ? 'running' : '',
    agent === 'running' && conversation['isUninterruptible'] === true ? 'uninterruptible' : '',
    conversation.container === 'running' ? 'inContainer' : '',
    conversation.container === 'paused' ? 'inPausedContainer' : '',
    isNew ? 'unread' : '',
    isPinned ? 'pinned' : '',
    isArchived ? 'archived' : '',
  ]
    .filter(Boolean)
    .join('.');
}

/** The lines that an agent added and removed. */
const linesOf = (result: WorkResult | undefined) => result && changedCounts(result);

/** Whether an agent stands still because somebody else paused its sandbox. */
export const isPausedByService = (
  conversation: Conversation,
  { pausedByService }: Pick<ConversationRowState, 'pausedByService'>,
): boolean =>
  conversationState(conversation) === 'sandbox:paused' && pausedByService(conversation.sandbox_id ?? '');

/** The agent's state, or the sandbox's if no agent is running. */
const stateWords = (conversation: Conversation, pausedByService: boolean): string | undefined =>
  pausedByService
    ? l10n.t('Sandbox paused by the service')
    : conversationStateWords(conversationState(conversation));

const compact = new Intl.NumberFormat('en', { notation: 'compact', maximumFractionDigits: 1 });

/** What the agent has cost so far; undefined where the service doesn’t report it. */
function usedCost(record: Pick<Conversation, 'metrics'>): string | undefined {
  const { cost } = listedUsage(record);
  return cost === undefined ? undefined : costText(cost);
}

/** What the agent has used so far, as facts for a tooltip; undefined where the service doesn't report it. */
export function usageFacts(
  record: Pick<Conversation, 'metrics'>,
): [label: string, value: string | undefined][] {
  const { input, output } = listedUsage(record);
  return [
    [l10n.t('Cost'), usedCost(record)],
    [
      l10n.t('Tokens'),
      input === undefined || output === undefined
        ? undefined
        : l10n.t('{0} input, {1} output', compact.format(input), compact.format(output)),
    ],
  ];
}
