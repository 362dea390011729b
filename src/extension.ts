import type * as vscode from 'vscode';
import { openShell } from './shell';

let close: (() => Promise<void> | undefined) | undefined;

/** Called by the editor when the extension is first needed. Exports nothing to other extensions. */
export function activate(context: vscode.ExtensionContext): void {
  close = openShell(context);
}

/** Called by the editor when the window closes; the editor waits a few seconds at most. */
export function deactivate(): Promise<void> | undefined {
  return close?.();
}
