import { UniqueNames } from '../../../core/basics/uniqueNames';
import { nameOf, reread, type HeldServer } from './servers';

/**
 * Gives each server that has a name a unique one, even a copy of a server with a URL: a service that keeps servers in a
 * map would lose one of two with the same name. The server that has the name on the service keeps it.
 */
export function withOwnNames(servers: readonly HeldServer[], held: readonly HeldServer[]): HeldServer[] {
  const keeps = (server: HeldServer) =>
    held.some((other) => other.id === server.id && nameOf(other) === nameOf(server));
  const names = new UniqueNames(servers.filter(keeps).map(nameOf));
  return servers.map((server) => {
    const wanted = nameOf(server);
    if (typeof wanted !== 'string' || keeps(server)) return server;
    const name = names.take(wanted);
    return name === wanted ? server : reread(server, { ...server.raw, name });
  });
}
