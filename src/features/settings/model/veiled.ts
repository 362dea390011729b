import { mask } from '../../../api/service/schemas/secret';
import { identityOf, renamed } from '../shared/intentions';
import type { McpEnvEntry, McpSecret, McpServer } from '../../../shared/mcp';
import { carries, members } from './cells';
import { withoutStrays, type MyServer, type WantedEntry } from './secrets';
import { writeServer, type HeldServer } from './servers';

/**
 * The form's servers in the shape of the service's, so that edits merge the same way without any secrets known. Each
 * secret is represented by what identifies it, so two that look the same may still differ.
 */

/** The server as the form shows it, with what the user intends. */
export function veiled(server: McpServer): HeldServer {
  const env = server.env.map((entry) => [entry.name, reference(identityOf(entry), isThere(entry))] as const);
  const values = { ...withSwitch(server), apiKey: isThere(server.apiKey) ? mask : null, env: new Map(env) };
  return writeServer(server.id, values, undefined);
}

/** An edited server of a draft, whose typed secrets are lost; it's based on the one of `previous` with its id. */
export function veiledEdit(server: McpServer, previous: readonly HeldServer[]): MyServer {
  const source = previous.find(({ id }) => id === server.id);
  const entries = server.env.map((entry): WantedEntry => {
    const identity = identityOf(entry);
    const held = source?.env.get(identity);
    // A new variable's value is lost. One that has this name by now may be the same.
    if (held === undefined) return { from: null, name: entry.name, value: reference(entry.name, true) };
    return {
      from: identity,
      name: entry.name,
      value: entry.intention === 'clear' ? reference(identity, false) : held,
    };
  });
  const env = new Map(entries.map(({ name, value }) => [name, value ?? '']));
  const apiKey = isThere(server.apiKey) ? mask : null;
  const values = { ...withSwitch(server), apiKey, env };
  return { ...(source ? withoutStrays(values, source) : values), entries, source };
}

/** The server of the form that makes `now` what it was merged to. */
export function unveiled(merged: HeldServer, now: McpServer): McpServer {
  const own = members.filter((key) => carries(merged.kind, key) && key !== 'enabled');
  const changed = Object.fromEntries(own.map((key) => [key, merged[key]]));
  const isCleared = carries(merged.kind, 'apiKey') && merged.apiKey === null && isThere(now.apiKey);
  const apiKey: McpSecret = isCleared ? { ...now.apiKey, intention: 'clear' } : now.apiKey;
  const env = [...merged.env].flatMap(([name, value]): McpEnvEntry[] => {
    const held = now.env.find((entry) =>
      [true, false].some((isSet) => reference(identityOf(entry), isSet) === value),
    );
    // A variable that's gone from the service has no value to come back with.
    if (held === undefined)
      return value === reference(name, true) ? [{ name, presence: 'notSet', intention: 'keep' }] : [];
    const identity = identityOf(held);
    const isCleared = value === reference(identity, false) && isThere(held);
    return [renamed(isCleared ? { ...held, intention: 'clear' } : held, name)];
  });
  const { enabled } = merged;
  return {
    ...now,
    ...changed,
    ...(enabled !== null && { enabled }),
    apiKey,
    env: carries(merged.kind, 'env') ? env : now.env,
  };
}

const withSwitch = (server: McpServer) => ({ ...server, enabled: server.enabled ?? null });

/** True if the next save leaves a value there. */
function isThere({ presence, intention }: McpSecret): boolean {
  return intention === 'replace' || (intention === 'keep' && presence === 'set');
}

/** Stands in for the value of a variable, or for having none. */
function reference(identity: string, isSet: boolean): string {
  return `${isSet ? 'value' : 'no value'} of ${identity}`;
}
