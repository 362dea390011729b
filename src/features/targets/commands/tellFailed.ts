import * as vscode from 'vscode';
import { showError } from '../../../editor/progress';
import { Refusal } from '../../../core/basics/refusal';
import { sentences } from '../../../shared/joined';

/**
 * Says why something failed. Only errors get the sentence `what` and a log: a refusal explains itself, unless `what` names
 * some of several.
 */
export async function tellFailed(what: string, error: unknown, namesSome = false): Promise<void> {
  if (error instanceof Refusal)
    void vscode.window.showWarningMessage(namesSome ? sentences(what, error.message) : error.message);
  else await showError(what, error);
}
