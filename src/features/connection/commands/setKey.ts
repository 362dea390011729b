import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import type { SessionStore } from '../../../core/session/session';
import { askSessionKey } from '../../../editor/asking/askSessionKey';
import { entriesWith, type ConfiguredConnections } from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import type { SessionKeys } from '../../../editor/sessionKeys';
import { updateConnections } from '../../../editor/settings';
import type { Connection } from '../../../shared/connection';
import { tellSwitched } from '../../targets/editor';

interface Needs {
  session: SessionStore;
  keys: SessionKeys;
  createClient: (connection: Connection, sessionKey: string) => ApiClient;
  listConnections: () => ConfiguredConnections;
}

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
    const listed = needs.listConnections().connections.find(({ baseUrl }) => baseUrl === connection.baseUrl);
    // A key of a connection that was removed in the meantime couldn't be cleared anymore.
    if (!listed) {
      tellSwitched();
      return;
    }
    const { authentication: previous, ...others } = listed;
    if (authentication !== previous) {
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
