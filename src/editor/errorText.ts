import * as l10n from '@vscode/l10n';
import {
  ApiError,
  type ErrorReason,
  hasOtherSecretKey,
  isDownBehindCanvas,
  isQuota,
  isRunLimit,
} from '../api/http/errors';
import { proxySignIn, unusableProxy } from '../api/http/networkFailure';
import { tlsWords } from '../api/http/tlsWords';
import { asSentence, sentences } from '../shared/joined';
import { plainText } from '../shared/plainText';
import { thrownText, thrownWords } from '../shared/thrown';

/** An error in words. */
export interface ErrorText {
  /** What happened and, after a change was requested, what became of it. */
  message: string;
  /** One thing to do. */
  nextStep: string;
}

/** What became of a change that failed: `unknown` until it's read back; for `partly`, the caller says which part. */
export type FailedChange = 'no' | 'partly' | 'unknown';

/**
 * Describes any error for people: plain text, with at most 200 characters of what the service said. For notifications
 * and everything above the platform; the state leaves wording to them.
 * @param applied what reading back has shown; by default what the error itself says
 */
export function describeError(error: unknown, applied?: FailedChange): ErrorText {
  if (!(error instanceof ApiError)) {
    const files = filesWords(thrownText(error));
    if (files) return files;
    return {
      message: asSentence(thrownWords(error) || l10n.t('Something went wrong.')),
      nextStep: l10n.t('Try again. If it fails again, run Show Logs for details.'),
    };
  }
  const { message, nextStep } = texts[error.reason](error);
  const outcome = applied ?? (error.outcomeUnknown ? 'unknown' : 'no');
  return {
    message: sentences(message, serversWords(error), error.method === 'GET' ? '' : consequence(outcome)),
    nextStep: outcome === 'unknown' ? l10n.t('Refresh and check before you try again.') : nextStep,
  };
}

/** What kept a file on this computer from being written or read. The editor passes the system’s code on in its message. */
function filesWords(text: string): ErrorText | undefined {
  if (/\b(?:ENOSPC|EDQUOT)\b/.test(text))
    return {
      message: l10n.t('There’s no space left on the disk.'),
      nextStep: l10n.t('Free some space, then try again.'),
    };
  // Followed by what was done to a file: a process or a port can be refused, too.
  const isRefused = /\bEROFS\b|\b(?:EACCES|EPERM): [^,]*, \w+ '|\bNoPermissions \(FileSystem/;
  if (isRefused.test(text))
    return {
      message: l10n.t('This computer doesn’t allow access to that file or folder.'),
      nextStep: l10n.t('Check the permissions, or choose another folder. Then try again.'),
    };
  return undefined;
}

/** The same as a single text, for places without room for two. */
export function errorWords(error: unknown, applied?: FailedChange): string {
  const { message, nextStep } = describeError(error, applied);
  return sentences(message, nextStep);
}

function serversWords({ serverText = '' }: ApiError): string {
  const words = plainText(serverText, 200);
  if (words === '') return '';
  return words === asSentence(words)
    ? l10n.t('The service says: “{0}”', words)
    : l10n.t('The service says: “{0}”.', words);
}

function consequence(applied: FailedChange): string {
  switch (applied) {
    case 'no':
      return l10n.t('Nothing was changed.');
    case 'partly':
      return '';
    case 'unknown':
      return l10n.t('The change may have gone through.');
  }
}

/** If the answer has an error status, the message names it. */
const texts: Record<ErrorReason, (error: ApiError) => ErrorText> = {
  canceled: () => ({
    message: l10n.t('Canceled.'),
    nextStep: l10n.t('Try again when you’re ready.'),
  }),
  keyRevoked: () => ({
    message: l10n.t('The session key was cleared or replaced.'),
    nextStep: l10n.t('Run Set Session Key if there’s no key, then try again.'),
  }),
  badId: () => ({
    message: l10n.t('The service uses an ID here that can’t be sent safely.'),
    nextStep: l10n.t('Refresh. If it happens again, tell your administrator.'),
  }),
  badUrl: () => ({
    message: l10n.t('The address of this connection can’t be used.'),
    nextStep: l10n.t('Run Connect… and enter it again.'),
  }),
  dns: () => ({
    message: l10n.t('Can’t connect: the host wasn’t found.'),
    nextStep: l10n.t('Check the spelling of the address and your network or VPN.'),
  }),
  refused: () => ({
    message: l10n.t('Can’t connect: nothing is listening at this address.'),
    nextStep: l10n.t('Check that the service is running and the port is correct.'),
  }),
  reset: () => ({
    message: l10n.t('The connection was lost before the service answered.'),
    nextStep: l10n.t('Try again.'),
  }),
  tls: ({ code = 'TLS', status }) => {
    const { message, nextStep } = tlsWords(code);
    return { message: withStatus(message, status), nextStep };
  },
  networkOption: ({ location = '', code = '' }) => ({
    message: l10n.t('Can’t use the file in the network option “{0}” ({1}).', location, code),
    nextStep: l10n.t('Correct the connection in your settings.'),
  }),
  proxy: ({ location, status, code }) => {
    const check = l10n.t('Check the proxy in your settings and in the connection’s network options.');
    const asks = code === proxySignIn || status === 407;
    return {
      message: withStatus(proxyMessage(location, asks ? proxySignIn : code), asks ? 407 : status),
      nextStep: sentences(asks ? signInElsewhere() : '', check),
    };
  },
  connectTimeout: () => ({
    message: l10n.t('Can’t connect: the address didn’t respond in time.'),
    nextStep: l10n.t('Check the address and your network or VPN.'),
  }),
  timeout: ({ status }) => ({
    message: withStatus(l10n.t('The service didn’t answer in time.'), status),
    nextStep: l10n.t('Try again. If it happens again, the service may be overloaded.'),
  }),
  redirected: ({ location, status }) => ({
    message: sentences(
      withStatus(
        location === undefined
          ? l10n.t('The service redirects to another address.')
          : l10n.t('The service redirects to {0}.', plainText(location, 100)),
        status,
      ),
      l10n.t('The redirect wasn’t followed, so your session key wasn’t sent there.'),
    ),
    nextStep: sentences(
      status === 302 || status === 303 ? signInElsewhere() : '',
      l10n.t('If you trust that address, run Connect… and enter it.'),
    ),
  }),
  notService: ({ status = 200 }) => ({
    message: withStatus(
      l10n.t('This address returned a web page or unexpected data, not an agent workspace service.'),
      status === 200 ? undefined : status,
    ),
    nextStep: sentences(l10n.t('Check the connection’s address, including its path.'), signInElsewhere()),
  }),
  badShape: () => ({
    message: l10n.t('The service answered with data that this extension doesn’t understand.'),
    nextStep: l10n.t('Check that the address belongs to an agent workspace service, and its version.'),
  }),
  truncated: () => ({
    message: l10n.t('The service’s answer was cut off.'),
    nextStep: l10n.t('Try again.'),
  }),
  tooLarge: () => ({
    message: l10n.t('The service’s answer is larger than 16 MB, so it wasn’t read completely.'),
    nextStep: l10n.t('Tell your administrator.'),
  }),
  unauthorized: unauthorizedText,
  forbidden: ({ status }) => ({
    message: withStatus(l10n.t('Your session key isn’t allowed to do this.'), status),
    nextStep: l10n.t('Ask your administrator for access, or run Set Session Key.'),
  }),
  notFound: ({ status, route }) => ({
    message: withStatus(l10n.t('Not found on the service.'), status),
    nextStep: route.includes('{id}')
      ? l10n.t('It may have been deleted. Refresh to see what’s there.')
      : checkAddress(),
  }),
  methodNotAllowed: ({ status }) => ({
    message: withStatus(l10n.t('The service doesn’t support this at its address.'), status),
    nextStep: checkAddress(),
  }),
  conflict: (error) => ({
    message: withStatus(l10n.t('The service can’t do this in its current state.'), error.status),
    nextStep: hasOtherSecretKey(error)
      ? l10n.t(
          'Restart the agent server with the OH_SECRET_KEY that it had before. Nothing that it stored is lost until then.',
        )
      : l10n.t('Refresh and try again.'),
  }),
  payloadTooLarge: ({ status }) => ({
    message: withStatus(l10n.t('This is more than the service accepts at once.'), status),
    nextStep: l10n.t('Shorten it and try again.'),
  }),
  invalid: ({ status, issues }) => ({
    message:
      status === undefined
        ? l10n.t('Not sent because a value isn’t valid: {0}', asSentence(firstIssue(issues)))
        : withStatus(l10n.t('The service didn’t accept a value.'), status),
    nextStep: l10n.t('Correct it and try again.'),
  }),
  rateLimited: (error) => {
    const { status, retryAfterMs, limit, current } = error;
    if (isQuota(error))
      return {
        message: withStatus(l10n.t('You’ve reached your quota on the service.'), status),
        nextStep:
          retryAfterMs === undefined
            ? l10n.t('The service doesn’t say when you can try again.')
            : comeBack(retryAfterMs),
      };
    if (!isRunLimit(error))
      return {
        message: withStatus(l10n.t('The service is getting too many requests.'), status),
        nextStep: comeBack(retryAfterMs),
      };
    return isSandboxLimit(error)
      ? {
          message: withStatus(
            limit === undefined || current === undefined
              ? l10n.t('The service can’t run any more sandboxes at the same time.')
              : l10n.t('The service runs at most {0} at the same time. Running now: {1}.', limit, current),
            status,
          ),
          nextStep: l10n.t('Pause or delete a sandbox that you don’t need, then try again.'),
        }
      : {
          message: withStatus(l10n.t('The server can’t run any more agents at the same time.'), status),
          nextStep: l10n.t('Wait until an agent has finished, or pause one, then try again.'),
        };
  },
  serverError: (error) =>
    isDownBehindCanvas(error)
      ? {
          message: withStatus(
            error.route.startsWith('/api/automation')
              ? l10n.t('Agent Canvas answers, but its automation service isn’t running.')
              : l10n.t('Agent Canvas answers, but its agent server isn’t running.'),
            error.status,
          ),
          nextStep: l10n.t('If it has just been started, wait a moment. Otherwise, restart Agent Canvas.'),
        }
      : {
          message: withStatus(l10n.t('The service failed.'), error.status),
          nextStep: comeBack(error.retryAfterMs),
        },
  unexpectedStatus: ({ status }) => ({
    message: withStatus(l10n.t('The service gave an unexpected answer.'), status),
    nextStep: checkAddress(),
  }),
  noneSaved: () => ({
    message: l10n.t(
      'The service says that no settings are saved, but saved settings were seen there before.',
    ),
    nextStep: l10n.t('Try again. If they were reset on purpose, you can then start with empty settings.'),
  }),
  agentServer: () => ({
    message: l10n.t(
      'This is a standalone agent server: it has conversations, but no sandboxes. This version of the extension doesn’t show its settings.',
    ),
    nextStep: l10n.t('For sandboxes, connect to the service that starts agent servers.'),
  }),
  busy: () => ({
    message: l10n.t('Another window is changing the settings of this service.'),
    nextStep: l10n.t('Wait until it has finished, then try again.'),
  }),
  unreachable: () => ({
    message: l10n.t('Can’t reach the service.'),
    nextStep: l10n.t('Check the address and your network or VPN.'),
  }),
};

const signInElsewhere = () =>
  l10n.t('If a proxy or your network asks you to sign in, do that in a browser, then try again.');

const checkAddress = () => l10n.t('Check the connection’s address and the service’s version.');

/** Codes of a proxy that can't be reached begin with E; others come from one that answered. */
function proxyMessage(location: string | undefined, code = ''): string {
  if (location === undefined)
    return code === proxySignIn
      ? l10n.t('A proxy wants you to sign in.')
      : l10n.t('A proxy rejected the request.');
  const address = plainText(location, 100);
  if (code === unusableProxy)
    return l10n.t('Can’t use the proxy {0}: it must be HTTP, HTTPS, or SOCKS5.', address);
  return code.startsWith('E')
    ? l10n.t('Can’t reach the proxy {0}.', address)
    : l10n.t('The proxy {0} rejected the request.', address);
}

/** A 429 that’s about sandboxes; a standalone agent server has none. */
export const isSandboxLimit = (error: ApiError): boolean =>
  isRunLimit(error) && error.route.startsWith('/api/v1/');

/** A 401 isn't only about the session key: a git token that its provider refuses has the same status. */
function unauthorizedText({ status, route, serverText, signIn }: ApiError): ErrorText {
  if (status === undefined) {
    return {
      message: l10n.t('The session key contains characters that can’t be sent.'),
      nextStep: l10n.t('Run Set Session Key.'),
    };
  }
  if (route === '/api/add-git-providers' || route === '/api/v1/secrets/git-providers') {
    // Also the answer of a service that can't reach the provider.
    if (serverText?.startsWith('Invalid token')) {
      return {
        message: withStatus(l10n.t('The git provider didn’t confirm the token.'), status),
        nextStep: l10n.t('Check the token and its host, and that the service can reach the provider.'),
      };
    }
    return {
      message: withStatus(l10n.t('The service refused the git provider token or the session key.'), status),
      nextStep: l10n.t('Check the token. If it’s correct, run Set Session Key.'),
    };
  }
  if (signIn) {
    return {
      message: withStatus(l10n.t('You’re no longer signed in.'), status),
      nextStep: l10n.t('Run Sign In. Nothing is lost.'),
    };
  }
  return {
    message: sentences(
      withStatus(l10n.t('The service refused the request.'), status),
      l10n.t('The session key may be wrong.'),
    ),
    nextStep: l10n.t('Run Set Session Key, or try again if the key is correct.'),
  };
}

/** The sentence with the status before its full stop. */
export function withStatus(sentence: string, status: number | undefined): string {
  if (status === undefined) return sentence;
  const [stop = ''] = /[.。]$/.exec(sentence) ?? [];
  return l10n.t('{0} (HTTP {1})', sentence.slice(0, sentence.length - stop.length), status) + stop;
}

function firstIssue(issues: ApiError['issues']): string {
  const issue = issues?.[0];
  return issue === undefined ? '' : plainText(`${issue.loc.slice(1).join('.')}: ${issue.msg}`, 200);
}

/** When to try again, in the unit that people would use. */
function comeBack(retryAfterMs: number | undefined): string {
  if (retryAfterMs === undefined) return l10n.t('Wait a moment and try again.');
  const seconds = Math.max(1, Math.ceil(retryAfterMs / 1_000));
  if (seconds === 1) return l10n.t('Try again in 1 second.');
  if (seconds <= 120) return l10n.t('Try again in {0} seconds.', seconds);
  const minutes = Math.ceil(seconds / 60);
  return minutes <= 120
    ? l10n.t('Try again in {0} minutes.', minutes)
    : l10n.t('Try again in {0} hours.', Math.ceil(minutes / 60));
}
