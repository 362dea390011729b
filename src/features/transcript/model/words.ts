import * as l10n from '@vscode/l10n';
import type { Unread } from '../../../api/events/event';
import type { Limit } from '../../../shared/transcript';
import type { DeafState } from './sendPlan';

export const mayHaveArrived = () =>
  l10n.t(
    'The message may have been sent. It’s removed from here as soon as it shows up in the conversation.',
  );
export const notSent = () => l10n.t('The message wasn’t sent.');

const lost = () => l10n.t('The connection to the sandbox was lost. Try again.');

export const hasNotStarted = () => l10n.t('The conversation hasn’t started yet.');

/** Why nothing can be sent now. */
export const cannotReach: Record<Limit, () => string> = {
  none: lost,
  busy: lost,
  asleep: () => l10n.t('The sandbox is paused. Resume it first.'),
  stored: () => l10n.t('The sandbox isn’t ready. Try again when it’s running.'),
  gone: () => l10n.t('The sandbox is gone. Start a new conversation.'),
  unreachable: () =>
    l10n.t('The sandbox can’t be reached from this computer. Open the conversation in your browser.'),
  onService: () =>
    l10n.t(
      'The sandbox’s address is only good on the service’s own computer. Open the conversation in your browser.',
    ),
  deleted: () => l10n.t('The conversation was deleted from the agent server.'),
  refused: () => l10n.t('The sandbox refused its key. Refresh, then try again.'),
  notAccepted: () =>
    l10n.t('You didn’t allow connecting to this sandbox. Open the conversation in your browser.'),
  serverUnreachable: () => l10n.t('Can’t reach the agent server. Try again.'),
  serverRefused: () =>
    l10n.t('The agent server refused your session key. Run Set Session Key, then try again.'),
  starting: hasNotStarted,
  notStarted: hasNotStarted,
  mayHaveStarted: hasNotStarted,
  overLimit: hasNotStarted,
  notDelivered: hasNotStarted,
  policyNotSet: hasNotStarted,
  noEvents: () => l10n.t('This service can’t do this. Open the conversation in your browser.'),
};

/** Why an agent in this state doesn’t take a message. */
export const cannotSend: Record<DeafState, () => string> = {
  stuck: () => l10n.t('The agent is stuck and can’t continue. Start a new conversation.'),
  deleting: () => l10n.t('The conversation is being deleted.'),
  unknown: () => l10n.t('The agent’s state isn’t known yet. Try again in a moment.'),
};

/** Why an event isn’t shown. */
export const unreadWords: Record<Unread, () => string> = {
  large: () => l10n.t('It’s larger than {0} MB.', 16),
  deep: () => l10n.t('Its contents are nested too deep.'),
  odd: () => l10n.t('It can’t be read.'),
};

export const words = {
  notConnectedTo: (name: string) =>
    l10n.t('This conversation is on “{0}”, which this computer isn’t connected to.', name),
  nothingToSend: () => l10n.t('Enter a message first.'),
  changed: () => l10n.t('The agent’s request has changed, so nothing was done. Review it again.'),
  notWaiting: () => l10n.t('The agent isn’t waiting for approval anymore.'),
  notRejected: () =>
    l10n.t(
      'The agent server didn’t accept the rejection, so the agent is still waiting. Open the conversation in your browser.',
    ),
  decidesItself: () => l10n.t('This agent decides by itself; the service can’t make it ask.'),
  stepStillEnds: () => l10n.t('The agent’s current step still ends. Try again in a moment.'),
  ending: () => l10n.t('Finishing its current step'),
  unapprovedWaits: () =>
    l10n.t('The agent would first run an action that nobody approved. Send a message to reject it.'),
  mayExecute: () =>
    l10n.t(
      'Not all events could be read, so the agent might first run an action that nobody approved. Open the conversation in your browser.',
    ),
  notHeard: () => l10n.t('The agent hasn’t reacted to your answer. If it keeps asking, answer again.'),
  alreadyAnswered: () => l10n.t('Your answer is on its way.'),
  notWorking: () => l10n.t('The agent isn’t working.'),
  cannotInterrupt: () => l10n.t('This sandbox can’t interrupt a step. Pause the agent instead.'),
  ownSummary: () => l10n.t('This agent manages its own context, so it can’t be asked for a summary.'),
  ownGoal: () => l10n.t('This agent can’t be given a goal. Send a message instead.'),
  goalAsksNobody: () =>
    l10n.t(
      'With a goal, the server would run actions without waiting for your approval. Change the confirmation policy so that the agent never asks, or send a message instead.',
    ),
  goalWouldExecute: () =>
    l10n.t('An action of the agent isn’t finished. Let the agent continue first, then set the goal.'),
  goalRuns: () =>
    l10n.t(
      'The agent works toward a goal, and would run actions without waiting for your approval. Stop the goal first.',
    ),
  alreadyWorking: () => l10n.t('The agent is already working.'),
  answerFirst: () => l10n.t('The agent is waiting for your approval. Approve or reject first.'),
  nothingLeft: () => l10n.t('The agent has nothing to continue with. Send a message instead.'),
  tooSlow: () => l10n.t('The sandbox didn’t start in time. Try again when it’s running.'),
  notResumed: () => l10n.t('The sandbox wasn’t resumed.'),
  running: (what: string) => l10n.t('Running {0}', what),
  editing: (path: string) => l10n.t('Editing {0}', path),
  secretsUnread: () => l10n.t('Known secrets couldn’t be read, so they aren’t hidden.'),
  working: () => l10n.t('Working'),
};
