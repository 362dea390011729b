import type { FormEdits } from '../shared/form';
import { isJsonObject, member, type JsonObject } from '../../../shared/json';
import { listOfKind, mcpKinds, mcpLabel } from '../../../shared/mcp';
import { plainDefaults, plainFields, shownFields, type PlainField } from '../../../shared/settings';
import { same } from '../../../shared/same';
import type { Destination } from './destinations';
import { hidesSomething } from '../../../core/settings/masks';
import type { Merged, Snapshot } from './merge';
import { unknownFields } from './record';
import { extrasOf, type HeldServer } from './servers';

/** Something that a save would do and only the user can agree to. `names` are wire names. */
export type Doubt =
  /** The service would delete its sandbox API key, if it has one. */
  | { about: 'sandboxApiKey' }
  /**
   * The service no longer shows values it showed when the form was opened. The save would reset them, or take them for
   * none in what the user changed.
   */
  | { about: 'missing'; names: readonly string[] }
  /** The service shows masks instead of values. The save would omit these fields, and the service may reset them. */
  | { about: 'masked'; names: readonly string[] }
  /** The same for MCP servers, as “server: member”. The save would store the masks. */
  | { about: 'maskedServers'; names: readonly string[] }
  /** Secrets would go elsewhere than the form shows. */
  | { about: 'destinations'; destinations: readonly Destination[] };

/** True if `agreed` covers the doubt: the same kind and all of its names. */
function covers(agreed: readonly Doubt[], doubt: Doubt): boolean {
  return agreed.some(
    (one) => one.about === doubt.about && namesOf(doubt).every((name) => namesOf(one).includes(name)),
  );
}

function namesOf(doubt: Doubt): readonly string[] {
  if ('destinations' in doubt) return doubt.destinations.map((one) => JSON.stringify(one));
  return 'names' in doubt ? doubt.names : [];
}

/**
 * True if a save of these edits may make the service forget a sandbox API key: the service resets it with every post
 * that lacks it, and doesn't say whether it has one.
 */
export function keyAtRisk(edits: FormEdits, held: Snapshot, agreed: readonly Doubt[]): boolean {
  const mayBeThere = held.secrets.sandbox_api_key !== 'notSet';
  const isKept = edits.secrets.sandbox_api_key === undefined;
  return mayBeThere && isKept && !covers(agreed, { about: 'sandboxApiKey' });
}

/** The first doubt about a save that the user hasn't agreed to yet. One that sends nothing may still mislead. */
export function openDoubt(
  edits: FormEdits,
  base: Snapshot,
  merged: Merged,
  destinations: readonly Destination[],
  agreed: readonly Doubt[],
): Doubt | undefined {
  const { changes, fresh } = merged;
  const resets = changes && fresh.abilities.replaces;
  const doubts: Doubt[] = [
    { about: 'destinations', destinations: changes ? destinations : [] },
    { about: 'missing', names: missing(edits, base, merged, resets) },
    { about: 'masked', names: resets ? maskedFields(merged) : [] },
    { about: 'maskedServers', names: resets ? maskedServers(merged) : [] },
  ];
  const doubt = doubts.find((one) => namesOf(one).length > 0 && !covers(agreed, one));
  const isKeyAtRisk = changes && keyAtRisk(edits, fresh, agreed);
  return doubt ?? (isKeyAtRisk ? { about: 'sandboxApiKey' } : undefined);
}

/** What the service no longer shows of what a save would reset, or of what the user changed. */
function missing(edits: FormEdits, base: Snapshot, { fresh, values }: Merged, resets: boolean): string[] {
  // The question whether anything is saved at all is asked elsewhere.
  if (!fresh.saved) return [];
  const isTouched = (name: string) =>
    isServers(name) ? edits.mcpServers !== null : Object.hasOwn(edits.values, name);
  return unsaid(fresh.record, base.record).filter(
    (name) => !Object.hasOwn(values, name) && (resets || isTouched(name)),
  );
}

/** True for what `unsaid` returns of the MCP servers. */
export const isServers = (name: string) => name.startsWith('mcp_config');

/** What `before` holds and `record` lacks. Absent doesn't mean empty: the previous value may still be there. */
export function unsaid(record: JsonObject, before: JsonObject): string[] {
  const fields = [...unknownFields(before), ...shownFields, ...plainFields, 'mcp_config'].filter(
    (name) => !Object.hasOwn(record, name) && holdsSomething(before, name),
  );
  const [previous, now] = [member(before, 'mcp_config'), member(record, 'mcp_config')];
  if (!isJsonObject(previous) || !isJsonObject(now)) return fields;
  const lists = mcpKinds
    .map((kind) => listOfKind[kind])
    .filter((list) => !member(now, list) && holdsSomething(previous, list))
    .map((list) => `mcp_config.${list}`);
  return [...fields, ...lists];
}

function holdsSomething(record: JsonObject, name: string): boolean {
  const value = member(record, name) ?? null;
  const initial = plainFields.includes(name as PlainField) ? plainDefaults[name as PlainField] : null;
  const isEmpty = value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0);
  return !isEmpty && !same(value, initial);
}

/** The fields that a post omits, because it would store a mask instead of the hidden value. */
export function maskedFields({ fresh, values }: Pick<Merged, 'fresh' | 'values'>): string[] {
  const { record } = fresh;
  const unchanged = plainFields.filter((field) => !(field in values));
  // What a save sends as the service shows it, except servers and secrets.
  const asRead = [...unknownFields(record), ...shownFields, ...unchanged];
  return asRead.filter((name) => hidesSomething(member(record, name)));
}

/** The members the service shows masked in servers that stay. */
function maskedServers({ fresh, servers }: Merged): string[] {
  return servers.flatMap((server) => {
    const shown = fresh.servers.find(({ id }) => id === server.id);
    if (shown === undefined) return [];
    const before = new Map(secretMembers(shown));
    return secretMembers(server)
      .filter(([name, value]) => hidesSomething(value) && same(value, before.get(name) ?? null))
      .map(([name]) => `${mcpLabel(server)}: ${name}`);
  });
}

function secretMembers(server: HeldServer) {
  return [
    ['api_key', server.apiKey] as const,
    ...[...server.env].map(([name, value]) => [`env.${name}`, value] as const),
    ...Object.entries(extrasOf(server)),
  ];
}
