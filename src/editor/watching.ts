import * as vscode from 'vscode';
import { intervalOf } from '../core/basics/interval';
import { configurationSection, developmentEnvironment, settingIds, stateIds } from '../ids';

/** The editor has more urgent things to do right after it started. */
const startDelayMs = 2_000;

/** Milliseconds between two looks at the conversations, whatever is on screen; 0 = none. */
export const watchMs = () => intervalMs('watchSeconds', 60_000);

/** Milliseconds between two automatic refreshes of what is on screen; 0 turns them off. */
export const refreshIntervalMs = () => intervalMs('refreshIntervalSeconds', 15_000);

function intervalMs(id: 'watchSeconds' | 'refreshIntervalSeconds', otherwise: number): number {
  const seconds = vscode.workspace.getConfiguration(configurationSection).get<unknown>(settingIds[id]);
  return intervalOf(seconds, otherwise);
}

/**
 * Calls `start` soon when there is something to watch, which is when a session key was ever stored, and as soon as
 * another window stores one. Costs next to nothing: reads no secret and no file.
 */
export function whenWatched(context: vscode.ExtensionContext, start: () => void): vscode.Disposable {
  const startIfWanted = () => {
    if (watchMs() > 0 && hasKey(context)) start();
  };
  const timer = setTimeout(startIfWanted, startDelayMs);
  return vscode.Disposable.from(
    { dispose: () => clearTimeout(timer) },
    context.secrets.onDidChange(() => watchMs() > 0 && start()),
    onDidChangeSettings('watchSeconds', startIfWanted),
  );
}

/** Calls `listener` when one of these settings may have changed. */
export function onDidChangeSettings(id: keyof typeof settingIds, listener: () => void): vscode.Disposable {
  return vscode.workspace.onDidChangeConfiguration((event) => {
    if (event.affectsConfiguration(`${configurationSection}.${settingIds[id]}`)) listener();
  });
}

function hasKey({ globalState, extensionMode }: vscode.ExtensionContext): boolean {
  const { Production } = vscode.ExtensionMode;
  if (extensionMode !== Production && process.env[developmentEnvironment.url]) return true;
  const stored = globalState.get<unknown>(stateIds.storedKeys);
  return Array.isArray(stored) && stored.length > 0;
}
