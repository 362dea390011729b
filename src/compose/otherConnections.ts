import { systemClock } from '../api/http/clock';
import type { ApiClient } from '../api/service/client';
import type { CommandDependencies } from '../commands/dependencies';
import { settingIds } from '../ids';
import { isOn } from '../platform/settings';
import { onDidChangeSettings, watchMs } from '../platform/watching';
import type { Connection } from '../shared/connection';
import { same } from '../shared/same';
import type { AttentionFeed } from '../state/attention/attentionFeed';
import { OtherConnections } from '../state/attention/otherConnections';
import type { ToldNews } from '../state/attention/toldNews';
import type { Own } from './panels';

interface Needs extends Pick<
  CommandDependencies,
  'session' | 'keys' | 'starts' | 'listConnections' | 'createClient'
> {
  feed: Pick<AttentionFeed, 'attentionOf'>;
  told: ToldNews;
  isLookedAt: (service: string, id: string) => boolean;
  /** Resolves once the session is known. */
  opened: Promise<void>;
}

/** Watches the connections that the window isn’t on, unless the user turned that off. */
export function otherConnections(own: Own, needs: Needs): OtherConnections {
  const { session, keys, starts, listConnections, createClient, feed, told, isLookedAt, opened } = needs;
  const clients = new Map<string, { connection: Connection; sessionKey: string; client: ApiClient }>();
  const reached = async (connection: Connection) => {
    const { origin, baseUrl } = connection;
    const sessionKey = keys.has(origin) ? await keys.get(origin) : undefined;
    if (sessionKey === undefined) return [];
    const known = clients.get(baseUrl);
    const isSame =
      known?.sessionKey === sessionKey &&
      same(known.connection, connection) &&
      known.client.ended?.aborted !== true;
    const client = isSame ? known.client : createClient(connection, sessionKey);
    clients.set(baseUrl, { connection, sessionKey, client });
    return [{ connection, client }];
  };
  const others = async () => {
    await opened;
    const isHere = ({ baseUrl }: Connection) =>
      'connection' in session.current && session.current.connection.baseUrl === baseUrl;
    const elsewhere = listConnections().connections.filter((connection) => !isHere(connection));
    return (await Promise.all(elsewhere.map(reached))).flat();
  };
  const watching = own(
    new OtherConnections({
      others,
      intervalMs: () => (isOn(settingIds.watchAllConnections) ? watchMs() : 0),
      attentionOf: (baseUrl) => feed.attentionOf(baseUrl),
      told,
      starts,
      isLookedAt,
      clock: systemClock,
    }),
  );
  const follow = () => void watching.follow();
  own(session.onDidChange(follow));
  own(keys.onDidChange(follow));
  for (const id of ['connections', 'watchSeconds', 'watchAllConnections'] as const)
    own(onDidChangeSettings(id, follow));
  follow();
  return watching;
}
