import { ApiError, type ErrorReason } from '../api/errors';
import { toolIds } from '../ids';
import { describeError } from '../platform/errorText';
import { plainText } from '../shared/plainText';
import type { Session } from '../state/session';

/** An error whose message is written for the model: what is wrong, and what to do next. */
export class ToolError extends Error {}

const byCommand = (command: string) =>
  `Do not call again before the user has run the command “Agent Workspace: ${command}”: ask them to.`;
const diagnose = `${byCommand('Diagnose Connection')} It tells them what is wrong.`;
const connect = byCommand('Connect…');
const setKey = byCommand('Set Session Key…');
const onceMore = 'Call once more; if it fails again, tell the user.';
const tellUser = 'Do not call again: tell the user.';
const lookFirst = `Call ${toolIds.listSandboxes} or ${toolIds.listConversations} to see what is there, then decide.`;

/** What a model does next. */
const nextSteps: Record<ErrorReason, string> = {
  cancelled: 'Call again only if the user wants it.',
  badId: `Take the id from ${toolIds.listSandboxes} as it stands there, and call again.`,
  badUrl: connect,
  networkOption: diagnose,
  dns: diagnose,
  refused: diagnose,
  reset: onceMore,
  tls: diagnose,
  proxy: diagnose,
  connectTimeout: diagnose,
  timeout: onceMore,
  redirected: diagnose,
  notService: diagnose,
  badShape: diagnose,
  truncated: onceMore,
  tooLarge: tellUser,
  unauthorized: setKey,
  forbidden: setKey,
  notFound: lookFirst,
  methodNotAllowed: diagnose,
  conflict: lookFirst,
  payloadTooLarge: 'Make the input shorter, and call again.',
  invalid: 'Correct the input, and call again.',
  rateLimited: 'Make fewer calls: wait that long, and call again.',
  serverError: onceMore,
  unexpectedStatus: diagnose,
  unreachable: diagnose,
};

/** Any failure of a call to the service, for the model. What the service said is in it as a quotation. */
export function errorForModel(error: unknown): string {
  if (!(error instanceof ApiError)) {
    const words = error instanceof Error ? plainText(error.message, 200) : '';
    return `The tool failed. ${words} ${tellUser}`;
  }
  const { message, nextStep } = describeError(error);
  // How long to wait stands in the next step for people.
  const wait = error.reason === 'rateLimited' ? ` ${nextStep}` : '';
  const next = error.outcomeUnknown ? lookFirst : nextSteps[error.reason];
  return `${message}${wait} ${next}`;
}

/** Why there is nobody to ask, for the model. */
export function unconnected(session: Session): string {
  return session.kind === 'noKey'
    ? `The connection “${plainText(session.connection.name, 60)}” has no session key on this computer, so nothing was done. ${setKey}`
    : `This window is not connected to an agent workspace service, so nothing was done. ${connect}`;
}

/** The user agreed to something at another connection than the present one. */
export const connectionChanged =
  'The window has changed its connection since the user was asked, so nothing was done. Call again if it is still wanted: the user is asked again.';
