import * as l10n from '@vscode/l10n';
import { plainText } from '../../shared/plainText';
import type { NetworkFailure } from '../http/networkFailure';
import { tlsWords } from '../http/tlsWords';

/** Why a test failed. */
export type ProbeFailure =
  /** No connection: name, port, network, proxy, or lost on the way. */
  | 'unreachable'
  | 'tls'
  /** 401 or 403. */
  | 'unauthorized'
  /** The address doesn't answer with MCP: a web page, 404, 405. */
  | 'notMcp'
  /** It redirects; the key wasn't sent there. */
  | 'redirected'
  /** 429 or 5xx. */
  | 'serverError'
  | 'timeout'
  /** Invalid MCP, or an error as the answer. */
  | 'protocol'
  /** Nothing was sent: WebSocket, no URL, a key that can't be a header. */
  | 'untestable'
  | 'canceled';

/** Why a test failed, in words. */
export class Failure extends Error {
  constructor(
    readonly reason: ProbeFailure,
    message: string,
  ) {
    super(message);
  }
}

/** A redirect to `target`, an origin, was not followed. */
export function elsewhere(target: string): Failure {
  const place = plainText(target, 200);
  return new Failure(
    'redirected',
    place === ''
      ? l10n.t('The server redirects to another address. The redirect wasn’t followed.')
      : l10n.t(
          'The server redirects to {0}. The redirect wasn’t followed. If you trust that address, enter it instead.',
          place,
        ),
  );
}

/** Nothing came back, or not all of it. */
export function networkFailure({ reason, code = '', location }: NetworkFailure): Failure {
  if (reason === 'tls') return new Failure('tls', tlsWords(plainText(code, 60)).message);
  const [kind, words] = networkWords(reason, plainText(location ?? '', 100));
  if (code === '') return new Failure(kind, words);
  const [stop = ''] = /[.。]$/.exec(words) ?? [];
  const sentence = words.slice(0, words.length - stop.length);
  return new Failure(kind, `${sentence} (${plainText(code, 60)})${stop}`);
}

function networkWords(reason: NetworkFailure['reason'], proxy: string): [ProbeFailure, string] {
  if (reason === 'timeout' || reason === 'connectTimeout')
    return ['timeout', l10n.t('The server didn’t answer in time.')];
  if (reason === 'notService') return ['notMcp', l10n.t('The answer from this address isn’t HTTP.')];
  if (reason === 'dns') return ['unreachable', l10n.t('The server’s host wasn’t found.')];
  if (reason === 'refused') return ['unreachable', l10n.t('Nothing is listening at the server’s address.')];
  if (reason === 'proxy')
    return [
      'unreachable',
      proxy === '' ? l10n.t('A proxy rejected the request.') : l10n.t('Can’t reach the proxy {0}.', proxy),
    ];
  if (reason === 'reset' || reason === 'truncated')
    return ['unreachable', l10n.t('The connection to the server was lost.')];
  return ['unreachable', l10n.t('Can’t reach the server.')];
}

/** The answer isn't MCP. */
export function notUnderstood(): Failure {
  return new Failure('protocol', l10n.t('The server’s answer isn’t valid MCP.'));
}

/** The stream of events ended before the answer. */
export function streamLost(): Failure {
  return new Failure('unreachable', l10n.t('The server closed its event stream before answering.'));
}
