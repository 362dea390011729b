import * as l10n from '@vscode/l10n';
import { ApiError, type ErrorReason } from '../api/errors';
import { sentences } from '../shared/joined';
import { plainText } from '../shared/plainText';

/** An error in words. */
export interface ErrorText {
  /** What happened and, where something was to be changed, whether it was. */
  message: string;
  /** One thing to do. */
  nextStep: string;
}

/** Describes any error for people: plain text, in which what the server said takes at most 200 characters. */
export function describeError(error: unknown): ErrorText {
  if (!(error instanceof ApiError)) {
    const words = plainText(error instanceof Error ? error.message : String(error), 200);
    return {
      message: words || l10n.t('Something failed.'),
      nextStep: l10n.t('Try again, or see Show Logs.'),
    };
  }
  const { message, nextStep } = texts[error.reason](error);
  return {
    message: sentences(message, serversWords(error), consequence(error)),
    nextStep: error.outcomeUnknown ? l10n.t('Refresh, and look before you do it again.') : nextStep,
  };
}

function serversWords({ serverText = '' }: ApiError): string {
  const words = plainText(serverText, 200);
  return words === '' ? '' : l10n.t('The service says: “{0}”.', words);
}

function consequence({ method, outcomeUnknown }: ApiError): string {
  if (method === 'GET') return '';
  return outcomeUnknown ? l10n.t('It is not known whether it took effect.') : l10n.t('Nothing was changed.');
}

/** Answers with an error status have it in the message. */
const texts: Record<ErrorReason, (error: ApiError) => ErrorText> = {
  cancelled: () => ({
    message: l10n.t('This was cancelled.'),
    nextStep: l10n.t('Start it again when you want it.'),
  }),
  badId: () => ({
    message: l10n.t('The service named this with an id that cannot be sent safely.'),
    nextStep: l10n.t('Refresh; if it stays, tell those who run the service.'),
  }),
  badUrl: () => ({
    message: l10n.t('The address of the connection cannot be used.'),
    nextStep: l10n.t('Run Connect… and enter it again.'),
  }),
  dns: () => ({
    message: l10n.t('The host of the service cannot be found.'),
    nextStep: l10n.t('Check the spelling of the address, and your network or VPN.'),
  }),
  refused: () => ({
    message: l10n.t('Nothing answers at the address of the service.'),
    nextStep: l10n.t('Check that the service runs, and the port in the address.'),
  }),
  reset: () => ({
    message: l10n.t('The connection to the service was lost before it answered.'),
    nextStep: l10n.t('Try again.'),
  }),
  tls: ({ code }) => ({
    message: l10n.t(
      'No secure connection: the certificate of the service was not accepted ({0}).',
      code ?? 'TLS',
    ),
    nextStep: l10n.t(
      'Have the certificate checked; a private certificate authority can be named in the network options of the connection.',
    ),
  }),
  networkOption: ({ location = '', code = '' }) => ({
    message: l10n.t('The file that the network option “{0}” names cannot be used ({1}).', location, code),
    nextStep: l10n.t('Correct the connection in the editor’s settings.'),
  }),
  proxy: ({ location, status, code }) => ({
    message: withStatus(proxyMessage(location, code), status),
    nextStep: l10n.t(
      'Check the proxy in the editor’s settings and in the network options of the connection.',
    ),
  }),
  connectTimeout: () => ({
    message: l10n.t('The address of the service did not take a connection in time.'),
    nextStep: l10n.t('Check the address, and your network or VPN.'),
  }),
  timeout: ({ status }) => ({
    message: withStatus(l10n.t('The service did not answer in time.'), status),
    nextStep: l10n.t('Try again; if it happens again, see whether the service is overloaded.'),
  }),
  redirected: ({ location, status }) => ({
    message: withStatus(
      location === undefined
        ? l10n.t(
            'The service sends to another address; it was not followed, so that your session key stays here.',
          )
        : l10n.t(
            'The service sends to {0}; it was not followed, so that your session key stays here.',
            plainText(location, 100),
          ),
      status,
    ),
    nextStep: l10n.t('If you trust that address, run Connect… and enter it.'),
  }),
  notService: () => ({
    message: l10n.t(
      'What answers at this address is not the service: it sent a web page, or other data than JSON.',
    ),
    nextStep: l10n.t('Check the address of the connection, and its path.'),
  }),
  badShape: () => ({
    message: l10n.t('The service answered with data that this extension does not know.'),
    nextStep: l10n.t('Check that the address is that of an agent workspace service, and its version.'),
  }),
  truncated: () => ({
    message: l10n.t('The answer of the service broke off on its way.'),
    nextStep: l10n.t('Try again.'),
  }),
  tooLarge: () => ({
    message: l10n.t('The answer of the service is larger than 16 MB and was not read to its end.'),
    nextStep: l10n.t('Tell those who run the service.'),
  }),
  unauthorized: unauthorizedText,
  forbidden: ({ status }) => ({
    message: withStatus(l10n.t('The service does not allow this with your session key.'), status),
    nextStep: l10n.t('Ask those who run the service for the right, or run Set Session Key.'),
  }),
  notFound: ({ status }) => ({
    message: withStatus(l10n.t('The service does not have what was asked for.'), status),
    nextStep: l10n.t(
      'Refresh; if it stays, check the address of the connection and the version of the service.',
    ),
  }),
  methodNotAllowed: ({ status }) => ({
    message: withStatus(l10n.t('The service does not offer this at its address.'), status),
    nextStep: l10n.t('Check the address of the connection and the version of the service.'),
  }),
  conflict: ({ status }) => ({
    message: withStatus(l10n.t('The service is in a state that does not go with this.'), status),
    nextStep: l10n.t('Refresh, and try again.'),
  }),
  payloadTooLarge: ({ status }) => ({
    message: withStatus(l10n.t('This is more than the service accepts at once.'), status),
    nextStep: l10n.t('Make it shorter, and try again.'),
  }),
  invalid: ({ status, issues }) => ({
    message:
      status === undefined
        ? l10n.t('This was not sent, because a value cannot be right: {0}', firstIssue(issues))
        : withStatus(l10n.t('The service did not accept what was sent.'), status),
    nextStep: l10n.t('Correct it, and try again.'),
  }),
  rateLimited: ({ status, retryAfterMs }) => ({
    message: withStatus(l10n.t('The service asks for fewer requests.'), status),
    nextStep: comeBack(retryAfterMs),
  }),
  serverError: ({ status, retryAfterMs }) => ({
    message: withStatus(l10n.t('The service failed.'), status),
    nextStep: comeBack(retryAfterMs),
  }),
  unexpectedStatus: ({ status }) => ({
    message: withStatus(l10n.t('The service gave an answer that is not expected here.'), status),
    nextStep: l10n.t('Check the address of the connection and the version of the service.'),
  }),
  unreachable: () => ({
    message: l10n.t('The service cannot be reached.'),
    nextStep: l10n.t('Check the address, and your network or VPN.'),
  }),
};

/** Codes of a proxy that cannot be reached begin with E; others are those of one that answered. */
function proxyMessage(location: string | undefined, code = ''): string {
  if (location === undefined) {
    return l10n.t('The proxy on the way to the service did not let the request through.');
  }
  const address = plainText(location, 100);
  return code.startsWith('E')
    ? l10n.t('The proxy {0} on the way to the service cannot be reached.', address)
    : l10n.t('The proxy {0} on the way to the service did not let the request through.', address);
}

/** A 401 is about more than the session key: a git token that its provider refuses has the same status. */
function unauthorizedText({ status, route }: ApiError): ErrorText {
  if (status === undefined) {
    return {
      message: l10n.t('The session key holds characters that cannot be sent.'),
      nextStep: l10n.t('Run Set Session Key.'),
    };
  }
  if (route === '/api/add-git-providers') {
    return {
      message: withStatus(l10n.t('The service refused the git provider token, or the session key.'), status),
      nextStep: l10n.t('Check the token; if it is right, run Set Session Key.'),
    };
  }
  return {
    message: withStatus(l10n.t('The service refused the request, perhaps for its session key.'), status),
    nextStep: l10n.t('Run Set Session Key, or try again if the key is right.'),
  };
}

function withStatus(sentence: string, status: number | undefined): string {
  return status === undefined ? sentence : l10n.t('{0} (HTTP {1})', sentence, status);
}

function firstIssue(issues: ApiError['issues']): string {
  const issue = issues?.[0];
  return issue === undefined ? '' : plainText(`${issue.loc.slice(1).join('.')}: ${issue.msg}`, 200);
}

/** When to come back, in the unit that people would say. */
function comeBack(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return l10n.t('Wait a little, and try again.');
  const seconds = Math.ceil(retryAfterMs / 1_000);
  return seconds <= 120
    ? l10n.t('Try again in {0} seconds.', Math.max(1, seconds))
    : l10n.t('Try again in {0} minutes.', Math.ceil(seconds / 60));
}
