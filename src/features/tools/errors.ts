import { ApiError, type ErrorReason } from '../../api/http/errors';
import { toolIds } from '../../ids';
import { describeError } from '../../editor/errorText';
import { plainText } from '../../shared/plainText';
import type { Session } from '../../core/session/session';

/** An error with a message for the model: what went wrong and what to do next. */
export class ToolError extends Error {}

const byCommand = (command: string) =>
  `Don’t call again until the user has run the command “Agent Workspace: ${command}”: ask them to.`;
const diagnose = `${byCommand('Diagnose Connection')} The report shows the cause.`;
const connect = byCommand('Connect…');
const setKey = byCommand('Set Session Key…');
const onceMore = 'Call again. If it fails again, tell the user.';
const tellUser = 'Don’t call again: tell the user.';
const lookFirst = `Call ${toolIds.listSandboxes} or ${toolIds.listConversations} to see the current state, then decide.`;

/** What the model should do next. */
const nextSteps: Record<ErrorReason, string> = {
  canceled: 'Call again only if the user wants it.',
  keyRevoked: setKey,
  badId: `Copy the id exactly as ${toolIds.listSandboxes} returns it, and call again.`,
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
  rateLimited: 'Make fewer calls: wait that long, then call again.',
  serverError: onceMore,
  unexpectedStatus: diagnose,
  noneSaved: tellUser,
  agentServer: connect,
  busy: onceMore,
  unreachable: diagnose,
};

/** Describes any failure of a call for the model. What the service said is quoted. */
export function errorForModel(error: unknown): string {
  if (!(error instanceof ApiError)) {
    const words = error instanceof Error ? plainText(error.message, 200) : '';
    return `The tool failed. ${words} ${tellUser}`;
  }
  const { message, nextStep } = describeError(error);
  // The next step for people says how long to wait.
  const wait = error.reason === 'rateLimited' ? ` ${nextStep}` : '';
  const next = error.outcomeUnknown ? lookFirst : nextSteps[error.reason];
  return `${message}${wait} ${next}`;
}

/** Why there is no service to call, for the model. */
export function unconnected(session: Session): string {
  return session.kind === 'noKey'
    ? `The connection “${plainText(session.connection.name, 60)}” has no session key on this computer, so nothing was done. ${setKey}`
    : `This window isn’t connected to an agent workspace service, so nothing was done. ${connect}`;
}

const askAgain = 'Nothing was done. If the user still wants this, call again, which asks them again.';

/** The user agreed to a call on another connection than the current one. */
export const connectionChanged = `The window switched to another connection after the user was asked. ${askAgain}`;

/** The question that the user agreed to would now read differently. */
export const situationChanged = `The user was asked, but the situation has changed since then. ${askAgain}`;

/** Nobody asked the user. */
export const notAsked = `The user wasn’t asked about this call. ${askAgain}`;
