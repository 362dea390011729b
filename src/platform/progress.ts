import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError } from '../api/http/errors';
import { commandIds, type CommandId } from '../ids';
import { describeError } from './errorText';
import { showHelp } from './help';
import { sentences } from '../shared/joined';

/** An AbortSignal for a cancellation token of the editor. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/** Runs `work` under a cancellable progress notification. */
export function withProgress<T>(
  title: string,
  work: (report: (message: string) => void, signal: AbortSignal) => Promise<T>,
): Thenable<T> {
  return vscode.window.withProgress(
    { location: vscode.ProgressLocation.Notification, title, cancellable: true },
    (progress, token) => work((message) => progress.report({ message }), signalOf(token)),
  );
}

/** Runs `work` with a sign in the status bar: for what is usually done before a notification could be read. */
export function withQuietProgress<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}

export interface ErrorAction {
  title: string;
  command: CommandId;
}

/** Shows an error: what failed, why, and the next step, with buttons for the guide and the log. */
export async function showError(what: string, error: unknown, action?: ErrorAction): Promise<void> {
  const { message, nextStep } = describeError(error);
  const run = (command: CommandId) => vscode.commands.executeCommand(command);
  const actions = new Map<string, () => Thenable<unknown>>();
  if (action) actions.set(action.title, () => run(action.command));
  if (error instanceof ApiError) actions.set(l10n.t('Help'), () => showHelp(error.reason));
  actions.set(l10n.t('Show Logs'), () => run(commandIds.logsShow));
  const picked = await vscode.window.showErrorMessage(sentences(what, message, nextStep), ...actions.keys());
  if (picked !== undefined) await actions.get(picked)?.();
}
