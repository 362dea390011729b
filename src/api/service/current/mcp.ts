import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../../shared/json';
import { mcpKinds, type McpKind } from '../../../shared/mcp';
import { same } from '../../../shared/same';
import { parseUrl } from '../../../shared/url';
import { lenientMembers } from '../../../shared/members';
import { isMasked, mask } from '../schemas/secret';

/**
 * MCP servers of the current generation: a map by name (docs/protocol/generations.md, “MCP servers of the current
 * generation”). In the shape of the specification each server keeps the members that have no place there, its `name`
 * among them, and gets its bearer token as `api_key`.
 */
type Entry = JsonMembers;

/** The lists of the specification, in their order. */
export interface McpLists {
  sse_servers: JsonMembers[];
  stdio_servers: JsonMembers[];
  shttp_servers: JsonMembers[];
}

const mapSchema = lenientMembers(z.custom<Entry>(isJsonObject));

/** The members that hold secrets. */
const secretMembers = ['env', 'headers', 'auth'] as const;

/** Some releases put the map into a member of its own. */
function entriesOf(config: unknown): [string, Entry][] | undefined {
  const map = isJsonObject(config) && isJsonObject(config['mcpServers']) ? config['mcpServers'] : config;
  const read = mapSchema.safeParse(map ?? {}).data;
  return read && Object.entries(read);
}

/** True for a configuration that leaves secrets out: nothing in it says whether there are any. */
export function leavesOutSecrets(config: unknown): boolean {
  return isJsonObject(config) && config['mcpServers'] === undefined && Object.keys(config).length > 0;
}

/**
 * The map as the lists of the specification, with masks in place of hidden secrets. Undefined for another shape, and where
 * `told` lacks a server: servers or secrets would be lost with the next change.
 *
 * @param told the same map with masks for what `config` leaves out
 */
export function toLists(config: unknown, told: unknown): McpLists | undefined {
  const entries = entriesOf(config);
  const masks = new Map(entriesOf(told));
  if (entries?.every(([name]) => masks.has(name)) !== true) return undefined;
  const lists: McpLists = { sse_servers: [], stdio_servers: [], shttp_servers: [] };
  for (const [name, entry] of entries) {
    const shown = { ...entry, ...secretsOf(entry, masks.get(name)) };
    const kind = kindOf(shown);
    lists[`${kind}_servers`].push(kind === 'stdio' ? { ...shown, name } : fromUrlEntry(name, shown));
  }
  return lists;
}

function secretsOf(entry: Entry, told: Entry = entry): Entry {
  const members = secretMembers.flatMap((name) => {
    const value = told[name] ?? entry[name];
    return value === undefined ? [] : [[name, asMask(value)] as const];
  });
  return Object.fromEntries(members);
}

function asMask(value: unknown): unknown {
  if (value === '<redacted>') return mask;
  if (!isJsonObject(value)) return value;
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asMask(member)]));
}

function kindOf({ transport, url }: Entry): McpKind {
  if (transport === 'sse') return 'sse';
  return transport !== 'stdio' && typeof url === 'string' && url !== '' ? 'shttp' : 'stdio';
}

function fromUrlEntry(name: string, { auth, headers, ...rest }: Entry): JsonMembers {
  const [authorization, others] = splitHeaders(headers);
  const token = bearerOf(auth) ?? (isJsonObject(auth) ? undefined : tokenIn(authorization));
  const isInHeader = tokenIn(authorization) !== undefined && token !== undefined;
  return {
    name,
    ...rest,
    ...(token === undefined && auth !== undefined && { auth }),
    ...(headers !== undefined && { headers: isInHeader ? others : headers }),
    ...(token !== undefined && { api_key: token }),
  };
}

/** The token of a member `auth`, a mask where it is hidden. */
function bearerOf(auth: unknown): string | undefined {
  if (typeof auth === 'string') return auth === 'oauth' || auth === '' ? undefined : auth;
  if (!isJsonObject(auth) || auth['strategy'] !== 'bearer') return undefined;
  return typeof auth['value'] === 'string' ? auth['value'] : mask;
}

/** The token of a header `Authorization`. A hidden one counts as a token. */
function tokenIn(header: unknown): string | undefined {
  if (typeof header !== 'string') return undefined;
  return isMasked(header) ? mask : /^bearer\s+(.+)$/i.exec(header)?.[1];
}

function splitHeaders(headers: unknown): [authorization: unknown, others: JsonMembers] {
  const all = isJsonObject(headers) ? Object.entries(headers) : [];
  const isAuthorization = ([name]: [string, unknown]) => name.toLowerCase() === 'authorization';
  return [
    all.find(isAuthorization)?.[1],
    Object.fromEntries(all.filter((header) => !isAuthorization(header))),
  ];
}

/** The map of a save, and where in the lists each of its servers stands. */
export interface McpMap {
  map: Record<string, JsonMembers>;
  positions: ReadonlyMap<string, readonly [list: keyof McpLists, index: number]>;
}

/** The lists as the map to send, under names of their own. */
export function toMap(lists: McpLists): McpMap {
  const map = new Map<string, JsonMembers>();
  const positions = new Map<string, readonly [keyof McpLists, number]>();
  const own = new Set(mcpKinds.flatMap((kind) => lists[`${kind}_servers`]).map(({ name }) => name));
  for (const kind of mcpKinds) {
    const list = `${kind}_servers` as const;
    lists[list].forEach((server, index) => {
      const isOthers = (name: string) => name !== server['name'] && own.has(name);
      const name = freeName(nameOf(server), (free) => map.has(free) || isOthers(free));
      map.set(name, entryOf(kind, server));
      positions.set(name, [list, index]);
    });
  }
  return { map: Object.fromEntries(map), positions };
}

function nameOf({ name, url }: JsonMembers): string {
  if (typeof name === 'string' && name !== '') return name;
  const host = typeof url === 'string' ? parseUrl(url)?.hostname : undefined;
  return (host ?? '').replace(/[^A-Za-z0-9_-]+/g, '-').replace(/^-+|-+$/g, '') || 'server';
}

function freeName(name: string, isTaken: (name: string) => boolean): string {
  let free = name;
  for (let count = 2; isTaken(free); count++) free = `${name}-${count}`;
  return free;
}

/** Members that only make sense for servers reached the other way. */
const foreign = {
  url: ['command', 'args', 'env', 'cwd', 'keep_alive'],
  stdio: ['url', 'headers', 'auth', 'sse_read_timeout'],
} as const;

function entryOf(
  kind: McpKind,
  { name, api_key: token, transport: previous, ...server }: JsonMembers,
): JsonMembers {
  const others: readonly string[] = foreign[kind === 'stdio' ? 'stdio' : 'url'];
  const kept = Object.entries(server).filter(
    ([member, value]) => !others.includes(member) && value !== null && value !== undefined,
  );
  const transport = transportOf(kind, previous ?? undefined, name !== undefined);
  const entry: JsonMembers = { ...Object.fromEntries(kept), ...(transport !== undefined && { transport }) };
  if (kind === 'stdio' || typeof token !== 'string' || token === '') return entry;
  const { auth: _auth, headers, ...bare } = entry;
  const [, more] = splitHeaders(headers);
  // Every release takes a token this way.
  return { ...bare, headers: { ...more, Authorization: `Bearer ${token}` } };
}

const transports: Readonly<Record<McpKind, readonly unknown[]>> = {
  sse: ['sse'],
  stdio: ['stdio'],
  shttp: ['http', 'streamable-http'],
};

/** A server without a transport stays without one: the service then infers it from the URL. */
function transportOf(kind: McpKind, previous: unknown, isHeld: boolean): unknown {
  if (transports[kind].includes(previous)) return previous;
  return kind === 'stdio' || (isHeld && previous === undefined) ? undefined : transports[kind][0];
}

/** What a save changes of a map, for a server that merges it: null removes a server or a member. */
export interface McpDifference extends Pick<McpMap, 'positions'> {
  map: Record<string, JsonMembers | null>;
}

/**
 * The difference between two maps that `toMap` made. Lists are replaced.
 * @param lists that `held` is made of
 */
export function mapDifference(
  held: Readonly<Record<string, JsonMembers>>,
  wanted: Readonly<Record<string, JsonMembers>>,
  lists: McpLists,
): McpDifference['map'] {
  const tokenOf = (entry: JsonMembers | undefined) => splitHeaders(entry?.['headers'])[0];
  const servers = mcpKinds.flatMap((kind) => lists[`${kind}_servers`]);
  const withHeaders = new Set(servers.flatMap(({ name, headers }) => (isJsonObject(headers) ? [name] : [])));
  return Object.fromEntries(
    Object.entries(changesOf(held, wanted)).map(([name, entry]) => {
      const isNew = !Object.hasOwn(held, name);
      const isKept = !isJsonObject(entry) || isNew || tokenOf(held[name]) === tokenOf(wanted[name]);
      if (isKept) return [name, entry as JsonMembers | null];
      const { headers } = entry;
      // The server may have the old token as `auth`, or under another spelling, which would stay beside the new one. A
      // null in a map that isn’t there is refused.
      const others = isJsonObject(headers) && withHeaders.has(name) ? { authorization: null } : {};
      return [
        name,
        { auth: null, ...entry, ...(isJsonObject(headers) && { headers: { ...others, ...headers } }) },
      ];
    }),
  );
}

function changesOf(held: JsonMembers, wanted: JsonMembers): JsonMembers {
  const removed = Object.keys(held).filter((name) => !Object.hasOwn(wanted, name));
  const changed = Object.entries(wanted).flatMap(([name, value]): [string, unknown][] => {
    const previous = Object.hasOwn(held, name) ? held[name] : undefined;
    if (same(value, previous)) return [];
    return [[name, isJsonObject(value) && isJsonObject(previous) ? changesOf(previous, value) : value]];
  });
  return Object.fromEntries<unknown>([...removed.map((name) => [name, null] as const), ...changed]);
}

/** Every secret of a map to send. */
export function mapSecrets(map: Readonly<Record<string, JsonMembers | null>>): string[] {
  const texts = (value: unknown): string[] =>
    typeof value === 'string' ? [value] : isJsonObject(value) ? Object.values(value).flatMap(texts) : [];
  return Object.values(map).flatMap((entry) => secretMembers.flatMap((name) => texts(entry?.[name])));
}

/** A server of a map with the secrets of one that the service holds, encrypted by it, in place of masks. */
export function withHeldSecrets(entry: JsonMembers, held: JsonMembers): JsonMembers {
  const [masked, others] = splitHeaders(entry['headers']);
  const [authorization] = splitHeaders(held['headers']);
  const isHidden = masked !== undefined && isMasked(tokenIn(masked) ?? '');
  const headers = { ...others, ...(masked !== undefined && !isHidden && { Authorization: masked }) };
  const restored = {
    ...entry,
    ...(isJsonObject(entry['headers']) && { headers: restore(headers, held['headers']) }),
    ...(entry['env'] !== undefined && { env: restore(entry['env'], held['env']) }),
    ...(entry['auth'] !== undefined && { auth: restore(entry['auth'], held['auth']) }),
  };
  if (!isHidden) return restored;
  if (authorization === undefined && held['auth'] === undefined) return entry;
  return authorization === undefined
    ? { ...restored, auth: held['auth'] }
    : { ...restored, headers: { ...(restored['headers'] as JsonMembers), Authorization: authorization } };
}

function restore(value: unknown, held: unknown): unknown {
  if (typeof value === 'string') return isMasked(value) ? (held ?? value) : value;
  if (!isJsonObject(value)) return value;
  const of = isJsonObject(held) ? held : {};
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, restore(member, of[name])]));
}

/** The names of the servers that still have a mask in place of a secret. Sent, it would replace the secret. */
export function maskedServers(map: Readonly<Record<string, JsonMembers>>): string[] {
  const hides = (value: unknown): boolean =>
    typeof value === 'string'
      ? // One or two asterisks can be a real value.
        value === '<redacted>' || (value.length > 2 && isMasked(value.replace(/^bearer\s+/i, '')))
      : isJsonObject(value) && Object.values(value).some(hides);
  return Object.entries(map)
    .filter(([, entry]) => secretMembers.some((name) => hides(entry[name])))
    .map(([name]) => name);
}
