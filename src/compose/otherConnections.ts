import { systemClock } from '../api/http/clock';
import type { CommandDependencies } from './commands/dependencies';
import { settingIds } from '../ids';
import { isOn } from '../editor/settings';
import { onDidChangeSettings, refreshIntervalMs, watchMs } from '../editor/watching';
import type { Connection } from '../shared/connection';
import { type AttentionFeed, OtherConnections, type ToldNews } from '../features/attention';
import type { Own } from './panels';
import type { Reach } from './reachedServices';

interface Needs extends Pick<
  CommandDependencies,
  'session' | 'model' | 'keys' | 'starts' | 'listConnections' | 'arrangement'
> {
  reach: Reach;
  feed: Pick<AttentionFeed, 'attentionOf'>;
  told: ToldNews;
  isLookedAt: (service: string, id: string) => boolean;
  /** Resolves once the session is known. */
  opened: Promise<void>;
}

/** At least this long between two requests to a connection that is shown, in milliseconds. */
const shownLeastMs = 30_000;

/** Watches the connections that the window isn’t on, unless the user turned that off, and reads those that are shown. */
export function otherConnections(own: Own, needs: Needs): OtherConnections {
  const {
    session,
    model,
    keys,
    starts,
    listConnections,
    arrangement,
    reach,
    feed,
    told,
    isLookedAt,
    opened,
  } = needs;
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
      showsAll: () => arrangement.showsAll,
      shownMs: () => {
        const ms = refreshIntervalMs();
        return ms === 0 ? 0 : Math.max(ms, shownLeastMs);
      },
      attentionOf: (baseUrl) => feed.attentionOf(baseUrl),
      told,
      starts,
      isKnownHere: (id) =>
        model.isFollowed &&
        !model.outOfDate('conversations', 'numbers') &&
        model.conversation(id) !== undefined,
      isLookedAt,
      clock: systemClock,
    }),
  );
  const follow = () => void watching.follow();
  own(session.onDidChange(follow));
  own(keys.onDidChange(follow));
  own(arrangement.onDidChange(follow));
  for (const id of ['connections', 'watchSeconds', 'refreshIntervalSeconds', 'watchAllConnections'] as const)
    own(onDidChangeSettings(id, follow));
  follow();
  return watching;
}
