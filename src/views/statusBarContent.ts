import * as l10n from '@vscode/l10n';
import type { Conversation } from '../api/service/schemas/conversation';
import { commandIds } from '../ids';
import { errorWords } from '../platform/errorText';
import type { StatusBarContent, StatusBarLink } from '../platform/statusBar';
import { plainText } from '../shared/plainText';
import { conversationName } from '../state/sandboxes/names';
import type { Session } from '../state/session/session';
import { troubleWords } from './trouble';

export interface StatusBarState {
  session: Session;
  /** The number of running sandboxes; undefined before anything was read. */
  running: number | undefined;
  /** Conversations with agents waiting for the user. */
  waiting: readonly Conversation[];
  /** Why the numbers may be out of date, and since when (milliseconds since the epoch). */
  outOfDate: { error: Error; since: number | undefined } | undefined;
  /** False while nothing keeps the numbers up to date. */
  isFollowed: boolean;
}

/** The most waiting conversations to list in the tooltip. */
const named = 10;

/** The status bar item: waiting agents, otherwise running sandboxes; undefined if there is nothing to show. */
export function statusBarContent(state: StatusBarState): StatusBarContent | undefined {
  const { session, running, waiting, outOfDate, isFollowed } = state;
  if (session.kind === 'none' || session.kind === 'noKey') return undefined;
  const name = plainText(session.connection.name, 30);
  if (outOfDate) return troubleContent(name, session, outOfDate);
  if (!isFollowed) {
    const why = l10n.t('Agents and sandboxes are checked only while an Agent Workspace view is visible.');
    return { text: `$(vm) ${name}`, tooltip: [name, why], attention: false };
  }
  const runs = running === undefined ? [] : [runningWords(running)];
  const [first] = waiting;
  if (first) {
    return {
      text: `$(bell-dot) ${waiting.length} · ${name}`,
      tooltip: [name, waitingWords(waiting.length), ...waitingLinks(waiting), ...runs],
      attention: true,
      action: linkTo(first),
    };
  }
  const short = running === undefined ? [] : [l10n.t('{0} running', running)];
  return { text: `$(vm) ${[name, ...short].join(' · ')}`, tooltip: [name, ...runs], attention: false };
}

/** How many agents are waiting, in words, also for the badge. */
export function waitingWords(count: number): string {
  return count === 1 ? l10n.t('1 agent waiting for you') : l10n.t('{0} agents waiting for you', count);
}

function runningWords(count: number): string {
  return count === 1 ? l10n.t('1 sandbox running') : l10n.t('{0} sandboxes running', count);
}

function waitingLinks(waiting: readonly Conversation[]): (StatusBarLink | string)[] {
  const links = waiting.slice(0, named).map(linkTo);
  const more = waiting.length - links.length;
  return more > 0 ? [...links, l10n.t('and {0} more', more)] : links;
}

function linkTo(conversation: Conversation): StatusBarLink {
  return {
    title: conversationName(conversation),
    command: commandIds.conversationReview,
    argument: { ref: { kind: 'conversation', id: conversation.id } },
  };
}

function troubleContent(
  name: string,
  session: Session,
  { error, since }: NonNullable<StatusBarState['outOfDate']>,
): StatusBarContent {
  const refused = session.kind === 'refused';
  const read = since === undefined ? [] : [l10n.t('Last update: {0}', timeOf(since))];
  const setKey: StatusBarLink = {
    title: l10n.t('Set Session Key…'),
    command: commandIds.sessionSetKey,
  };
  return {
    text: `$(${refused ? 'key' : 'debug-disconnect'}) ${name}`,
    tooltip: [
      l10n.t('Out of date: {0}', troubleWords(session, error)),
      errorWords(error),
      ...read,
      ...(refused ? [setKey] : []),
      { title: l10n.t('Try Again'), command: commandIds.viewRefresh },
      { title: l10n.t('Show Logs'), command: commandIds.logsShow },
    ],
    attention: refused,
    ...(refused && { action: setKey }),
  };
}

const timeOf = (ms: number) => new Date(ms).toLocaleTimeString(undefined, { timeStyle: 'short' });
