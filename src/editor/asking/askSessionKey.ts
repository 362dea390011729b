import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../api/service/client';
import { checkConnection, type ConnectionCheck, isAccepted } from '../../api/service/connectionCheck';
import type { Connection } from '../../shared/connection';
import { sentences } from '../../shared/joined';
import { plainHttpWarning } from '../../shared/plainHttp';
import { describeCheck } from '../checkText';
import { askText, back, confirmed, type Answer } from '../inputs';
import type { SessionKeys } from '../sessionKeys';

interface Options {
  title: string;
  step?: number;
  totalSteps?: number;
  /** The service accepted a made-up key. */
  anyKeyDoes?: boolean;
  /** The service has API keys for its users, and no session key. */
  isApiKey?: boolean;
  /** What was found out about the service, as a sentence. */
  found?: string | undefined;
}

/** A key, and the connection with the way the service accepts it. */
interface AcceptedKey {
  connection: Connection;
  sessionKey: string;
}

/**
 * Asks for the session key or API key of a connection and tries it, as either of them. A 401 can have other causes than
 * the key, so a refused key can be saved anyway, but only after a question.
 */
export async function askSessionKey(
  {
    createClient,
    keys,
  }: { createClient: (connection: Connection, sessionKey: string) => ApiClient; keys: SessionKeys },
  asked: Connection,
  { anyKeyDoes, isApiKey, found = '', ...step }: Options,
): Promise<Answer<AcceptedKey>> {
  // A key that the user enters doesn’t come from signing in.
  const connection: Connection =
    asked.authentication === 'signIn' ? { ...asked, authentication: 'apiKey' } : asked;
  const stored = await keys.get(connection.origin);
  if (stored === undefined && !(await mayBeRead(connection))) return back;
  let refused: string | undefined;
  let accepted: AcceptedKey = { connection, sessionKey: '' };
  const { name, origin } = connection;
  const words = isApiKey
    ? l10n.t(
        'Enter your API key for {0}. It’s kept in the editor’s secret storage and sent only to {1}.',
        name,
        origin,
      )
    : l10n.t(
        'Enter the session key for {0}. It’s kept in the editor’s secret storage and sent only to {1}.',
        name,
        origin,
      );
  const answer = await askText({
    ...step,
    password: true,
    prompt: sentences(
      found,
      anyKeyDoes ? l10n.t('This service accepts any session key. Enter any text.') : words,
    ),
    placeholder:
      stored !== undefined
        ? l10n.t('Leave empty to use the stored key')
        : isApiKey
          ? l10n.t('Your API key')
          : l10n.t('The key that the service was started with, or your API key'),
    validate: (text) => {
      if (text === '' && stored === undefined) return l10n.t('Enter the session key.');
      // A header can't carry other characters.
      return /^[\x20-\x7e]*$/.test(text)
        ? undefined
        : l10n.t('A session key can contain only ASCII characters.');
    },
    accept: async (text, signal) => {
      // The stored key may have been cleared or replaced in the meantime, in another window.
      const key = text.trim() || (await keys.get(connection.origin));
      if (key === undefined) return l10n.t('Enter the session key.');
      accepted = { connection, sessionKey: key };
      if (key === refused && (await saveAnyway(connection))) return undefined;
      const { check, ...tried } = await tryBothWays(createClient, connection, key, signal);
      accepted = { ...tried, sessionKey: key };
      const problem = describeCheck(check);
      if (check.kind !== 'refused') return problem && sentences(problem.message, problem.nextStep);
      refused = key;
      return sentences(
        problem?.message ?? '',
        l10n.t('Enter another key, or press Enter again to save this one anyway.'),
      );
    },
  });
  return typeof answer === 'string' ? accepted : answer;
}

/** Tries a key the connection's way and, if it’s refused, the other way. */
async function tryBothWays(
  createClient: (connection: Connection, sessionKey: string) => ApiClient,
  connection: Connection,
  key: string,
  signal: AbortSignal,
): Promise<{ check: ConnectionCheck; connection: Connection }> {
  const check = await checkConnection(createClient(connection, key), signal);
  if (check.kind !== 'refused') return { check, connection };
  const { authentication, ...asSessionKey } = connection;
  const other: Connection =
    authentication !== undefined ? asSessionKey : { ...connection, authentication: 'apiKey' };
  const otherCheck = await checkConnection(createClient(other, key), signal);
  return isAccepted(otherCheck) ? { check: otherCheck, connection: other } : { check, connection };
}

/** The first button, which Enter presses, goes back: pressing Enter again and again stores no refused key. */
async function saveAnyway({ name }: Connection): Promise<boolean> {
  const [again, save] = [l10n.t('Enter Another Key'), l10n.t('Save Anyway')];
  const detail = l10n.t(
    '{0} refused the key. You can’t see or change anything there until it accepts a key.',
    name,
  );
  const question = l10n.t('Save this session key anyway?');
  return (await vscode.window.showWarningMessage(question, { modal: true, detail }, again, save)) === save;
}

/** Asks before a key goes unencrypted to an address for the first time; true when it may. */
async function mayBeRead({ baseUrl, origin }: Connection): Promise<boolean> {
  const warning = plainHttpWarning(baseUrl);
  if (warning === undefined) return true;
  return confirmed(
    l10n.t('Send your session key unencrypted to {0}?', origin),
    sentences(warning, l10n.t('Use an https address if the service has one.')),
    l10n.t('Continue'),
  );
}
