import * as l10n from '@vscode/l10n';
import type { Entry, MessageEntry } from './transcript';

type Separator = Extract<Entry, { kind: 'separator' }>;

const words: Readonly<Record<Separator['what'], (separator: Separator) => string>> = {
  paused: () => l10n.t('Paused'),
  interrupted: () => l10n.t('Interrupted'),
  condensed: () => l10n.t('Earlier context condensed'),
  modelChanged: () => l10n.t('Model changed'),
  goalSet: () => l10n.t('Goal set'),
  goalRound: ({ count = 0 }) => l10n.t('Goal not reached yet after round {0}', count),
  goalReached: ({ count = 0 }) =>
    count === 1 ? l10n.t('Goal reached in 1 round') : l10n.t('Goal reached in {0} rounds', count),
  goalMissed: ({ count = 0 }) =>
    count === 1 ? l10n.t('Goal not reached in 1 round') : l10n.t('Goal not reached in {0} rounds', count),
  goalStopped: () => l10n.t('Goal stopped'),
  hook: () => l10n.t('A hook ran'),
  gap: () => l10n.t('Some events are missing here'),
  unread: () => l10n.t('An event isn’t shown'),
  // Others may have done it: only this window’s own decisions are surely the user’s.
  approved: ({ count = 1, isMine = false }) => {
    if (isMine)
      return count === 1 ? l10n.t('You approved 1 action') : l10n.t('You approved {0} actions', count);
    return count === 1 ? l10n.t('1 action approved') : l10n.t('{0} actions approved', count);
  },
  rejected: ({ count = 1, isMine = false }) => {
    if (isMine)
      return count === 1 ? l10n.t('You rejected 1 action') : l10n.t('You rejected {0} actions', count);
    return count === 1 ? l10n.t('1 action rejected') : l10n.t('{0} actions rejected', count);
  },
  other: () => l10n.t('Other event'),
  start: ({ text }) => text,
  listening: ({ port = 0 }) => l10n.t('Listening on {0}', String(port)),
};

/** What a separator stands for, in words for people. */
export const separatorTitle = (separator: Separator): string => words[separator.what](separator);

/** Whether a separator says what somebody decided about actions. */
export const isDecision = ({ what }: Separator): boolean => what === 'approved' || what === 'rejected';

/** Who sent a message, in words for people. */
export const senderWords: Readonly<Record<MessageEntry['from'], () => string>> = {
  user: () => l10n.t('You'),
  agent: () => l10n.t('Agent'),
  environment: () => l10n.t('Sandbox'),
};

/** What the thought of a message is called, by who sent it. */
export const thoughtTitle = (from: MessageEntry['from']): string =>
  from === 'agent' ? l10n.t('Thought') : l10n.t('Added for the agent');
