import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../api/service/schemas/conversation';
import { conversationState } from './status';
import type { StateIcon } from './stateIcons';

/** What conversations are grouped by, in the order of the view: what needs a look first. */
export const stateGroups = [
  'needsYou',
  'working',
  'failed',
  'idle',
  'other',
  'finished',
  'paused',
  'archived',
] as const;
export type StateGroup = (typeof stateGroups)[number];

/** The group of each state that `conversationState` returns; those in `other` aren't known. */
const groupOf: Readonly<Record<string, StateGroup>> = {
  waiting_for_confirmation: 'needsYou',
  running: 'working',
  'sandbox:starting': 'working',
  error: 'failed',
  stuck: 'failed',
  'sandbox:error': 'failed',
  idle: 'idle',
  'sandbox:running': 'idle',
  finished: 'finished',
  paused: 'paused',
  'sandbox:paused': 'paused',
  'sandbox:missing': 'paused',
};

/** The states that the name of their group says; rows repeat only the others. */
const said: ReadonlySet<string> = new Set([
  'waiting_for_confirmation',
  'running',
  'error',
  'idle',
  'finished',
  'paused',
  'sandbox:paused',
]);

/** The group of a conversation. */
export function stateGroupOf(conversation: Conversation): StateGroup {
  const state = conversationState(conversation);
  return Object.hasOwn(groupOf, state) ? (groupOf[state] ?? 'other') : 'other';
}

/** Whether the name of a group says all there is to say about a conversation's state. */
export function isSaidBy(group: StateGroup | undefined, conversation: Conversation): boolean {
  return stateGroupOf(conversation) === group && said.has(conversationState(conversation));
}

/** Whether a group is the end of the list, folded until somebody looks for something in it. */
export const isTail = (group: StateGroup): boolean =>
  group === 'finished' || group === 'paused' || group === 'archived';

const words: Readonly<Record<StateGroup, () => string>> = {
  needsYou: () => l10n.t('Needs You'),
  working: () => l10n.t('Working'),
  failed: () => l10n.t('Failed'),
  idle: () => l10n.t('Idle'),
  other: () => l10n.t('Other'),
  finished: () => l10n.t('Finished'),
  paused: () => l10n.t('Paused'),
  archived: () => l10n.t('Archived'),
};

/** The name of a group. */
export const stateGroupWords = (group: StateGroup): string => words[group]();

const quiet = 'descriptionForeground';

/** The icon of a group: that of its state, but nothing turns. */
export const stateGroupIcons: Readonly<Record<StateGroup, StateIcon>> = {
  needsYou: { name: 'bell-dot', color: 'list.warningForeground' },
  working: { name: 'pulse' },
  failed: { name: 'error', color: 'list.errorForeground' },
  idle: { name: 'circle-large-outline', color: quiet },
  other: { name: 'comment-discussion', color: quiet },
  finished: { name: 'pass', color: 'testing.iconPassed' },
  paused: { name: 'debug-pause', color: quiet },
  archived: { name: 'archive', color: quiet },
};
