import type { SettingsBody } from '../../../api/service/schemas/settings';
import { fieldTable } from '../../../shared/fields';
import { isJsonObject, type Json, member, type JsonObject } from '../../../shared/json';
import { mcpKinds, type McpKind } from '../../../shared/mcp';
import { each, plainFields, shownFields } from '../../../shared/settings';
import { maskedFields } from './doubts';
import type { Merged } from './merge';
import { keptValue, unknownFields } from './record';
import { listsOf, type HeldServer } from './servers';

/** The request of a save. */
export interface SettingsPost {
  readonly body: SettingsBody;
  /** The fields of the body that change, for a service that needs no others. */
  readonly changed: readonly string[];
  /** The servers of each list in the body, to find the server an error's position refers to. */
  readonly posted: Readonly<Record<McpKind, readonly HeldServer[]>>;
}

/** The intended result of a save, to compare with what is read back. */
export interface Meant {
  readonly merged: Merged;
  readonly post: SettingsPost;
}

/**
 * The body of a save. A service may reset whatever is absent, so the body has every field that isn't a secret, even
 * unknown ones, except those that show masks (the user has agreed). It has only the secrets that change, because absent
 * ones are kept.
 */
export function settingsPost({ fresh, values, more, secrets, servers, serversChange }: Merged): SettingsPost {
  const { record } = fresh;
  const body = new Map<string, Json>();
  for (const name of unknownFields(record)) body.set(name, member(record, name) ?? null);
  for (const field of shownFields) {
    const value = member(record, field);
    if (value !== undefined) body.set(field, value);
  }
  for (const field of plainFields) {
    const value = values[field];
    body.set(
      field,
      value === undefined ? keptValue(record, field) : (value ?? fieldTable[field].emptied ?? null),
    );
  }
  const mayBeFilledIn = 'llm_model' in values || (fresh.abilities.replaces && fillsInUrl(record));
  const clearsUrl = body.get('llm_base_url') === null && mayBeFilledIn;
  if (clearsUrl) body.set('llm_base_url', '');
  for (const name of maskedFields({ fresh, values })) body.delete(name);
  const posted = each(mcpKinds, (kind) => servers.filter((server) => server.kind === kind));
  const config = configOf(member(record, 'mcp_config'), servers);
  if (config !== undefined) body.set('mcp_config', config);
  for (const [path, value] of Object.entries(more)) body.set(path, value);
  for (const [field, value] of Object.entries(secrets)) body.set(field, value);
  const changed = [
    ...Object.keys(values),
    ...Object.keys(more),
    ...Object.keys(secrets),
    ...(serversChange ? ['mcp_config'] : []),
    ...(clearsUrl && !('llm_base_url' in values) ? ['llm_base_url'] : []),
  ];
  return { body: Object.fromEntries(body), changed, posted };
}

/**
 * If no base URL is set, releases from 1.4 on store the address of the model’s provider, and don't show it while the
 * model has that provider. After a change of the model, that address would get the new model’s key. From 1.6 on, an
 * empty text keeps it unset; those releases have this field. From 1.7 on, only changes are sent, and sending an address
 * means that the model profile is no longer in use.
 */
const fillsInUrl = (record: JsonObject) => member(record, 'disabled_skills') !== undefined;

/** `mcp_config` as received, with its lists replaced. Not created if it's absent. */
function configOf(before: Json | undefined, servers: readonly HeldServer[]): Json | undefined {
  if (isJsonObject(before)) return { ...before, ...listsOf(servers) };
  // Null is omitted: it means the same, and the specification doesn't allow it here.
  return servers.length === 0 ? undefined : listsOf(servers);
}
