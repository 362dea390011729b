import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandDependencies, Handler } from '../dependencies';
import { entriesWith } from '../../platform/connectionEntries';
import { updateConnections } from '../../platform/settings';
import { askSessionKey } from '../askSessionKey';
import { tellSwitched } from '../tellNone';

type Needs = Pick<CommandDependencies, 'session' | 'keys' | 'createClient' | 'listConnections'>;

/** Set Session Key…: asks for the key of the current connection. */
export function setKey(needs: Needs): Handler {
  return async () => {
    const { current } = needs.session;
    if (!('connection' in current)) return;
    const { connection } = current;
    const title = l10n.t('Session key for {0}', connection.name);
    const answer = await askSessionKey(needs, connection, { title });
    if (typeof answer !== 'object') return;
    const { sessionKey } = answer;
    const { authentication } = answer.connection;
    const present = needs.listConnections().connections.find(({ baseUrl }) => baseUrl === connection.baseUrl);
    // A key of a connection that was removed meanwhile couldn't be cleared anymore.
    if (!present) {
      tellSwitched();
      return;
    }
    const { authentication: former, ...others } = present;
    if (authentication !== former) {
      const changed = { ...others, ...(authentication && { authentication }) };
      await updateConnections((entries) => entriesWith(entries, changed));
    }
    await needs.keys.set(connection.origin, sessionKey);
    await needs.session.reload();
    await needs.session.verify();
    const now = needs.session.current;
    if (now.kind === 'ready' && now.connection.baseUrl === connection.baseUrl) {
      void vscode.window.showInformationMessage(l10n.t('Connected to {0}.', connection.name));
    }
  };
}
