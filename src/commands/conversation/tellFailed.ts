import * as vscode from 'vscode';
import { showError } from '../../platform/progress';
import { Refusal } from '../../state/basics/refusal';

/** Says why something failed. `what` failed is said of errors alone: a refusal says it itself, and needs no log. */
export async function tellFailed(what: string, error: unknown): Promise<void> {
  if (error instanceof Refusal) void vscode.window.showWarningMessage(error.message);
  else await showError(what, error);
}
