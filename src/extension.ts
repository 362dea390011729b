import type * as vscode from 'vscode';
import { compose } from './compose';

/** Called by the editor when the extension is first needed. Exports nothing to other extensions. */
export function activate(context: vscode.ExtensionContext): void {
  compose(context);
}
