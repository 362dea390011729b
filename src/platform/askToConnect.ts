import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { commandIds } from '../ids';

/** Says that a command needs a connection, and offers to make one. */
export async function askToConnect(): Promise<void> {
  const connect = l10n.t('Connect…');
  const picked = await vscode.window.showInformationMessage(
    l10n.t('This window isn’t connected to an agent workspace service.'),
    connect,
  );
  if (picked === connect) await vscode.commands.executeCommand(commandIds.connectionConnect);
}
