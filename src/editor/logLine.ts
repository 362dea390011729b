import type * as vscode from 'vscode';
import { concealing } from '../api/http/errorBody';
import { ApiError } from '../api/http/errors';
import type { RequestEvent } from '../api/http/transport';
import { plainText } from '../shared/plainText';

/**
 * Logs a try of a request: as a warning if it failed unexpectedly.
 * @param connection name of the connection that it was made for
 */
export function logRequest(
  log: Pick<vscode.LogOutputChannel, 'trace' | 'warn'>,
  event: RequestEvent,
  connection: string,
): void {
  const line = `${plainText(connection, 40)}: ${logLine(event)}`;
  if (isFault(event)) log.warn(line);
  else log.trace(line);
}

/** One line for a try of a request: an allow-list of harmless facts, so no header, id, query or body can be in it. */
export function logLine(event: RequestEvent): string {
  const { method, route, attempt, status, ms, bytes, reason, serverText, skipped } = event;
  return [
    `${method} ${route}`,
    status === undefined ? 'no answer' : `${status}`,
    `${Math.round(ms)} ms`,
    `${bytes} B`,
    attempt > 1 ? `try ${attempt}` : '',
    skipped > 0 ? `${skipped} malformed elements left out` : '',
    reason === undefined ? '' : event.expected ? `${reason}, as expected` : reason,
    said(serverText),
  ]
    .filter(Boolean)
    .join(', ');
}

/** True for a try that failed unexpectedly, rather than being canceled. */
function isFault({ reason, expected }: RequestEvent): boolean {
  return reason !== undefined && reason !== 'canceled' && reason !== 'keyRevoked' && !expected;
}

/**
 * Any error for the log: a line that says what failed, and below it the calls that led there. Bounded, and without what
 * looks like a secret.
 */
export function errorLines(error: unknown): string {
  const words =
    error instanceof ApiError
      ? [error.message, said(error.serverText)].filter(Boolean).join(', ')
      : harmless(String(error), 1_000);
  const stack = error instanceof Error ? (error.stack ?? '').split('\n') : [];
  const calls = stack.filter((line) => /^ +at /.test(line)).slice(0, mostCalls);
  return [words, ...calls.map((call) => `    ${harmless(call, 300)}`)].join('\n');
}

const mostCalls = 20;

function harmless(text: string, max: number): string {
  return plainText(concealing([])(text), max);
}

function said(serverText: string | undefined): string {
  return serverText === undefined ? '' : `the service says “${serverText}”`;
}
