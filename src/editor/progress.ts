import { setTimeout as pause } from 'node:timers/promises';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { ApiError, type ErrorReason } from '../api/http/errors';
import { commandIds, extensionId } from '../ids';
import { describeError, type FailedChange } from './errorText';
import { sentences } from '../shared/joined';
import { helpSection } from './helpSections';

/** An AbortSignal for a cancellation token of the editor. */
export function signalOf(token: vscode.CancellationToken): AbortSignal {
  const controller = new AbortController();
  if (token.isCancellationRequested) controller.abort();
  token.onCancellationRequested(() => controller.abort());
  return controller.signal;
}

/**
 * In milliseconds. Work that ends sooner shows no notification: it would only flash, and the editor shows no fourth one
 * in quick succession.
 */
const noticeAfter = 300;

/** Runs `work`, under a cancellable progress notification if it takes a moment. */
export async function withProgress<T>(
  title: string,
  work: (report: (message: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const canceled = new AbortController();
  const ended = new AbortController();
  let latest: string | undefined;
  let show: ((message: string) => void) | undefined;
  const report = (message: string) => {
    latest = message;
    show?.(message);
  };
  const working = work(report, canceled.signal).finally(() => ended.abort());
  pause(noticeAfter, undefined, { signal: ended.signal }).then(
    () =>
      vscode.window.withProgress(
        { location: vscode.ProgressLocation.Notification, title, cancellable: true },
        (progress, token) => {
          token.onCancellationRequested(() => canceled.abort());
          show = (message) => progress.report({ message });
          if (latest !== undefined) show(latest);
          return working.catch(() => undefined);
        },
      ),
    () => undefined,
  );
  return working;
}

/** Shows the progress of work that fails when it's canceled, and resolves to undefined then. */
export function unlessCanceled<T>(
  title: string,
  work: (report: (message: string) => void, signal: AbortSignal) => Promise<T>,
): Promise<T | undefined> {
  return withProgress(title, (report, signal) =>
    work(report, signal).catch((error: unknown) => {
      if (signal.aborted) return undefined;
      throw error;
    }),
  );
}

/** Runs `work` with progress in the status bar, for work that's usually done before a notification could be read. */
export function withQuietProgress<T>(title: string, work: () => Promise<T>): Thenable<T> {
  return vscode.window.withProgress({ location: vscode.ProgressLocation.Window, title }, work);
}

export interface ErrorAction {
  title: string;
  /** Absent where the caller acts on the choice itself. */
  run?: () => unknown;
}

/**
 * Shows an error: what failed, why, and the next step, with buttons for the guide and the log. Resolves to the button
 * that the user chose once its work is done, undefined for none.
 * @param applied what became of the change, if more is known than the error says
 */
export async function showError(
  what: string,
  error: unknown,
  { action, applied }: { action?: ErrorAction | undefined; applied?: FailedChange | undefined } = {},
): Promise<'action' | 'help' | undefined> {
  const { message, nextStep } = describeError(error, applied);
  const help = new Map<string, () => unknown>();
  if (error instanceof ApiError) help.set(l10n.t('Help'), () => showHelp(error.reason));
  help.set(l10n.t('Show Logs'), () => vscode.commands.executeCommand(commandIds.logsShow));
  const titles = [...(action ? [action.title] : []), ...help.keys()];
  const picked = await vscode.window.showErrorMessage(sentences(what, message, nextStep), ...titles);
  if (picked === undefined) return undefined;
  const isAction = picked === action?.title;
  await (isAction ? action.run?.() : help.get(picked)?.());
  return isAction ? 'action' : 'help';
}

/** Opens what the packaged guide says about a failure; it is there without a network, too. */
async function showHelp(reason: ErrorReason): Promise<void> {
  const folder = vscode.extensions.getExtension(extensionId)?.extensionUri;
  if (!folder) return;
  const guide = vscode.Uri.joinPath(folder, 'docs', 'troubleshooting.md');
  try {
    await vscode.commands.executeCommand(
      'markdown.showPreview',
      guide.with({ fragment: helpSection[reason] }),
    );
  } catch {
    // The editor's own Markdown extension can be switched off; the text reads well by itself.
    await vscode.window.showTextDocument(guide);
  }
}
