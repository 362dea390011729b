import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/schemas/conversation';
import { age } from '../../shared/age';
import { plainText } from '../../shared/plainText';
import { conversationState, waitsForUser } from '../../state/status';
import { conversationStateWords } from '../../state/stateWords';
import { cachedRow } from '../cachedRow';
import type { Row } from '../row';
import { joined, lines } from '../words';
import type { Branch } from './forest';
import { usageWords } from './usage';

export interface ConversationRowState {
  /** Whether the sandbox with this id was paused without this window having asked. */
  pausedByService: (id: string) => boolean;
  /** Milliseconds since the epoch. */
  now: number;
}

/** One conversation and those within it; `idPrefix` tells its places apart where it stands in a tree more than once. */
export function conversationRow(branch: Branch, state: ConversationRowState, idPrefix = ''): Row {
  const { conversation } = branch;
  const when = age(conversation.updated_at ?? conversation.created_at, state.now);
  const pausedByService = state.pausedByService(conversation.sandbox_id ?? '');
  const waitsBelow = branch.waits && !waitsForUser(conversation);
  const key = JSON.stringify([when, pausedByService, waitsBelow]);
  const own = cachedRow(conversation, idPrefix, key, () => {
    const label = plainText(conversation.title ?? '', 120) || plainText(conversation.id, 24);
    const words = lines(
      waitsBelow ? l10n.t('A conversation within waits for you') : undefined,
      stateWords(conversation, pausedByService),
    );
    const place = joined(
      plainText(conversation.selected_repository ?? '', 80),
      plainText(conversation.selected_branch ?? '', 60),
    );
    const description = joined(...words, place, when);
    return {
      ref: { kind: 'conversation', id: conversation.id },
      id: `${idPrefix}conversation/${conversation.id}`,
      label,
      description,
      tooltip: lines(
        label,
        ...words,
        place,
        plainText(conversation.llm_model ?? '', 80),
        ...usageWords(conversation),
        when,
      ).join('\n'),
      icon: stateIcon(conversation),
      contextValue: 'conversation',
      accessibilityLabel: l10n.t('Conversation {0}, {1}', label, description),
    };
  });
  if (branch.children.length === 0) return own;
  return {
    ...own,
    children: branch.children.map((child) => conversationRow(child, state, idPrefix)),
    ...(waitsBelow && { expanded: true }),
  };
}

/** Words of the agent's state, or of the sandbox's where no agent runs. */
function stateWords(conversation: Conversation, pausedByService: boolean): string | undefined {
  const state = conversationState(conversation);
  return state === 'sandbox:paused' && pausedByService
    ? l10n.t('Sandbox paused by the service')
    : conversationStateWords(state);
}

function stateIcon(conversation: Conversation): NonNullable<Row['icon']> {
  switch (conversation.execution_status?.toLowerCase()) {
    case 'running':
      return { name: 'sync~spin' };
    case 'waiting_for_confirmation':
      return { name: 'bell-dot', color: 'list.warningForeground' };
    case 'finished':
      return { name: 'pass', color: 'testing.iconPassed' };
    case 'error':
    case 'stuck':
      return { name: 'error', color: 'list.errorForeground' };
    case 'paused':
      return { name: 'debug-pause', color: 'descriptionForeground' };
    case undefined:
    default:
      return { name: 'comment-discussion', color: 'descriptionForeground' };
  }
}
