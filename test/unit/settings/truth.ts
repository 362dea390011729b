import { isDeepStrictEqual } from 'node:util';
import { mcpKinds, type McpKind } from '../../../src/shared/mcp';
import {
  makeSettings,
  type McpConfig,
  type StdioServer,
  type StoredSettings,
  type UrlServer,
} from '../../service/records';

/** A server as the service holds it, whatever its kind. */
export interface TrueServer {
  kind: McpKind;
  label: string;
  members: Record<string, unknown>;
}

const lists = { sse: 'sse_servers', stdio: 'stdio_servers', shttp: 'shttp_servers' } as const;

/** All servers stored on the service, without values the service fills in. */
export function trueServers(settings: Pick<StoredSettings, 'mcp_config'> | null): TrueServer[] {
  const config = settings?.mcp_config;
  if (!config) return [];
  return mcpKinds.flatMap((kind) =>
    (config[lists[kind]] as (UrlServer | StdioServer)[]).map((server): TrueServer => {
      if ('name' in server)
        return {
          kind,
          label: server.name,
          members: { command: server.command, args: server.args ?? [], env: server.env ?? {} },
        };
      const timeout = server.timeout === 60 || server.timeout === undefined ? null : server.timeout;
      const apiKey = server.api_key ?? null;
      return { kind, label: server.url, members: kind === 'sse' ? { apiKey } : { apiKey, timeout } };
    }),
  );
}

/** Differences between two states: `field`, `kind label member`, or `kind label` for a whole server. */
export function differences(before: StoredSettings | null, after: StoredSettings | null): string[] {
  const [one, other] = [before ?? defaultsLike(after), after ?? defaultsLike(before)];
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  names.delete('mcp_config');
  const fields = [...names].filter((name) => !sameValue(one[name], other[name]));
  return [...fields, ...serverDifferences(trueServers(one), trueServers(other))];
}

/** The state before the first save to the same service: not every service has `v1_enabled`. */
const defaultsLike = (settings: StoredSettings | null) =>
  makeSettings(settings && 'v1_enabled' in settings ? { v1_enabled: true } : {});

function serverDifferences(before: TrueServer[], after: TrueServer[]): string[] {
  const open = [...after];
  const take = (fits: (server: TrueServer) => boolean): TrueServer | undefined => {
    const index = open.findIndex(fits);
    return index === -1 ? undefined : open.splice(index, 1)[0];
  };
  const rest = before.filter((server) => !take((other) => isDeepStrictEqual(server, other)));
  const changed = rest.flatMap((server) => {
    const now = take((other) => other.kind === server.kind && other.label === server.label);
    const name = `${server.kind} ${server.label}`;
    if (now === undefined) return isCopy(server, after) ? [] : [name];
    const members = Object.keys(server.members);
    return members
      .filter((member) => !isDeepStrictEqual(server.members[member], now.members[member]))
      .map((member) => `${name} ${member}`);
  });
  const added = open.filter((server) => !isCopy(server, before)).map(({ kind, label }) => `${kind} ${label}`);
  return [...changed, ...added];
}

/** Whether `others` include an identical server; losing or gaining a copy makes no difference. */
function isCopy(server: TrueServer, others: TrueServer[]): boolean {
  return others.some((other) => isDeepStrictEqual(server, other));
}

/** Compares values, treating an empty string as no value. */
export function sameValue(one: unknown, other: unknown): boolean {
  const plain = (value: unknown) => (value === '' ? null : (value ?? null));
  return plain(one) === plain(other);
}

/** An empty configuration to put servers into. */
export function configOf(settings: StoredSettings): McpConfig {
  settings.mcp_config ??= { sse_servers: [], stdio_servers: [], shttp_servers: [] };
  return settings.mcp_config;
}

/** Where the secrets of MCP servers go, by their values: the origins of URLs, and command lines. */
export function secretPlaces(settings: Pick<StoredSettings, 'mcp_config'> | null): Map<string, Set<string>> {
  const places = new Map<string, Set<string>>();
  for (const { kind, label, members } of trueServers(settings)) {
    const { apiKey, command, args, env } = members;
    const isTool = kind === 'stdio';
    const place = isTool ? [command, ...(args as string[])].join(' ') : new URL(label).origin;
    const secrets = isTool ? Object.values(env as Record<string, string>) : [apiKey as string | null];
    for (const secret of secrets)
      if (secret) places.set(secret, (places.get(secret) ?? new Set<string>()).add(place));
  }
  return places;
}
