import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import { checkConnection } from '../../../api/service/connectionCheck';
import { noKeyWords } from '../../../core/rows/trouble';
import type { SessionStore } from '../../../core/session/session';
import type { ActiveConnection } from '../../../editor/activeConnection';
import { describeCheck } from '../../../editor/checkText';
import type { ConfiguredConnections } from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import { askPick } from '../../../editor/inputs';
import type { SessionKeys } from '../../../editor/sessionKeys';
import { commandIds } from '../../../ids';
import type { Connection } from '../../../shared/connection';

/** What commands that connect the window need. */
export interface ConnectNeeds {
  session: SessionStore;
  keys: SessionKeys;
  activeConnection: ActiveConnection;
  listConnections: () => ConfiguredConnections;
  createClient: (connection: Connection, sessionKey: string) => ApiClient;
}

/** Switch Connection…: lists the connections, each with its current state. */
export function switchConnection(needs: ConnectNeeds): Handler {
  return async () => {
    const { connections } = needs.listConnections();
    if (connections.length === 0) {
      await vscode.commands.executeCommand(commandIds.connectionConnect);
      return;
    }
    const active = needs.activeConnection.of(connections);
    const states = new Map<Connection, string>();
    const items = () =>
      connections.map((connection) => ({
        connection,
        label: connection.name,
        description: connection.baseUrl,
        detail: states.get(connection) ?? l10n.t('Checking…'),
      }));
    const picked = await askPick({
      title: l10n.t('Switch this window’s connection'),
      placeholder: l10n.t('Select a connection'),
      items: items(),
      isCurrent: ({ connection }) => connection === active,
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

async function stateOf(needs: ConnectNeeds, connection: Connection, signal: AbortSignal): Promise<string> {
  const key = await needs.keys.get(connection.origin);
  if (key === undefined) return noKeyWords(connection);
  const check = await checkConnection(needs.createClient(connection, key), signal);
  return describeCheck(check)?.message ?? l10n.t('Available, key accepted');
}
