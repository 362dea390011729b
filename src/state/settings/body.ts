import type { SettingsBody } from '../../api/schemas/settings';
import type { Json } from '../../shared/json';
import { mcpKinds, type McpKind } from '../../shared/mcp';
import { plainFields, shownFields, type PlainField } from '../../shared/settings';
import { isObject, member, type JsonObject } from './json';
import type { Merged } from './merge';
import { plainValue, unknownFields } from './record';
import { looksMasked } from './secrets';
import { listOfKind, type HeldServer } from './servers';

/** What a save sends. */
export interface SettingsPost {
  readonly body: SettingsBody;
  /** The servers as they stand in each list of the body, so that an error's position leads to one. */
  readonly posted: Readonly<Record<McpKind, readonly HeldServer[]>>;
}

/** These keep their stored value when they come as null (the service in practice: "Settings"). */
const keptWhenNull: readonly PlainField[] = ['llm_model', 'llm_base_url'];

/**
 * The body of `POST /api/settings`. The service resets whatever is absent, so every field is there that is no secret,
 * unknown ones included; of the secrets only those that change, because an absent one is kept.
 */
export function settingsPost({ fresh, values, secrets, servers }: Merged): SettingsPost {
  const { record } = fresh;
  const body = new Map<string, Json>();
  for (const name of unknownFields(record)) {
    const value = member(record, name) ?? null;
    // A mask would be stored in place of what it hides.
    if (!looksMasked(value)) body.set(name, value);
  }
  for (const field of shownFields) {
    const value = member(record, field);
    if (value !== undefined) body.set(field, value);
  }
  for (const field of plainFields) {
    const value = values[field];
    body.set(field, value === undefined ? plainValue(record, field) : sentValue(field, value));
  }
  const posted = inLists(servers);
  const config = configOf(member(record, 'mcp_config'), posted);
  if (config !== undefined) body.set('mcp_config', config);
  for (const [field, value] of Object.entries(secrets)) body.set(field, value);
  return { body: Object.fromEntries(body), posted };
}

/** An empty text clears what null would leave as it is. */
function sentValue(field: PlainField, value: Json): Json {
  return value === null && keptWhenNull.includes(field) ? '' : value;
}

function inLists(servers: readonly HeldServer[]): Record<McpKind, HeldServer[]> {
  const list = (kind: McpKind) => servers.filter((server) => server.kind === kind);
  return { sse: list('sse'), stdio: list('stdio'), shttp: list('shttp') };
}

/** `mcp_config` as it came with the lists replaced. None is made up where there is none. */
function configOf(before: Json | undefined, posted: SettingsPost['posted']): Json | undefined {
  const config: JsonObject = isObject(before) ? before : {};
  const isEmpty = mcpKinds.every((kind) => posted[kind].length === 0);
  // A null is left out: it means the same, and the specification has none here.
  if (isEmpty && !isObject(before)) return undefined;
  const lists = mcpKinds.map((kind): [string, Json] => [
    listOfKind[kind],
    posted[kind].map(({ raw }) => raw),
  ]);
  return Object.fromEntries([...Object.entries(config), ...lists]);
}
