import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { CommandDependencies, Handler } from '../dependencies';
import { askSessionKey } from '../askSessionKey';

type Needs = Pick<CommandDependencies, 'session' | 'keys' | 'createClient'>;

/** Set Session Key…: asks for the key of the current connection. */
export function setKey(needs: Needs): Handler {
  return async () => {
    const { current } = needs.session;
    if (!('connection' in current)) return;
    const { connection } = current;
    const title = l10n.t('Session key for {0}', connection.name);
    const key = await askSessionKey(needs, connection, { title });
    if (typeof key !== 'string') return;
    await needs.keys.set(connection.origin, key);
    await needs.session.reload();
    await needs.session.verify();
    const now = needs.session.current;
    if (now.kind === 'ready' && now.connection.baseUrl === connection.baseUrl) {
      void vscode.window.showInformationMessage(l10n.t('Connected to {0}.', connection.name));
    }
  };
}
