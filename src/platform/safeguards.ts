import * as vscode from 'vscode';
import { KeptServers } from './keptServers';
import { SeenSettings } from './seenSettings';
import { WindowLock } from './windowLock';

/** The editor's part of what protects a service's settings: `Safeguards` of the state. */
export function editorSafeguards(
  {
    globalState,
    globalStorageUri,
    secrets,
  }: Pick<vscode.ExtensionContext, 'globalState' | 'globalStorageUri' | 'secrets'>,
  log: Pick<vscode.LogOutputChannel, 'warn'>,
) {
  const locks = vscode.Uri.joinPath(globalStorageUri, 'locks').fsPath;
  return {
    lock: new WindowLock(locks),
    seen: new SeenSettings(globalState),
    kept: new KeptServers(secrets, log),
  };
}
