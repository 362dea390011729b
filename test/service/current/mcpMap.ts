import { isObject } from '../http';
import type { McpConfig, StdioServer, UrlServer } from '../records';
import { mask } from '../settingsFields';

/** How a release shows the secrets of MCP servers. */
export type Release = '1.7' | '1.8' | '1.11';

type Entry = Record<string, unknown>;

/** A server as stored here, with its name in the map and the members that the older shape doesn't have. */
type Stored = (UrlServer | StdioServer) & { key?: string; more?: Entry };

const lists = ['sse_servers', 'stdio_servers', 'shttp_servers'] as const;

/** All servers by name, with secrets in plain text. A server that another client stored gets its name now. */
function wholeMap(config: McpConfig | null): Map<string, Entry> {
  const all = lists.flatMap((list) =>
    ((config?.[list] ?? []) as Stored[]).map((server) => ({ list, server })),
  );
  const names = new Set(all.flatMap(({ server }) => server.key ?? []));
  for (const { server } of all) {
    if (server.key !== undefined) continue;
    const wished = 'command' in server ? server.name : new URL(server.url).hostname;
    let name = wished;
    for (let count = 2; names.has(name); count++) name = `${wished}-${count}`;
    names.add(name);
    server.key = name;
  }
  return new Map(all.map(({ list, server }) => [server.key ?? '', entryOf(list, server)]));
}

function entryOf(list: (typeof lists)[number], { key: _key, more, ...server }: Stored): Entry {
  if ('command' in server) {
    const { command, args = [], env = {} } = server;
    return { command, args, ...(Object.keys(env).length > 0 && { env }), ...more };
  }
  const { url, api_key, timeout } = server;
  const authorization = api_key ? { Authorization: `Bearer ${api_key}` } : {};
  const { headers, ...rest } = more ?? {};
  const all = { ...authorization, ...(headers as Entry | undefined) };
  return {
    url,
    transport: list === 'sse_servers' ? 'sse' : 'http',
    ...(timeout !== undefined && timeout !== null && { timeout }),
    ...rest,
    ...(Object.keys(all).length > 0 && { headers: all }),
  };
}

const isBearer = (text: unknown): text is string => typeof text === 'string' && text.startsWith('Bearer ');

/** The servers as `GET /api/v1/settings` shows them. */
export function shownMap(config: McpConfig | null, release: Release): unknown {
  const entries = [...wholeMap(config)];
  if (release === '1.7') return { mcpServers: Object.fromEntries(entries) };
  if (release === '1.8') {
    const redacted = ([name, entry]: [string, Entry]) => [name, over(entry, () => '<redacted>')] as const;
    return { mcpServers: Object.fromEntries(entries.map(redacted)) };
  }
  return Object.fromEntries(entries.map(([name, entry]) => [name, latest(entry, false)]));
}

/** The servers as `GET /api/v1/users/me` shows them, with masks for secrets that are set. */
export function maskedMap(config: McpConfig | null): unknown {
  return Object.fromEntries([...wholeMap(config)].map(([name, entry]) => [name, latest(entry, true)]));
}

/** The entry with `of` applied to each secret. */
function over({ env, headers, ...entry }: Entry, of: (value: unknown) => unknown): Entry {
  const each = (values: unknown) =>
    Object.fromEntries(Object.entries(values as Entry).map(([name, value]) => [name, of(value)]));
  return {
    ...entry,
    ...(env !== undefined && { env: each(env) }),
    ...(headers !== undefined && { headers: each(headers) }),
  };
}

function latest({ env, headers, ...entry }: Entry, withMasks: boolean): Entry {
  const { Authorization: authorization, ...others } = (headers ?? {}) as Entry;
  const bearer = isBearer(authorization) && {
    auth: { strategy: 'bearer', ...(withMasks && { value: mask }) },
  };
  if (!withMasks) return { ...entry, ...bearer };
  const set = (values: unknown) =>
    Object.entries((values ?? {}) as Entry).flatMap(([name, value]) => (value === '' ? [] : [[name, mask]]));
  const [variables, rest] = [set(env), set(others)];
  return {
    ...entry,
    ...(variables.length > 0 && { env: Object.fromEntries(variables) as unknown }),
    ...(rest.length > 0 && { headers: Object.fromEntries(rest) as unknown }),
    ...bearer,
  };
}

const known = [
  ...['url', 'transport', 'command', 'args', 'env', 'cwd', 'description', 'icon', 'timeout'],
  ...['sse_read_timeout', 'keep_alive', 'headers', 'auth'],
];

/** Reads the map in a save, which replaces all servers. Calls `refuse` for each problem, with its path. */
export function readMap(value: unknown, refuse: (path: string, words: string) => void): McpConfig {
  const config: McpConfig = { sse_servers: [], stdio_servers: [], shttp_servers: [] };
  const map = isObject(value) && isObject(value['mcpServers']) ? value['mcpServers'] : (value ?? {});
  for (const [key, entry] of Object.entries(map as Entry)) {
    if (!isObject(entry)) {
      refuse(key, 'Input should be a valid dictionary');
      continue;
    }
    for (const name of Object.keys(entry))
      if (!known.includes(name)) refuse(`${key}.${name}`, 'Extra inputs are not permitted');
    const { url, command, args, env, transport, timeout, headers, auth, ...more } = entry;
    if (typeof url === 'string') {
      const { Authorization: authorization, ...others } = (headers ?? {}) as Entry;
      const token = isBearer(authorization) ? authorization.slice('Bearer '.length) : bearerOf(auth);
      const odd =
        authorization !== undefined && !isBearer(authorization) ? { Authorization: authorization } : {};
      const rest = { ...others, ...odd };
      const server: Stored = {
        url,
        api_key: token ?? null,
        ...(typeof timeout === 'number' && { timeout }),
        key,
        more: { ...more, ...(Object.keys(rest).length > 0 && { headers: rest }) },
      };
      config[transport === 'sse' ? 'sse_servers' : 'shttp_servers'].push(server);
    } else {
      for (const [name, variable] of Object.entries((env ?? {}) as Entry))
        if (typeof variable !== 'string') refuse(`${key}.env.${name}`, 'Input should be a valid string');
      const server: Stored = {
        name: key,
        command: String(command),
        args: (args ?? []) as string[],
        env: (env ?? {}) as Record<string, string>,
        key,
        more,
      };
      config.stdio_servers.push(server);
    }
  }
  return config;
}

function bearerOf(auth: unknown): string | undefined {
  if (typeof auth === 'string') return auth;
  return isObject(auth) && typeof auth['value'] === 'string' ? auth['value'] : undefined;
}
