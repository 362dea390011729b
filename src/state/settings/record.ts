import { isSettingsNotFound } from '../../api/errors';
import { isMasked } from '../../api/schemas/secret';
import type { Json } from '../../shared/json';
import {
  plainDefaults,
  plainFieldSchemas,
  plainFields,
  responseOnlyFields,
  secretFields,
  shownFields,
  type PlainField,
  type PlainValues,
  type SecretField,
  type SecretPresence,
} from '../../shared/settings';
import type { SettingsClient } from './client';
import { member, type JsonObject } from './json';

/** What `GET /api/settings` answered, unknown fields included (specification: "Settings"). */
export interface Reading {
  /** False when the service has no settings for this user yet; `record` is then empty: all is at its default. */
  readonly saved: boolean;
  readonly record: JsonObject;
}

/** Reads the settings. Throws ApiError; the 404 of a user who never saved is no error. */
export async function readSettings(client: SettingsClient, signal?: AbortSignal): Promise<Reading> {
  try {
    return { saved: true, record: (await client.getSettings(signal)) as JsonObject };
  } catch (error) {
    if (isSettingsNotFound(error)) return { saved: false, record: {} };
    throw error;
  }
}

/** The value of a plain field; one that is absent, or null where only a boolean means something, is at its default. */
export function plainValue<F extends PlainField>(record: JsonObject, field: F): PlainValues[F] {
  const value = member(record, field) ?? null;
  return (value ?? plainDefaults[field]) as PlainValues[F];
}

/** True when two values of a plain field mean the same; an empty text and none do. */
export function samePlain(one: Json, other: Json): boolean {
  return (one === '' ? null : one) === (other === '' ? null : other);
}

/** True when a value of the field is a text. */
export function isText(field: PlainField): boolean {
  return plainFieldSchemas[field].safeParse('').success;
}

/** Whether the service holds a secret, as far as it tells. */
export function secretPresence({ saved, record }: Reading, field: SecretField): SecretPresence {
  if (!saved) return 'notSet';
  const told = member(record, `${field}_set`);
  if (typeof told === 'boolean') return told ? 'set' : 'notSet';
  if (member(record, field)) return 'set';
  // A service that masks the secrets it holds tells by null that it holds none.
  const masks = secretFields.some((name) => {
    const value = member(record, name);
    return typeof value === 'string' && value !== '' && isMasked(value);
  });
  // The specification: `search_api_key_set` is false where it is absent.
  return masks || field === 'search_api_key' ? 'notSet' : 'unknown';
}

const known: readonly string[] = [
  ...plainFields,
  ...secretFields,
  ...shownFields,
  ...responseOnlyFields,
  'secrets_store',
  'mcp_config',
];

/** Wire names of the fields that this client does not know. */
export function unknownFields(record: JsonObject): string[] {
  return Object.keys(record).filter((name) => !known.includes(name));
}
