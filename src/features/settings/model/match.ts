import { mcpLabel } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { parseUrl } from '../../../shared/url';
import { UniqueNames } from '../../../core/basics/uniqueNames';
import { holds } from './cells';
import { looksMasked, type MyServer } from './secrets';
import { contentOf, jsonOf, newId, sameLabel, type HeldServer } from './servers';

/**
 * Gives the servers of a later reading the ids of an earlier one. A server is recognized by all its content; by kind
 * and label; by label after a change of kind; by being just what the user wants; or as the only similar one left if its
 * label changed, which is marked as guessed. Never by its place in a list. A server that isn't recognized gets an id
 * unlike all others.
 *
 * @param mine the servers as the user wants them, where the list was touched
 */
export function matchServers(
  previous: readonly HeldServer[],
  later: readonly HeldServer[],
  mine: readonly MyServer[] | null,
): HeldServer[] {
  const kept = new Set(mine?.map(({ id }) => id));
  // Of identical servers, the one the user deleted is the one that is gone.
  const open = new Set([...previous].sort((a, b) => Number(kept.has(b.id)) - Number(kept.has(a.id))));
  const found = new Map<HeldServer, string>();
  const pair = (previousServer: HeldServer, laterServer: HeldServer) => {
    open.delete(previousServer);
    found.set(laterServer, previousServer.id);
  };
  const each = (isSame: (previousServer: HeldServer, laterServer: HeldServer) => boolean) => {
    for (const server of later) {
      if (found.has(server)) continue;
      const match = [...open].find((candidate) => isSame(candidate, server));
      if (match) pair(match, server);
    }
  };

  each((one, other) => contentOf(one) === contentOf(other));
  // Among servers with the same label, match those that share more first.
  each((one, other) => sameLabel(one, other) && isAlike(one, other));
  each(sameLabel);
  each((one, other) => mcpLabel(one) === mcpLabel(other));
  // An earlier save with an unknown outcome may have taken effect.
  const ids = new Set(found.values());
  for (const server of mine ?? []) {
    const match = ids.has(server.id)
      ? undefined
      : later.find((other) => !found.has(other) && holds(server, other));
    if (match === undefined) continue;
    found.set(match, server.id);
    for (const one of open) if (one.id === server.id) open.delete(one);
  }

  const guessed = new Set<HeldServer>();
  const rest = later.filter((server) => !found.has(server));
  const pairs = rest.flatMap((server) =>
    [...open].filter((one) => isAlike(one, server)).map((one) => ({ one, server })),
  );
  for (const { one, server } of pairs) {
    const unique = pairs.every((other) => (other.one === one) === (other.server === server));
    if (!unique) continue;
    pair(one, server);
    guessed.add(server);
  }

  const newIds = new UniqueNames([...previous.map(({ id }) => id), ...kept]);
  return later.map((server) => {
    const id = found.get(server) ?? newIds.take(server.id);
    return guessed.has(server) ? { ...server, id, guessed: true } : { ...server, id };
  });
}

/** True if two servers share something distinctive besides their labels. */
function isAlike(one: HeldServer, other: HeldServer): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'stdio') {
    if (one.command === '' || one.command !== other.command) return false;
    return same(one.args, other.args) && same(jsonOf(one.env), jsonOf(other.env));
  }
  const [url, otherUrl] = [parseUrl(one.url), parseUrl(other.url)];
  if (url === undefined || url.host !== otherUrl?.host) return false;
  const samePath = url.pathname.replace(/\/$/, '') === otherUrl.pathname.replace(/\/$/, '');
  const sameKey = one.apiKey !== null && one.apiKey === other.apiKey && !looksMasked(one.apiKey);
  return samePath || sameKey;
}

/** Ids for the servers added in the form. */
export function lastingIds(servers: readonly HeldServer[]): Map<string, string> {
  const ids = new UniqueNames(servers.map(({ id }) => id));
  const added = servers.filter(({ id }) => id.startsWith('new-'));
  return new Map(added.map((server) => [server.id, newId(server, ids)]));
}

export function withIds(servers: readonly HeldServer[], ids: ReadonlyMap<string, string>): HeldServer[] {
  return servers.map((server) => ({ ...server, id: ids.get(server.id) ?? server.id }));
}
