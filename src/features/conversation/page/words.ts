import * as l10n from '@vscode/l10n';
import { formatting } from '../../../core/kit/numbers';
import {
  type Execution,
  type Head,
  isStart,
  type Limit,
  type OutgoingMessage,
  type Policy,
  type Risk,
} from '../../../shared/transcript';
import type { Filter } from './items';

/** Words for each value; a function, because the language is known only when the page runs. */
type Words<T extends string> = Readonly<Record<T, () => string>>;

const executionWords: Words<Execution> = {
  idle: () => l10n.t('Idle'),
  running: () => l10n.t('Working'),
  paused: () => l10n.t('Paused'),
  waiting_for_confirmation: () => l10n.t('Waiting for you'),
  finished: () => l10n.t('Finished'),
  error: () => l10n.t('Failed'),
  stuck: () => l10n.t('Stuck'),
  deleting: () => l10n.t('Deleting…'),
  unknown: () => l10n.t('State unknown'),
};

/** What to say of text that is `by` characters too long for a message. */
export const tooLongWords = (by: number) =>
  l10n.t(
    'Too long to send by {0} characters. Shorten it; until then it’s kept only while this tab is open.',
    by.toLocaleString(),
  );

export const riskWords: Words<Risk> = {
  UNKNOWN: () => l10n.t('Risk not rated'),
  LOW: () => l10n.t('Low risk'),
  MEDIUM: () => l10n.t('Medium risk'),
  HIGH: () => l10n.t('High risk'),
};

export const policyWords: Words<Policy> = {
  never: () => l10n.t('Approvals: never'),
  always: () => l10n.t('Approvals: each action'),
  riskyLow: () => l10n.t('Approvals: low risk or higher'),
  riskyMedium: () => l10n.t('Approvals: medium risk or higher'),
  riskyHigh: () => l10n.t('Approvals: high risk only'),
  itself: () => l10n.t('Decides by itself'),
  unknown: () => '',
};

/** Why the transcript may be behind or can't be changed now; empty for none. And the button that helps, if one does. */
export const limitWords: Readonly<Record<Limit, { sentence: () => string; button?: () => string }>> = {
  none: { sentence: () => '' },
  stored: { sentence: () => l10n.t('Stored events only. They can be up to 30 s behind.') },
  asleep: {
    sentence: () => l10n.t('The sandbox is paused. Sending a message resumes it.'),
    button: () => l10n.t('Resume Sandbox'),
  },
  gone: {
    sentence: () => l10n.t('The sandbox is gone. You can read the conversation but not continue it.'),
    button: () => l10n.t('Start Conversation…'),
  },
  unreachable: {
    sentence: () => l10n.t('Can’t reach the sandbox from this computer. Events can be up to 30 s behind.'),
    button: () => l10n.t('Open in Browser'),
  },
  onService: {
    sentence: () =>
      l10n.t(
        'The sandbox’s address, localhost, is only good on the service’s own computer. Events can be up to 30 s behind.',
      ),
    button: () => l10n.t('Open in Browser'),
  },
  deleted: { sentence: () => l10n.t('The conversation was deleted from the agent server.') },
  refused: {
    sentence: () => l10n.t('The sandbox refused its key. Events can be up to 30 s behind.'),
    button: () => l10n.t('Try Again'),
  },
  notAccepted: {
    sentence: () => l10n.t('The sandbox has an address you haven’t allowed yet.'),
    button: () => l10n.t('Review Address…'),
  },
  busy: { sentence: () => l10n.t('Updates after each step') },
  noEvents: {
    sentence: () =>
      l10n.t(
        'This service doesn’t offer transcripts. You can read and continue the conversation in your browser.',
      ),
    button: () => l10n.t('Open in Browser'),
  },
  serverUnreachable: {
    sentence: () => l10n.t('Can’t reach the agent server. There may be newer events.'),
    button: () => l10n.t('Try Again'),
  },
  serverRefused: {
    sentence: () => l10n.t('The agent server refused your session key. There may be newer events.'),
    button: () => l10n.t('Set Session Key…'),
  },
  starting: { sentence: () => l10n.t('Starting'), button: () => l10n.t('Cancel') },
  notStarted: { sentence: () => l10n.t('Not started'), button: () => l10n.t('Change Options…') },
  mayHaveStarted: { sentence: () => l10n.t('May have started'), button: () => l10n.t('Change Options…') },
  overLimit: {
    sentence: () => l10n.t('Not started'),
    button: () => l10n.t('Pause a Sandbox and Try Again…'),
  },
  notDelivered: {
    sentence: () => l10n.t('Your changes and your message weren’t sent'),
    button: () => l10n.t('Continue Without Changes'),
  },
  policyNotSet: {
    sentence: () => l10n.t('The confirmation policy wasn’t set, and your message wasn’t sent'),
    button: () => l10n.t('Continue Without This Policy'),
  },
};

/** What to say of an agent whose state isn’t known because of its sandbox. */
const stateWithout: Readonly<Partial<Record<Limit, () => string>>> = {
  asleep: () => l10n.t('Sandbox paused'),
  gone: () => l10n.t('Sandbox missing'),
};

/** The state of a conversation, as its row in the list says it. */
export function stateWords({ execution, limit, problem }: Pick<Head, 'execution' | 'limit' | 'problem'>) {
  if (problem !== '') return executionWords.unknown();
  if (execution === 'unknown') return (stateWithout[limit] ?? executionWords.unknown)();
  return execution === 'error' && isStart(limit) ? limitWords[limit].sentence() : executionWords[execution]();
}

export const outgoingWords: Words<OutgoingMessage['state']> = {
  sending: () => l10n.t('Sending…'),
  resuming: () => l10n.t('Resuming the sandbox…'),
  unknown: () => l10n.t('May have been sent'),
  failed: () => l10n.t('Not sent'),
};

export const filterLabels: Words<Filter> = {
  all: () => l10n.t('Everything'),
  messages: () => l10n.t('Messages only'),
  errors: () => l10n.t('Errors only'),
};

/** A span of milliseconds in short words, no more exact than people say it. */
export function aboutSpan(ms: number): string {
  const minutes = Math.round(ms / 60_000);
  if (ms < 60_000) return l10n.t('{0} s', Math.floor(ms / 1000));
  if (minutes < 60) return l10n.t('{0} min', minutes);
  return l10n.t('{0} h {1} min', Math.floor(minutes / 60), minutes % 60);
}

const withTimes = (options: Intl.DateTimeFormatOptions) =>
  formatting((language) => new Intl.DateTimeFormat(language, options));

/** The day of a time. */
export const dayWords = withTimes({ weekday: 'long', day: 'numeric', month: 'long' });

export const timeWords = withTimes({ timeStyle: 'short' });

/** Day and time in full, for tooltips. */
export const momentWords = withTimes({ dateStyle: 'full', timeStyle: 'medium' });

/** What waits, as the card’s title, and for screen readers. */
export function waitingTitle(count: number): string {
  return count === 1
    ? l10n.t('The agent asks for your approval of 1 action')
    : l10n.t('The agent asks for your approval of {0} actions', count);
}
