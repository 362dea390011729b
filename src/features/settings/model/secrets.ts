import { isMasked } from '../../../api/service/schemas/secret';
import { type SecretTarget, identityOf } from '../shared/form';
import { type Json, canonical } from '../../../shared/json';
import type { McpServer } from '../../../shared/mcp';
import { carries, members, type HeldServer, type ServerValues, writeServer } from './servers';

/** The secrets the user typed and hasn't saved. Only in memory; never written or shown. */
export class TypedSecrets {
  readonly #values = new Map<string, { value: string; place: string | undefined }>();

  /** @param place where the value goes, as the user was shown */
  set(target: SecretTarget, value: string, place?: string): void {
    this.#values.set(canonical(target), { value, place });
  }

  delete(target?: SecretTarget): void {
    if (target) this.#values.delete(canonical(target));
    else this.#values.clear();
  }

  get(target: SecretTarget): string | undefined {
    return this.#values.get(canonical(target))?.value;
  }

  placeOf(target: SecretTarget): string | undefined {
    return this.#values.get(canonical(target))?.place;
  }
}

/** A server as the user wants it, with its secrets. Undefined secrets were neither typed nor stored. */
interface WantedServer extends Omit<ServerValues, 'apiKey' | 'env'> {
  readonly apiKey: string | null | undefined;
  readonly env: readonly WantedEntry[];
}

/** An environment variable as the user wants it. */
export interface WantedEntry {
  /** Its name on the service; null if new. */
  readonly from: string | null;
  readonly name: string;
  readonly value: Json | undefined;
}

/** @param source the server on the service, or the one it copies */
export function wantedServer(
  server: McpServer,
  source: HeldServer | undefined,
  typed: TypedSecrets,
): WantedServer {
  const { id, kind, timeout, args, enabled = source?.enabled ?? null } = server;
  const apiKey = {
    keep: () => source?.apiKey ?? (server.apiKey.presence === 'set' ? undefined : null),
    clear: () => null,
    replace: () => typed.get({ at: 'mcpApiKey', id }),
  }[server.apiKey.intention]();
  const env = server.env.map((entry): WantedEntry => {
    const identity = identityOf(entry);
    const held = source?.env.get(identity);
    const value = {
      keep: () => held ?? (entry.presence === 'set' ? undefined : ''),
      clear: () => '',
      replace: () => typed.get({ at: 'mcpEnv', id, name: identity }),
    }[entry.intention]();
    const isHeld = held !== undefined;
    const name = isHeld && entry.name === identity ? entry.name : entry.name.trim();
    return { from: isHeld ? identity : null, name, value };
  });
  // Values the user didn't change are kept exactly, spaces included.
  const tidy = (text: string, before: string | undefined) => (text === before ? text : text.trim());
  return {
    kind,
    url: tidy(server.url, source?.url),
    timeout,
    name: tidy(server.name, source?.name),
    command: tidy(server.command, source?.command),
    args,
    apiKey,
    env,
    enabled,
  };
}

/** A server as a save would write it. */
export interface MyServer extends ServerValues {
  readonly id: string;
  /** Its environment variables with the names they had. */
  readonly entries: readonly WantedEntry[];
  /** The server on the service, or the one it copies. */
  readonly source: HeldServer | undefined;
}

/** The values the user wants, on what `source` has; secrets that weren't typed are kept. */
export function myServer({ id }: McpServer, wanted: WantedServer, source: HeldServer | undefined): MyServer {
  const apiKey = wanted.apiKey === undefined ? source?.apiKey : wanted.apiKey;
  const env = wanted.env.map(({ from, name, value }): [string, Json] => [
    name,
    value ?? source?.env.get(from ?? '') ?? '',
  ]);
  const values = { ...wanted, apiKey: apiKey ?? null, env: new Map(env) };
  return { ...(source ? withoutStrays(values, source) : values), id, entries: wanted.env, source };
}

/**
 * Members that the server's kind doesn't have count as unchanged: a change of kind left them, or only the form has
 * them.
 */
export function withoutStrays<Values extends ServerValues>(values: Values, previous: ServerValues): Values {
  const strays = members.filter((key) => !carries(values.kind, key));
  return { ...values, ...Object.fromEntries(strays.map((key) => [key, previous[key]])) };
}

/** True for what a service shows in place of a secret; `shortest` is the length from which stars count as that. */
export function looksMasked(value: Json | undefined, shortest = 1): boolean {
  return typeof value === 'string' && value.length >= shortest && isMasked(value);
}

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
