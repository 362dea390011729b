import type * as vscode from 'vscode';
import { openShell } from './shell';

/** Called by the editor when the extension is first needed. Exports nothing to other extensions. */
export function activate(context: vscode.ExtensionContext): void {
  openShell(context);
}
