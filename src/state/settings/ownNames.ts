import { nameOf, reread, type HeldServer } from './servers';

/**
 * Gives each server that has a name one of its own, also a copy of a server with a URL, for a service that keeps them in
 * a map: of two with the same name one would be lost. The one that the service has by that name keeps it.
 */
export function withOwnNames(servers: readonly HeldServer[], held: readonly HeldServer[]): HeldServer[] {
  const keeps = (server: HeldServer) =>
    held.some((other) => other.id === server.id && nameOf(other) === nameOf(server));
  const taken = new Set(servers.filter(keeps).map(nameOf));
  return servers.map((server) => {
    const wanted = nameOf(server);
    if (typeof wanted !== 'string' || keeps(server)) return server;
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted}-${count}`;
    taken.add(name);
    return name === wanted ? server : reread(server, { ...server.raw, name });
  });
}
