import * as vscode from 'vscode';
import { showError } from '../../../editor/progress';
import { Refusal } from '../../../core/basics/refusal';

/** Says why something failed. Only errors get the sentence `what` and a log: a refusal explains itself. */
export async function tellFailed(what: string, error: unknown): Promise<void> {
  if (error instanceof Refusal) void vscode.window.showWarningMessage(error.message);
  else await showError(what, error);
}
