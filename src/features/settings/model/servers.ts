import { createHash } from 'node:crypto';
import { isJsonObject, type Json, canonical, member, type JsonObject } from '../../../shared/json';
import {
  listOfKind,
  mcpKinds,
  mcpLabel,
  membersOfKind,
  type McpKind,
  type McpServer,
} from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { placeOfUrl } from '../../../shared/url';
import { UniqueNames } from '../../../core/basics/uniqueNames';

/** The known members of an MCP server; those of other kinds are empty. Contains secrets. */
export interface ServerValues {
  readonly kind: McpKind;
  readonly url: string;
  readonly apiKey: string | null;
  readonly timeout: number | null;
  readonly name: string;
  readonly command: string;
  readonly args: readonly string[];
  /** In the service's order; values are strings except in odd cases. */
  readonly env: ReadonlyMap<string, Json>;
  /** Whether agents get it; null where the service doesn’t say. */
  readonly enabled: boolean | null;
}

/**
 * An MCP server as the service holds it (docs/protocol/service.md, “MCPConfig”). Holds secrets; never leaves the host.
 */
export interface HeldServer extends ServerValues {
  readonly id: string;
  /** As received, including members this client doesn't know. */
  readonly raw: JsonObject;
}

/**
 * The servers of a `mcp_config`, in the order of the form.
 *
 * Identical entries of one list count as one: a service that adds its operator's own servers to every answer stores
 * what comes back, so each save would add a copy, and deleting one copy would leave the others. An entry that isn't an
 * object isn't a server; an answer with one is refused where it is read.
 */
export function readServers(config: Json | undefined): HeldServer[] {
  if (!isJsonObject(config)) return [];
  const ids = new UniqueNames();
  return mcpKinds.flatMap((kind) => {
    const list = member(config, listOfKind[kind]);
    const entries = Array.isArray(list) ? list.filter((raw) => isJsonObject(raw)) : [];
    const distinct = new Map(entries.map((raw) => [canonical(raw), raw]));
    return [...distinct.values()].map((raw) => {
      const values = readValues(kind, raw);
      return { ...values, id: newId(values, ids), raw };
    });
  });
}

/** A server by itself; undefined if `wire` isn't one. */
export function readServer(kind: McpKind, wire: Json): HeldServer | undefined {
  return readServers({ [listOfKind[kind]]: [wire] })[0];
}

/** Servers as the lists of `mcp_config`. */
export function listsOf(servers: readonly HeldServer[]): Record<string, Json> {
  const list = (kind: McpKind) => servers.filter((server) => server.kind === kind).map(({ raw }) => raw);
  return Object.fromEntries(mcpKinds.map((kind) => [listOfKind[kind], list(kind)]));
}

function readValues(kind: McpKind, object: JsonObject): ServerValues {
  const text = (name: string) => {
    const value = member(object, name);
    return typeof value === 'string' ? value : '';
  };
  const stdio = kind === 'stdio';
  const timeout = member(object, 'timeout');
  const args = member(object, 'args');
  const env = member(object, 'env');
  const enabled = member(object, 'enabled');
  return {
    kind,
    url: stdio ? '' : text('url'),
    apiKey: stdio ? null : text('api_key') || null,
    timeout: kind === 'shttp' && typeof timeout === 'number' ? timeout : null,
    name: stdio ? text('name') : '',
    command: stdio ? text('command') : '',
    args: stdio && Array.isArray(args) ? args.map(String) : [],
    env: new Map(stdio && isJsonObject(env) ? Object.entries(env) : []),
    enabled: typeof enabled === 'boolean' ? enabled : null,
  };
}

/**
 * An id that's the same for a server at every reading, so that edits kept over a reload find it again. It doesn't
 * depend on the place in the list, so another server never gets it by chance. Hashed, because a URL may contain what
 * doesn't belong in an id.
 */
export function newId(values: ServerValues, ids: UniqueNames): string {
  const hash = createHash('sha256')
    .update(`${values.kind} ${mcpLabel(values)}`)
    .digest('hex')
    .slice(0, 12);
  return ids.take(`mcp-${hash}`);
}

/** The server as the form gets it, without its secrets. */
export function toMcpServer(held: HeldServer): McpServer {
  return {
    id: held.id,
    kind: held.kind,
    url: held.url,
    apiKey: { presence: held.apiKey === null ? 'notSet' : 'set', intention: 'keep' },
    timeout: held.timeout,
    name: held.name,
    command: held.command,
    args: [...held.args],
    env: [...held.env].map(([name, value]) => ({
      name,
      presence: value === '' || value === null ? 'notSet' : 'set',
      intention: 'keep',
    })),
    ...(held.enabled !== null && { enabled: held.enabled }),
  };
}

/** The same server with another object. */
export function reread(held: HeldServer, raw: JsonObject): HeldServer {
  return { ...held, ...readValues(held.kind, raw), raw };
}

/** Everything about a server as one text, only for comparing: it contains the secrets. */
export function contentOf(held: HeldServer): string {
  return `${held.kind} ${canonical(held.raw)}`;
}

/** True if people would consider both the same: equal kind, and URL or name. */
export function sameLabel(
  one: Pick<ServerValues, 'kind' | 'url' | 'name'>,
  other: Pick<ServerValues, 'kind' | 'url' | 'name'>,
): boolean {
  return one.kind === other.kind && mcpLabel(one) === mcpLabel(other);
}

/** Where the secrets of a server go. */
export function placeOfServer({
  kind,
  url,
  command,
  args,
}: Pick<ServerValues, 'kind' | 'url' | 'command' | 'args'>): string {
  return kind === 'stdio' ? [command.trim(), ...args].join(' ') : placeOfUrl(url);
}

/** Writes `values` into the service's object; unchanged members stay exactly as received. */
export function writeServer(id: string, values: ServerValues, held: HeldServer | undefined): HeldServer {
  const previous = held?.kind === values.kind ? held : undefined;
  // After a change of kind, without the members of the previous kind.
  const members = new Map(Object.entries(previous?.raw ?? (held ? extrasOf(held) : {})));
  for (const [key, wire] of Object.entries(membersOfKind[values.kind])) {
    const value = jsonOf(values[key as keyof ServerValues]);
    if (previous && same(value, jsonOf(previous[key as keyof ServerValues]))) continue;
    // Every service accepts an absent member as "none".
    if (value === null) members.delete(wire);
    else members.set(wire, value);
  }
  const object = Object.fromEntries(members);
  const raw = previous && same(object, previous.raw) ? previous.raw : object;
  // Read again, because the values may include members of other kinds.
  return { ...readValues(values.kind, object), id, raw };
}

/** A member as JSON, for comparing and writing. */
export function jsonOf(value: ServerValues[keyof ServerValues]): Json {
  if (value instanceof Map) return Object.fromEntries(value as ReadonlyMap<string, Json>);
  return value as Json;
}

/** The name in the service's map, which a server with a URL has besides its label. */
export const nameOf = ({ raw }: HeldServer): Json | undefined => member(raw, 'name');

/** Members of `raw` beyond those of the server's kind. */
export function extrasOf({
  kind,
  raw = {},
}: {
  readonly kind: McpKind;
  readonly raw?: JsonObject;
}): JsonObject {
  const known: string[] = Object.values(membersOfKind[kind]);
  return Object.fromEntries(Object.entries(raw).filter(([name]) => !known.includes(name)));
}

/** Members of the current generation that aren't secrets. Nobody knows what others mean, so they may be. */
const harmless = ['name', 'transport', 'description', 'icon', 'timeout', 'sse_read_timeout', 'keep_alive'];

/** Wire names of the members of a server that nothing here knows, and that may matter. */
export function unknownMembers(held: HeldServer | undefined): string[] {
  return held === undefined ? [] : Object.keys(extrasOf(held)).filter((name) => !harmless.includes(name));
}

/**
 * A server's parts by path, of those that its kind has: members by their names here, each environment variable as
 * `env.NAME`. Contains secrets.
 */
export type Cells = ReadonlyMap<string, Json>;

/** A member of a server. */
export type Member = keyof ServerValues;

/** The wire names of the members, in the order of the form. */
export const wireNames: Record<Member, string> = {
  kind: 'kind',
  ...membersOfKind.shttp,
  ...membersOfKind.stdio,
};

/** The wire name of a cell. */
export const wireName = (path: string) => (path in wireNames ? wireNames[path as Member] : path);

/** Every member, in the order of the form. */
export const members = Object.keys(wireNames) as Member[];

/** True if servers of this kind have the member. */
export function carries(kind: ServerValues['kind'], key: Member): boolean {
  return key === 'kind' || key in membersOfKind[kind];
}

/** The parts of a server. */
export function cellsOf(server: ServerValues): Cells {
  const own = members.filter((key) => key !== 'env' && carries(server.kind, key));
  const variables = carries(server.kind, 'env') ? [...server.env] : [];
  return new Map([
    ...own.map((key) => [key, jsonOf(server[key])] as const),
    ...variables.map(([name, value]) => [`env.${name}`, value] as const),
  ]);
}

/** The paths of the cells that differ between two states of a server. */
export function differingCells(before: ServerValues, after: ServerValues): string[] {
  const [previous, later] = [cellsOf(before), cellsOf(after)];
  const paths = new Set([...previous.keys(), ...later.keys()]);
  return [...paths].filter((path) => !same(previous.get(path) ?? null, later.get(path) ?? null));
}

/** A difference between what was meant and what is held; `member` is that of an `ErrorTarget`. */
interface Miss {
  /** The path of a cell, or undefined for a member this client doesn't know. */
  path: string | undefined;
  /** Wire name. */
  name: string;
  meant: Json;
  held: Json;
}

/**
 * Where `held` isn't as `meant`, unknown members included. The service may fill in a timeout, say that a new server is on, and have members of its own.
 */
export function misses(meant: ServerValues & { readonly raw?: JsonObject }, held: HeldServer): Miss[] {
  const [sent, found] = [cellsOf(meant), cellsOf(held)];
  const cells = differingCells(meant, held)
    .filter((path) => (path !== 'timeout' && path !== 'enabled') || meant[path] !== null)
    .map((path): Miss => {
      return { path, name: wireName(path), meant: sent.get(path) ?? null, held: found.get(path) ?? null };
    });
  const others = extrasOf(held);
  // The transport is the current generation's name for the kind, which was already compared.
  const { transport: _kind, ...sentOthers } = extrasOf(meant);
  const extras = Object.entries(sentOthers).flatMap(([name, value]): Miss[] => {
    const other = member(others, name) ?? null;
    // The service leaves out empty headers.
    if (same(value, other) || (other === null && same(value, {}))) return [];
    return [{ path: undefined, name, meant: value, held: other }];
  });
  return [...cells, ...extras];
}

/** True if the service has the server as meant. */
export function holds(meant: ServerValues & { readonly raw?: JsonObject }, held: HeldServer): boolean {
  return misses(meant, held).length === 0;
}

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
