import * as l10n from '@vscode/l10n';
import type { Conversation } from '../api/service/schemas/conversation';
import { commandIds } from '../ids';
import { age } from '../shared/age';
import { plainText } from '../shared/plainText';
import { conversationLabel } from '../state/sandboxes/names';
import { hasPullRequestPage, pullRequestWords } from '../state/conversations/pullRequest';
import { conversationState, sandboxPhase, waitsForUser, type SandboxPhase } from '../state/lists/status';
import { conversationStateWords } from '../state/lists/stateWords';
import { cachedRow } from './cachedRow';
import { childrenAtMost, moreRows } from './moreRow';
import type { Row } from './row';
import { joined, tooltip } from './rowText';
import type { Branch } from './forest';
import { usageFacts } from './usage';

export interface ConversationRowState {
  /** Whether the sandbox with this id was paused, but not by this window. */
  pausedByService: (id: string) => boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** The row of a conversation and those below; `idPrefix` makes ids unique if a tree shows it more than once. */
export function conversationRow(branch: Branch, state: ConversationRowState, idPrefix = ''): Row {
  const { conversation } = branch;
  const when = age(conversation.updated_at ?? conversation.created_at, state.now);
  const pausedByService = state.pausedByService(conversation.sandbox_id ?? '');
  const waitsBelow = branch.waits && !waitsForUser(conversation);
  const key = JSON.stringify([when, pausedByService, waitsBelow]);
  const own = cachedRow(conversation, idPrefix, key, () => {
    const label = conversationLabel(conversation);
    const words = joined(
      waitsBelow ? l10n.t('Waiting below') : undefined,
      stateWords(conversation, pausedByService),
    );
    const pullRequest = pullRequestWords(conversation);
    const repository = plainText(conversation.selected_repository ?? '', 80);
    const branchName = plainText(conversation.selected_branch ?? '', 60);
    const description = joined(
      words,
      pullRequest,
      repository === label ? undefined : repository,
      branchName,
      when,
    );
    return {
      ref: { kind: 'conversation', id: conversation.id },
      id: `${idPrefix}conversation/${conversation.id}`,
      label,
      description,
      tooltip: tooltip(label, [
        [l10n.t('State'), words],
        [l10n.t('Pull request'), pullRequest],
        [l10n.t('Repository'), repository],
        [l10n.t('Branch'), branchName],
        [l10n.t('Model'), plainText(conversation.llm_model ?? '', 80)],
        ...usageFacts(conversation),
        [l10n.t('Last active'), when],
      ]),
      icon: stateIcon(conversation),
      contextValue: contextOf(conversation),
      accessibilityLabel: l10n.t('Conversation {0}, {1}', label, description),
      command: commandIds.conversationShow,
    };
  });
  if (branch.children.length === 0) return own;
  const hidden = branch.children.length - childrenAtMost;
  return {
    ...own,
    children: [
      ...branch.children.slice(0, childrenAtMost).map((child) => conversationRow(child, state, idPrefix)),
      ...moreRows(own.ref, `${own.id}/more`, hidden, l10n.t('filter to find them')),
    ],
    ...(waitsBelow && { expanded: true }),
  };
}

/** What the menus of the row depend on. */
function contextOf(conversation: Conversation): string {
  const agent = conversation.execution_status?.toLowerCase();
  return [
    'conversation',
    hasPullRequestPage(conversation) ? 'pullRequest' : '',
    agent === 'waiting_for_confirmation' ? 'waiting' : agent === 'running' ? 'running' : '',
  ]
    .filter(Boolean)
    .join('.');
}

/** The agent's state, or the sandbox's if no agent is running. */
function stateWords(conversation: Conversation, pausedByService: boolean): string | undefined {
  const state = conversationState(conversation);
  return state === 'sandbox:paused' && pausedByService
    ? l10n.t('Sandbox paused by the service')
    : conversationStateWords(state);
}

const quiet = 'descriptionForeground';
const failed = { name: 'error', color: 'list.errorForeground' };

const unknown = { name: 'comment-discussion', color: quiet };
const paused = { name: 'debug-pause', color: quiet };

/** Each state has its own shape, so that none is shown by color alone. */
const agentIcons: Readonly<Record<string, NonNullable<Row['icon']>>> = {
  idle: { name: 'circle-large-outline', color: quiet },
  running: { name: 'sync~spin' },
  waiting_for_confirmation: { name: 'bell-dot', color: 'list.warningForeground' },
  finished: { name: 'pass', color: 'testing.iconPassed' },
  error: failed,
  stuck: { name: 'warning', color: 'list.errorForeground' },
  paused,
};

/** Of a conversation without a running agent; a sandbox has most of them, too. */
export const sandboxIcons: Readonly<Record<SandboxPhase, NonNullable<Row['icon']>>> = {
  running: unknown,
  paused,
  starting: { name: 'loading~spin' },
  missing: { name: 'question', color: quiet },
  failed,
  other: unknown,
};

function stateIcon({ execution_status: agent, sandbox_status: status }: Conversation) {
  return agent ? (agentIcons[agent.toLowerCase()] ?? unknown) : sandboxIcons[sandboxPhase({ status })];
}
