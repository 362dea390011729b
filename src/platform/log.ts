import type * as vscode from 'vscode';
import type { RequestEvent } from '../api/http/transport';
import { isFault, logLine } from './logLine';

/** Logs a try of a request: as a warning if it failed unexpectedly. */
export function logRequest(log: Pick<vscode.LogOutputChannel, 'trace' | 'warn'>, event: RequestEvent): void {
  if (isFault(event)) log.warn(logLine(event));
  else log.trace(logLine(event));
}
