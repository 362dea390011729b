import type { Json } from '../../../shared/json';
import type { McpServer } from '../../../shared/mcp';
import { myServer, wantedServer, type TypedSecrets } from './secrets';
import { writeServer, type HeldServer } from './servers';

/** The object of a server of the form as it would be sent; undefined when a secret that it should have is not known. */
export function serverWire(
  server: McpServer,
  source: HeldServer | undefined,
  typed: TypedSecrets,
): Json | undefined {
  const wanted = wantedServer(server, source, typed);
  const secrets = server.kind === 'stdio' ? wanted.env.map(({ value }) => value) : [wanted.apiKey];
  if (secrets.includes(undefined)) return undefined;
  return writeServer(server.id, myServer(server, wanted, source), source).raw;
}

/** The secrets of a server of the form that are known here, as they would be sent. */
export interface ServerSecrets {
  apiKey: string | null;
  env: Record<string, string>;
}

export function knownSecrets(
  server: McpServer,
  source: HeldServer | undefined,
  typed: TypedSecrets,
): ServerSecrets {
  const { apiKey = null, env } = wantedServer(server, source, typed);
  const known = env.flatMap(({ name, value }) => (typeof value === 'string' ? [[name, value] as const] : []));
  return { apiKey, env: Object.fromEntries(known) };
}
