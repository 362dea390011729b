import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { SessionStore } from '../../../core/session/session';
import { entriesBeside } from '../../../editor/connectionEntries';
import type { Handler } from '../../../editor/handler';
import { askPick, confirmed } from '../../../editor/inputs';
import type { KeptServers } from '../../../editor/keptServers';
import type { ParkedServers } from '../../../editor/parkedServers';
import type { SessionKeys } from '../../../editor/sessionKeys';
import { readConnections, updateConnections } from '../../../editor/settings';
import type { Connection } from '../../../shared/connection';
import { nameList, sentences } from '../../../shared/joined';
import { mcpLabel } from '../../../shared/mcp';
import type { ParkedServer } from '../../../shared/parked';
import { plainText } from '../../../shared/plainText';

/**
 * Remove Connection…: deletes a connection from the settings, with the MCP servers that are parked or kept for it, and
 * with its key unless another connection needs it.
 */
export function removeConnection({
  session,
  keys,
  parked: openParked,
  kept,
}: {
  session: SessionStore;
  keys: SessionKeys;
  parked: () => Promise<Pick<ParkedServers, 'list' | 'removeAll'>>;
  kept: Pick<KeptServers, 'read' | 'remove'>;
}): Handler {
  return async () => {
    const { connections } = readConnections();
    if (connections.length === 0) {
      void vscode.window.showInformationMessage(l10n.t('There are no connections to remove.'));
      return;
    }
    const picked = await askPick({
      title: l10n.t('Remove a connection'),
      placeholder: l10n.t('Select the connection to remove'),
      items: connections.map((connection) => ({
        connection,
        label: connection.name,
        description: connection.baseUrl,
      })),
    });
    if (typeof picked !== 'object') return;
    const { name, baseUrl, origin } = picked.connection;
    const sharing = othersWithKeyOf(picked.connection);
    const parked = await openParked();
    const consequences =
      sharing.length === 0
        ? l10n.t(
            'This removes the connection from your settings and deletes its session key from this computer. Nothing changes on the service.',
          )
        : l10n.t(
            'This removes the connection from your settings. The session key is kept because {0} uses it too. Nothing changes on the service.',
            nameList(sharing.map((other) => other.name)),
          );
    const hasKept = ((await kept.read(baseUrl)) ?? null) !== null;
    const keptWords = hasKept
      ? l10n.t('The secrets of its MCP servers that this computer keeps are deleted too.')
      : '';
    const agreed = await confirmed(
      l10n.t('Remove the connection {0}?', name),
      // Several can have the same name.
      `${plainText(baseUrl, 200)}\n\n${sentences(consequences, keptWords, parkedWords(parked.list(baseUrl)))}`,
      l10n.t('Remove'),
    );
    if (!agreed) return;
    await updateConnections((entries) => entriesBeside(entries, baseUrl));
    const isLast = othersWithKeyOf(picked.connection).length === 0;
    const forgotten = await kept.remove(baseUrl);
    const areGone = (await parked.removeAll(baseUrl)) && forgotten;
    // `clear` throws if the storage may still hold the key.
    const isCleared =
      !isLast ||
      (await keys.clear(origin).then(
        () => true,
        () => false,
      ));
    await session.reload();
    const removed = l10n.t('Removed the connection {0}.', name);
    if (areGone && isCleared) {
      void vscode.window.showInformationMessage(removed);
      return;
    }
    void vscode.window.showWarningMessage(
      sentences(
        removed,
        isCleared ? '' : l10n.t('Its session key may still be on this computer.'),
        areGone ? '' : l10n.t('Secrets of its MCP servers may still be on this computer.'),
        l10n.t('Check your system’s keyring.'),
      ),
    );
  };
}

/** What happens to the MCP servers that are parked for a connection; empty without any. */
function parkedWords(servers: readonly ParkedServer[]): string {
  if (servers.length === 0) return '';
  const names = nameList(servers.map((server) => plainText(mcpLabel(server), 80)));
  return l10n.t('Its parked MCP servers are deleted too, with their secrets: {0}.', names);
}

/** Several connections can share an origin, and with it the session key. */
function othersWithKeyOf({ baseUrl, origin }: Connection): Connection[] {
  return readConnections().connections.filter(
    (other) => other.baseUrl !== baseUrl && other.origin === origin,
  );
}
