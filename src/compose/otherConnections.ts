import { systemClock } from '../api/http/clock';
import type { CommandDependencies } from '../commands/dependencies';
import { settingIds } from '../ids';
import { isOn } from '../platform/settings';
import { onDidChangeSettings, watchMs } from '../platform/watching';
import type { Connection } from '../shared/connection';
import type { AttentionFeed } from '../state/attention/attentionFeed';
import { OtherConnections } from '../state/attention/otherConnections';
import type { ToldNews } from '../state/attention/toldNews';
import type { Own } from './panels';
import type { Reach } from './reachedServices';

interface Needs extends Pick<CommandDependencies, 'session' | 'keys' | 'starts' | 'listConnections'> {
  reach: Reach;
  feed: Pick<AttentionFeed, 'attentionOf'>;
  told: ToldNews;
  isLookedAt: (service: string, id: string) => boolean;
  /** Resolves once the session is known. */
  opened: Promise<void>;
}

/** Watches the connections that the window isn’t on, unless the user turned that off. */
export function otherConnections(own: Own, needs: Needs): OtherConnections {
  const { session, keys, starts, listConnections, reach, feed, told, isLookedAt, opened } = needs;
  const reached = async (connection: Connection) =>
    (keys.has(connection.origin) ? await reach(connection) : undefined) ?? [];
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
