import * as z from 'zod/mini';
import { isJsonObject, type JsonMembers } from '../../../shared/json';
import { serviceSettingsSchema, type ServiceSettings } from '../schemas/settings';
import { toLists } from './mcp';
import { diffNames, mcpPath, placed } from './places';

/** Answer of `GET /api/v1/settings`; also of `GET /api/v1/users/me`, with masks in place of the secrets that are set. */
export const currentRecordSchema = z.looseObject({
  agent_settings: z.custom<JsonMembers>(isJsonObject),
});
/** What `currentRecordSchema` reads. */
export type CurrentRecord = z.infer<typeof currentRecordSchema>;

/**
 * The record in the shape of the specification; undefined if it has another one. Members that have no place there stay
 * where they are, and what is absent stays absent: nothing says that it's empty. So does `mcp_config` where it's null; it
 * is null where it can't be read.
 *
 * @param told the same record with the secrets of MCP servers as masks, where the service leaves them out
 */
export function toSettings(record: CurrentRecord, told: CurrentRecord = record): ServiceSettings | undefined {
  const top = record as JsonMembers;
  const flat = new Map(Object.entries(top));
  const put = (name: string, value: unknown) =>
    value === undefined ? flat.delete(name) : flat.set(name, value);
  for (const name of Object.keys(diffNames)) flat.set(name, without(top[name], leavesIn(name)));
  for (const [field, { path }] of placed) put(field, valueAt(top, path));
  const [, mcp] = mcpPath;
  const config = record.agent_settings[mcp] ?? undefined;
  put(mcp, config && (toLists(config, told.agent_settings[mcp]) ?? null));
  return serviceSettingsSchema.safeParse(Object.fromEntries(flat)).data;
}

/** The member at a path of names. */
export function valueAt(value: unknown, path: readonly string[]): unknown {
  return path.reduce<unknown>((at, name) => (isJsonObject(at) ? at[name] : undefined), value);
}

/** The paths of the known members of the object `name`, relative to it. */
function leavesIn(name: string): (readonly string[])[] {
  const paths: (readonly string[])[] = [...placed.map(([, { path }]) => path), mcpPath];
  return paths.filter(([first]) => first === name).map((path) => path.slice(1));
}

function without(value: unknown, paths: readonly (readonly string[])[]): unknown {
  if (!isJsonObject(value)) return value ?? null;
  const members = Object.entries(value).flatMap(([name, member]) => {
    const within = paths.filter(([first]) => first === name).map((path) => path.slice(1));
    if (within.some((path) => path.length === 0)) return [];
    return [[name, within.length === 0 ? member : without(member, within)] as const];
  });
  return Object.fromEntries(members);
}
