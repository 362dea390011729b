import * as l10n from '@vscode/l10n';
import type { SessionStore } from '../../../core/session/session';
import type { ActiveConnection } from '../../../editor/activeConnection';
import type { ConfiguredConnections } from '../../../editor/connectionEntries';
import { agreedTo } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';

/** What switching the window’s connection needs. */
export interface SwitchNeeds {
  session: SessionStore;
  activeConnection: ActiveConnection;
  listConnections: () => ConfiguredConnections;
}

/** Whether the window is on a service, perhaps without a key. */
export const isOnService = (
  { session: { current } }: Pick<SwitchNeeds, 'session'>,
  baseUrl: string,
): boolean => 'connection' in current && current.connection.baseUrl === baseUrl;

/**
 * Switches the window to a service that has a connection, if the user agrees.
 * @param why says with the connection’s name why the window has to switch
 * @returns whether the window is on that service
 */
export async function switchTo(
  needs: SwitchNeeds,
  baseUrl: string,
  why: (name: string) => string,
): Promise<boolean> {
  const { session, activeConnection, listConnections } = needs;
  const connection = listConnections().connections.find((one) => one.baseUrl === baseUrl);
  if (!connection) return false;
  const name = plainText(connection.name, 80);
  if (!(await agreedTo(l10n.t('Switch to {0}?', name), why(name), l10n.t('Switch')))) return false;
  await activeConnection.choose(connection);
  await session.reload();
  return isOnService(needs, baseUrl);
}
