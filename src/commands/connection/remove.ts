import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askPick, confirmed } from '../../platform/inputs';
import { entriesBeside, readConnections, updateConnections } from '../../platform/settings';
import type { Connection } from '../../shared/connection';
import type { CommandDependencies, Handler } from '../dependencies';
import { nameList } from '../../shared/joined';

/** Remove Connection…: takes a connection out of the settings, and its key unless another one shares the origin. */
export function removeConnection({ session, keys }: Pick<CommandDependencies, 'session' | 'keys'>): Handler {
  return async () => {
    const { connections } = readConnections();
    if (connections.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('There is no connection to remove.'));
      return;
    }
    const picked = await askPick({
      title: l10n.t('Remove a connection'),
      placeholder: l10n.t('Choose the connection to remove'),
      items: connections.map((connection) => ({
        connection,
        label: connection.name,
        description: connection.baseUrl,
      })),
    });
    if (typeof picked !== 'object') return;
    const { name, baseUrl } = picked.connection;
    const sharing = othersWithKeyOf(picked.connection);
    const agreed = await confirmed(
      l10n.t('Remove the connection {0}?', name),
      sharing.length === 0
        ? l10n.t(
            'Its entry in your settings and its session key on this computer go. Nothing changes on the service.',
          )
        : l10n.t(
            'Its entry in your settings goes. The session key stays, because {0} uses it too. Nothing changes on the service.',
            nameList(sharing.map((other) => other.name)),
          ),
      l10n.t('Remove'),
    );
    if (!agreed) return;
    await updateConnections((entries) => entriesBeside(entries, baseUrl));
    if (othersWithKeyOf(picked.connection).length === 0) await keys.clear(picked.connection.origin);
    await session.reload();
    void vscode.window.showInformationMessage(l10n.t('Removed the connection {0}.', name));
  };
}

/** A session key belongs to an origin, at which several connections may be. */
function othersWithKeyOf({ baseUrl, origin }: Connection): Connection[] {
  return readConnections().connections.filter(
    (other) => other.baseUrl !== baseUrl && other.origin === origin,
  );
}
