import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { checkConnection } from '../../api/connectionCheck';
import { commandIds } from '../../ids';
import { describeCheck } from '../../platform/checkText';
import { askPick } from '../../platform/inputs';
import { readConnections } from '../../platform/settings';
import type { Connection } from '../../shared/connection';
import type { CommandDependencies, Handler } from '../dependencies';

type Needs = Pick<CommandDependencies, 'session' | 'keys' | 'activeConnection' | 'createClient'>;

interface Item extends vscode.QuickPickItem {
  connection: Connection;
}

/** Switch Connection…: the configured connections, each with what the service says at this moment. */
export function switchConnection(needs: Needs): Handler {
  return async () => {
    const { connections } = readConnections();
    if (connections.length === 0) {
      await vscode.commands.executeCommand(commandIds.connectionConnect);
      return;
    }
    const active = needs.activeConnection.of(connections);
    const states = new Map<Connection, string>();
    const items = (): Item[] =>
      connections.map((connection) => ({
        connection,
        label: connection.name,
        description: [connection === active ? l10n.t('this window') : '', connection.baseUrl]
          .filter(Boolean)
          .join(' · '),
        detail: states.get(connection) ?? l10n.t('Asking…'),
      }));
    const picked = await askPick<Item>({
      title: l10n.t('Switch connection of this window'),
      placeholder: l10n.t('Choose a connection'),
      items: items(),
      update: async (show, signal) => {
        await Promise.all(
          connections.map(async (connection) => {
            states.set(connection, await stateOf(needs, connection, signal));
            show(items());
          }),
        );
      },
    });
    if (typeof picked !== 'object') return;
    await needs.activeConnection.choose(picked.connection);
    await needs.session.reload();
  };
}

async function stateOf(needs: Needs, connection: Connection, signal: AbortSignal): Promise<string> {
  const key = await needs.keys.get(connection.origin);
  if (key === undefined) return l10n.t('No session key on this computer');
  const check = await checkConnection(needs.createClient(connection, key), signal);
  return describeCheck(check)?.message ?? l10n.t('Answers, key accepted');
}
