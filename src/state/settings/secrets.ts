import { isMasked } from '../../api/schemas/secret';
import type { SecretTarget } from '../../shared/form';
import type { Json } from '../../shared/json';
import type { McpEnvEntry, McpServer } from '../../shared/mcp';
import type { SecretField } from '../../shared/settings';
import type { HeldServer, ServerValues } from './servers';

/** The values that the user typed and has not saved. In memory only; nothing here is ever written or shown. */
export class TypedSecrets {
  readonly #values = new Map<string, string>();

  set(target: SecretTarget, value: string): void {
    this.#values.set(keyOf(target), value);
  }

  delete(target: SecretTarget): void {
    this.#values.delete(keyOf(target));
  }

  get(target: SecretTarget): string | undefined {
    return this.#values.get(keyOf(target));
  }

  field(field: SecretField): string | undefined {
    return this.get({ at: 'field', field });
  }
}

function keyOf(target: SecretTarget): string {
  switch (target.at) {
    case 'field':
      return JSON.stringify([target.field]);
    case 'mcpApiKey':
      return JSON.stringify([target.id, 'api_key']);
    case 'mcpEnv':
      return JSON.stringify([target.id, 'env', target.name]);
  }
}

/** The name by which an entry's value is known here, whatever the form calls it now. */
export function entryIdentity(entry: McpEnvEntry): string {
  return entry.originalName ?? entry.name;
}

/** A server as the user wants it, with its secrets. One that was neither typed nor is held is undefined. */
export interface WantedServer extends Omit<ServerValues, 'apiKey' | 'env'> {
  readonly apiKey: string | null | undefined;
  readonly env: readonly WantedEntry[];
}

/** An environment variable as the user wants it. */
export interface WantedEntry {
  /** Name under which the service holds it, or null for a new one. */
  readonly from: string | null;
  readonly name: string;
  readonly value: Json | undefined;
}

/** @param source the server as the service holds it, or the one that it copies */
export function wantedServer(
  server: McpServer,
  source: HeldServer | undefined,
  typed: TypedSecrets,
): WantedServer {
  const { id, kind, timeout, args } = server;
  const apiKey = {
    keep: () => source?.apiKey ?? (server.apiKey.presence === 'set' ? undefined : null),
    clear: () => null,
    replace: () => typed.get({ at: 'mcpApiKey', id }),
  }[server.apiKey.intention]();
  const env = server.env.map((entry): WantedEntry => {
    const identity = entryIdentity(entry);
    const held = source?.env.get(identity);
    const value = {
      keep: () => held ?? (entry.presence === 'set' ? undefined : ''),
      clear: () => '',
      replace: () => typed.get({ at: 'mcpEnv', id, name: identity }),
    }[entry.intention]();
    const isHeld = held !== undefined;
    return { from: isHeld ? identity : null, name: isHeld ? entry.name : entry.name.trim(), value };
  });
  // What the user did not touch stays as it is, spaces included.
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
  };
}

/** The values of a server that shall be made anew; a secret that was not typed is left out. */
export function newValues(wanted: WantedServer): ServerValues {
  const env = wanted.env.map(({ name, value }): [string, Json] => [name, value ?? '']);
  return { ...wanted, apiKey: wanted.apiKey ?? null, env: new Map(env) };
}

/** True for what a service shows in place of a secret; `shortest` is the length from which stars count as that. */
export function looksMasked(value: Json | undefined, shortest = 1): boolean {
  return typeof value === 'string' && value.length >= shortest && isMasked(value);
}
