import * as l10n from '@vscode/l10n';
import type { ConnectionCheck } from '../api/service/connectionCheck';
import type { ApiError, ErrorReason } from '../api/http/errors';
import type { AgentServerInfo } from '../api/serverInfo';
import { sentences } from '../shared/joined';
import { plainText } from '../shared/plainText';
import { isLoopback } from '../shared/url';
import { describeError, withStatus, type ErrorText } from './errorText';

/**
 * What the key of an agent server opens, said once it’s connected. Agent Canvas in its normal mode has the key in its
 * page, which others can open unless it’s at an address of this computer alone.
 */
export function keyWarning({ isCanvas }: AgentServerInfo, baseUrl: string): string {
  const shell = l10n.t('Whoever has its key has a shell on its computer.');
  if (isCanvas !== true || isLoopback(new URL(baseUrl).hostname)) return shell;
  const canvas = l10n.t(
    'Agent Canvas shows its key to whoever opens its page. If others can reach this address, start it with --public.',
  );
  return sentences(shell, canvas);
}

/**
 * What's wrong with a connection, for someone who is entering it; undefined if the service accepted the key. Mostly
 * uses the words of errorText.ts.
 */
export function describeCheck(check: ConnectionCheck): ErrorText | undefined {
  switch (check.kind) {
    case 'ok':
    case 'neverSaved':
    case 'agentServer':
      return undefined;
    case 'refused':
    case 'failed':
      return entering[check.error.reason]?.(check.error) ?? describeError(check.error);
  }
}

/** Reasons whose usual words assume a connection that worked before. */
const entering: Partial<Record<ErrorReason, (error: ApiError) => ErrorText>> = {
  badUrl: () => ({
    message: l10n.t('This address can’t be used.'),
    nextStep: l10n.t('Check it for typos.'),
  }),
  redirected: ({ location }) => ({
    message:
      location === undefined
        ? l10n.t('This address redirects to another one. The redirect wasn’t followed.')
        : l10n.t('This address redirects to {0}. The redirect wasn’t followed.', plainText(location, 100)),
    nextStep: l10n.t('If you trust the new address, enter it here.'),
  }),
  unauthorized: keyRefused,
  forbidden: keyRefused,
  notService: noService,
  notFound: noService,
  methodNotAllowed: noService,
  badShape: unexpected,
  conflict: unexpected,
  invalid: unexpected,
  payloadTooLarge: unexpected,
  unexpectedStatus: unexpected,
};

function keyRefused(error: ApiError): ErrorText {
  const { status, signIn } = error;
  if (signIn) return describeError(error);
  return {
    message: withStatus(l10n.t('The service refused this session key.'), status),
    nextStep: l10n.t('Check the key.'),
  };
}

function noService(error: ApiError): ErrorText {
  const { status, reason } = error;
  if (reason === 'notService' && status !== 200) return describeError(error);
  return {
    message: withStatus(l10n.t('There is no agent workspace service at this address.'), status),
    nextStep: l10n.t('Check the address and its path.'),
  };
}

function unexpected({ status }: ApiError): ErrorText {
  return {
    message: withStatus(l10n.t('This address returned unexpected data.'), status),
    nextStep: l10n.t('Check that it belongs to an agent workspace service.'),
  };
}
