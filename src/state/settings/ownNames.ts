import { nameOf, reread, type HeldServer } from './servers';

/**
 * Gives each server that is known by its name a name of its own, for a service that keeps them in a map: of two with the
 * same name one would be lost. The one that the service has by that name keeps it.
 */
export function withOwnNames(servers: readonly HeldServer[], held: readonly HeldServer[]): HeldServer[] {
  const keeps = (server: HeldServer) =>
    held.some((other) => other.id === server.id && nameOf(other) === nameOf(server));
  const taken = new Set(servers.filter(keeps).map(nameOf));
  return servers.map((server) => {
    if (server.kind !== 'stdio' || keeps(server)) return server;
    let { name } = server;
    for (let count = 2; taken.has(name); count++) name = `${server.name}-${count}`;
    taken.add(name);
    if (name === server.name) return server;
    return reread(server, { ...server.raw, name });
  });
}
