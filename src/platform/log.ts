import type * as vscode from 'vscode';
import type { RequestEvent } from '../api/transport';
import { logLine } from './logLine';

/** Logs a try of a request: as a warning when it failed. */
export function logRequest(log: vscode.LogOutputChannel, event: RequestEvent): void {
  const { reason } = event;
  if (reason === undefined || reason === 'cancelled') log.trace(logLine(event));
  else log.warn(logLine(event));
}
