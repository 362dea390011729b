import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/schemas/conversation';
import { age } from '../../shared/age';
import { plainText } from '../../shared/plainText';
import type { ListState } from '../../state/resourceList';
import { waitsForUser } from '../../state/status';
import { loadMoreRow } from '../loadMore';
import type { Row } from '../row';
import { joined, unknownStatus } from '../words';

/** The rows of the view Conversations: those that wait for the user first, then the newest. */
export function conversationRows(list: ListState<Conversation>, now: number): Row[] {
  const rows = list.items
    .toSorted((a, b) => rank(a) - rank(b) || createdAt(b) - createdAt(a))
    .map((conversation) => conversationRow(conversation, now));
  return list.nextPageId === null ? rows : [...rows, loadMoreRow('conversations')];
}

const rank = (conversation: Conversation) => (waitsForUser(conversation) ? 0 : 1);
const createdAt = (conversation: Conversation) => Date.parse(conversation.created_at ?? '') || 0;

/** One conversation; `idPrefix` tells its places apart where it stands in a tree more than once. */
export function conversationRow(conversation: Conversation, now: number, idPrefix = ''): Row {
  const label = plainText(conversation.title ?? '', 120) || plainText(conversation.id, 24);
  const state = stateWords(conversation);
  const place = joined(
    plainText(conversation.selected_repository ?? '', 80),
    plainText(conversation.selected_branch ?? '', 60),
  );
  const when = age(conversation.updated_at ?? conversation.created_at, now);
  const description = joined(state, place, when);
  return {
    ref: { kind: 'conversation', id: conversation.id },
    id: `${idPrefix}conversation/${conversation.id}`,
    label,
    description,
    tooltip: joined(label, description, plainText(conversation.llm_model ?? '', 80)),
    icon: stateIcon(conversation),
    contextValue: 'conversation',
    accessibilityLabel: l10n.t('Conversation {0}, {1}', label, description),
  };
}

function stateWords(conversation: Conversation): string | undefined {
  const agent = conversation.execution_status;
  if (agent === undefined || agent === null) return sandboxWords(conversation.sandbox_status);
  switch (agent.toLowerCase()) {
    case 'idle':
      return l10n.t('Idle');
    case 'running':
      return l10n.t('Working');
    case 'paused':
      return l10n.t('Agent paused');
    case 'waiting_for_confirmation':
      return l10n.t('Waits for you');
    case 'finished':
      return l10n.t('Finished');
    case 'error':
      return l10n.t('Agent failed');
    case 'stuck':
      return l10n.t('Stuck');
    default:
      return plainText(unknownStatus(agent), 40);
  }
}

function sandboxWords(status: string | null | undefined): string | undefined {
  switch (status?.toUpperCase()) {
    case undefined:
      return undefined;
    case 'RUNNING':
      return l10n.t('Sandbox running');
    case 'PAUSED':
      return l10n.t('Sandbox paused');
    case 'STARTING':
      return l10n.t('Sandbox starting…');
    case 'ERROR':
      return l10n.t('Sandbox failed');
    case 'MISSING':
      return l10n.t('Sandbox missing');
    default:
      return plainText(unknownStatus(status), 40);
  }
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
