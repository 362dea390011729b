import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { askPick, confirmed } from '../../platform/inputs';
import { entriesBeside, readConnections, updateConnections } from '../../platform/settings';
import type { CommandDependencies, Handler } from '../dependencies';

/** Remove Connection…: takes a connection out of the settings, and its key unless another one shares the origin. */
export function removeConnection({ session, keys }: Pick<CommandDependencies, 'session' | 'keys'>): Handler {
  return async () => {
    const { connections } = readConnections();
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
    const { name, baseUrl, origin } = picked.connection;
    const agreed = await confirmed(
      l10n.t('Remove the connection {0}?', name),
      l10n.t(
        'Its entry in your settings and its session key on this computer go. Nothing changes on the service.',
      ),
      l10n.t('Remove'),
    );
    if (!agreed) return;
    await updateConnections((entries) => entriesBeside(entries, baseUrl));
    const shared = connections.some((other) => other.baseUrl !== baseUrl && other.origin === origin);
    if (!shared) await keys.clear(origin);
    await session.reload();
    void vscode.window.showInformationMessage(l10n.t('Removed the connection {0}.', name));
  };
}
