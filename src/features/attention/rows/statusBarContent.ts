import * as l10n from '@vscode/l10n';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { commandIds } from '../../../ids';
import { errorWords } from '../../../editor/errorText';
import type { StatusBarContent, StatusBarLink } from '../../../editor/statusBar';
import { joined } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import type { WaitingElsewhere } from '../../../core/lists/elsewhere';
import { conversationName } from '../../../core/lists/names';
import type { Session } from '../../../core/session/session';
import { troubleWords } from '../../../core/rows/trouble';

export interface StatusBarState {
  session: Session;
  /** The number of running sandboxes; undefined before anything was read. */
  running: number | undefined;
  /** Conversations with agents waiting for the user. */
  waiting: readonly Conversation[];
  /** Those of connections that the window isn’t on. */
  elsewhere: readonly WaitingElsewhere[];
  /** Why the numbers may be out of date, and since when (milliseconds since the epoch). */
  outOfDate: { error: Error; since: number | undefined } | undefined;
  /** False while nothing keeps the numbers up to date. */
  isFollowed: boolean;
}

/** The most waiting conversations to list in the tooltip. */
const named = 10;

/** The status bar item: waiting agents, otherwise running sandboxes; undefined if there is nothing to show. */
export function statusBarContent(state: StatusBarState): StatusBarContent | undefined {
  const { session, running, waiting, elsewhere, outOfDate, isFollowed } = state;
  if (session.kind === 'none' || session.kind === 'noKey') return withElsewhere(undefined, 0, elsewhere);
  const { organization } = session.connection;
  const name = plainText(session.connection.name, 30);
  // Nothing else shows for which one the lists are.
  const place = organization ? [name, plainText(organization.name || organization.id, 60)] : [name];
  if (outOfDate) return withElsewhere(troubleContent(name, session, outOfDate), 0, elsewhere);
  if (!isFollowed) {
    const why = l10n.t('Agents and sandboxes are checked only while an Agent Workspace view is visible.');
    return { text: `$(vm) ${name}`, tooltip: [...place, why], attention: false };
  }
  const runs = running === undefined ? [] : [runningWords(running)];
  const [first] = waiting;
  if (first) {
    const content = {
      text: `$(bell-dot) ${waiting.length} · ${name}`,
      tooltip: [...place, waitingWords(waiting.length), ...waitingLinks(waiting), ...runs],
      attention: true,
      action: linkTo(first),
    };
    return withElsewhere(content, waiting.length, elsewhere);
  }
  const content = {
    text: `$(vm) ${joined(name, running !== undefined && l10n.t('{0} running', running))}`,
    tooltip: [...place, ...runs],
    attention: false,
  };
  return withElsewhere(content, 0, elsewhere);
}

/**
 * Adds the agents that wait on other connections, by connection.
 * @param here how many wait on the window’s own; a click goes to those first
 */
function withElsewhere(
  content: StatusBarContent | undefined,
  here: number,
  elsewhere: readonly WaitingElsewhere[],
): StatusBarContent | undefined {
  const [first] = elsewhere;
  const [next] = first?.conversations ?? [];
  if (!first || !next) return content;
  const names = [...new Set(elsewhere.map(({ connection }) => plainText(connection.name, 30)))];
  const lines = elsewhere.flatMap(({ connection, conversations }) => [
    plainText(connection.name, 30),
    waitingWords(conversations.length),
    ...waitingLinks(conversations, connection.baseUrl),
  ]);
  const own = here > 0 ? content?.tooltip[0] : undefined;
  const shown = typeof own === 'string' ? [own, ...names] : names;
  const waits = `$(bell-dot) ${here + waitingCount(elsewhere)} · ${shown.slice(0, 2).join(', ')}${shown.length > 2 ? '…' : ''}`;
  return {
    // The other’s name alone would look as if the window were there.
    text: content && here === 0 ? `${waits}  ${content.text}` : waits,
    tooltip: [...(content?.tooltip ?? []), ...lines],
    attention: true,
    action: here > 0 && content?.action ? content.action : linkTo(next, first.connection.baseUrl),
  };
}

/** How many agents wait on other connections. */
export function waitingCount(elsewhere: readonly WaitingElsewhere[]): number {
  return elsewhere.reduce((sum, { conversations }) => sum + conversations.length, 0);
}

/** How many agents are waiting, in words, also for the badge. */
export function waitingWords(count: number): string {
  return count === 1 ? l10n.t('1 agent waiting for you') : l10n.t('{0} agents waiting for you', count);
}

function runningWords(count: number): string {
  return count === 1 ? l10n.t('1 sandbox running') : l10n.t('{0} sandboxes running', count);
}

function waitingLinks(waiting: readonly Conversation[], service?: string): (StatusBarLink | string)[] {
  const links = waiting.slice(0, named).map((one) => linkTo(one, service));
  const more = waiting.length - links.length;
  return more > 0 ? [...links, l10n.t('and {0} more', more)] : links;
}

function linkTo(conversation: Conversation, service?: string): StatusBarLink {
  return {
    title: conversationName(conversation),
    command: commandIds.conversationReview,
    argument: { ref: { kind: 'conversation', id: conversation.id, ...(service && { service }) } },
  };
}

function troubleContent(
  name: string,
  session: Session,
  { error, since }: NonNullable<StatusBarState['outOfDate']>,
): StatusBarContent {
  const refused = session.kind === 'refused';
  const read = since === undefined ? [] : [l10n.t('Last update: {0}', timeOf(since))];
  // Who signed in has never seen a key.
  const signsIn = 'connection' in session && session.connection.authentication === 'signIn';
  const setKey: StatusBarLink = signsIn
    ? { title: l10n.t('Sign In with Your Browser…'), command: commandIds.sessionSignIn }
    : { title: l10n.t('Set Session Key…'), command: commandIds.sessionSetKey };
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
