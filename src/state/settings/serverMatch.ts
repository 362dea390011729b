import type { Json } from '../../shared/json';
import { mcpLabel, type McpServer } from '../../shared/mcp';
import { parseUrl } from '../../shared/url';
import { canonical } from './json';
import { contentOf, sameLabel, type HeldServer } from './servers';

/**
 * Gives the servers of a later reading the ids of an earlier one: a server is found again by all its content, by kind
 * and label, by label after a change of kind, by the label that the user gives it (a save whose outcome was not known
 * may have happened), or by what is left when only its label changed. Never by its place in a list. What is found by
 * none of these keeps the id of its own, made unlike all others.
 *
 * @param mine the list as the user wants it, where it was touched
 */
export function matchServers(
  former: readonly HeldServer[],
  later: readonly HeldServer[],
  mine: readonly McpServer[] | null,
): HeldServer[] {
  const kept = new Set(mine?.map(({ id }) => id));
  // Of servers that are alike in everything, the one that the user deleted is the one that is gone.
  const open = new Set([...former].sort((a, b) => Number(kept.has(b.id)) - Number(kept.has(a.id))));
  const found = new Map<HeldServer, string>();
  const pair = (formerServer: HeldServer, laterServer: HeldServer) => {
    open.delete(formerServer);
    found.set(laterServer, formerServer.id);
  };
  const each = (same: (formerServer: HeldServer, laterServer: HeldServer) => boolean) => {
    for (const server of later) {
      if (found.has(server)) continue;
      const match = [...open].find((candidate) => same(candidate, server));
      if (match) pair(match, server);
    }
  };
  const wanted = new Map(mine?.map((server) => [server.id, server]));

  each((one, other) => contentOf(one) === contentOf(other));
  // Of several with one label, those that share more than that find each other first.
  each((one, other) => sameLabel(one, other) && isAlike(one, other));
  each(sameLabel);
  each((one, other) => one.shown && other.shown && mcpLabel(one) === mcpLabel(other));
  each((one, other) => {
    const server = wanted.get(one.id);
    return server !== undefined && sameLabel(server, other);
  });

  const rest = later.filter((server) => !found.has(server));
  const pairs = rest.flatMap((server) =>
    [...open].filter((one) => isAlike(one, server)).map((one) => ({ one, server })),
  );
  for (const { one, server } of pairs) {
    const unique = pairs.every((other) => (other.one === one) === (other.server === server));
    if (unique) pair(one, server);
  }

  const taken = new Set([...former.map(({ id }) => id), ...kept]);
  return later.map((server) => ({ ...server, id: found.get(server) ?? unlike(server.id, taken) }));
}

function unlike(id: string, taken: Set<string>): string {
  let result = id;
  for (let count = 2; taken.has(result); count++) result = `${id}-${count}`;
  taken.add(result);
  return result;
}

/** True when two servers share what hardly two different ones do, whatever their labels are. */
function isAlike(one: HeldServer, other: HeldServer): boolean {
  if (one.kind !== other.kind) return false;
  if (one.kind === 'stdio') {
    if (one.command === '' || one.command !== other.command) return false;
    return canonical([...one.args]) === canonical([...other.args]) && sameEnv(one, other);
  }
  const [url, otherUrl] = [parseUrl(one.url), parseUrl(other.url)];
  if (url === undefined || url.host !== otherUrl?.host) return false;
  const samePath = url.pathname.replace(/\/$/, '') === otherUrl.pathname.replace(/\/$/, '');
  return samePath || (one.apiKey !== null && one.apiKey === other.apiKey);
}

function sameEnv(one: HeldServer, other: HeldServer): boolean {
  const text = (env: ReadonlyMap<string, Json>) => canonical(Object.fromEntries(env));
  return text(one.env) === text(other.env);
}
