import type { ApiClient } from '../api/service/client';
import type { CommandDependencies } from './commands/dependencies';
import type { Connection } from '../shared/connection';
import { same } from '../shared/same';

/** Reaches the service of a connection; undefined without a key for it. */
export type Reach = (
  connection: Connection,
) => Promise<{ connection: Connection; client: ApiClient } | undefined>;

/**
 * Reaches services that the window may not be connected to, with the keys that this computer has. Each has the same client
 * for as long as its connection and key are the same.
 */
export function reachedServices({
  keys,
  createClient,
}: Pick<CommandDependencies, 'keys' | 'createClient'>): Reach {
  const clients = new Map<string, { connection: Connection; sessionKey: string; client: ApiClient }>();
  return async (connection) => {
    const sessionKey = await keys.get(connection.origin);
    if (sessionKey === undefined) return undefined;
    const known = clients.get(connection.baseUrl);
    const isSame =
      known?.sessionKey === sessionKey &&
      same(known.connection, connection) &&
      known.client.ended?.aborted !== true;
    const client = isSame ? known.client : createClient(connection, sessionKey);
    clients.set(connection.baseUrl, { connection, sessionKey, client });
    return { connection, client };
  };
}
