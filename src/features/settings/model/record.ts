import { ApiError, isSettingsNotFound } from '../../../api/http/errors';
import { exactDigits } from '../../../api/http/exactNumbers';
import { isMasked } from '../../../api/service/schemas/secret';
import type { Abilities } from '../../../api/service/settingsCalls';
import { settingsFields } from '../../../api/service/schemas/settings';
import { type Json, member, type JsonObject } from '../../../shared/json';
import {
  each,
  plainDefaults,
  plainFields,
  secretFields,
  type PlainField,
  type PlainValues,
  type SecretField,
  type SecretPresence,
} from '../../../shared/settings';
import type { Safeguards } from '../../../core/settings/safeguards';
import type { ApiClient } from '../../../api/service/client';

/** What the service answered, unknown fields included (docs/protocol/service.md, “Settings”). */
export interface SettingsReading {
  /** False when the service has no settings for this user yet; `record` is then empty: all is at its default. */
  readonly saved: boolean;
  readonly record: JsonObject;
  readonly abilities: Abilities;
  readonly values: PlainValues;
  readonly secrets: Readonly<Record<SecretField, SecretPresence>>;
}

/**
 * Reads the settings. Throws ApiError. The 404 of a user who never saved isn't an error, unless saved settings were
 * seen at this address. Then it's an ApiError of reason `noneSaved`: a single such answer may be temporary, and a save
 * based on it would reset everything.
 */
export async function readSettings(
  client: SettingsClient,
  { seen }: Pick<Safeguards, 'seen'>,
  signal?: AbortSignal,
): Promise<SettingsReading> {
  const { baseUrl } = client;
  try {
    const record = (await client.getSettings(signal, true)) as JsonObject;
    seen.add(baseUrl);
    return reading(true, record, client.abilities(record));
  } catch (error) {
    if (!isSettingsNotFound(error)) throw error;
    if (seen.has(baseUrl)) throw new ApiError('noneSaved', 'GET', '/api/settings');
    return reading(false, {}, client.abilities({}));
  }
}

function reading(saved: boolean, record: JsonObject, abilities: Abilities): SettingsReading {
  const secrets = each(secretFields, (field) =>
    saved && !abilities.lacks.includes(field) ? secretPresence(record, field) : 'notSet',
  );
  return { saved, record, abilities, values: plainValuesOf(record), secrets };
}

/** The values of the plain fields of a record or of the body of a save. */
export function plainValuesOf(record: JsonObject): PlainValues {
  return each(plainFields, (field) => plainValue(record, field)) as PlainValues;
}

/** The value of a plain field; one that is absent, or null where only a boolean means something, is at its default. */
function plainValue(record: JsonObject, field: PlainField): Json {
  const value = member(record, field) ?? null;
  const digits = exactDigits(value);
  if (digits === undefined) return value ?? plainDefaults[field];
  return Number.isFinite(Number(digits)) ? Number(digits) : null;
}

/** A plain field as a save sends it when it doesn't change: a number that JavaScript can't hold is kept exactly. */
export function keptValue(record: JsonObject, field: PlainField): Json {
  const value = member(record, field) ?? null;
  return exactDigits(value) === undefined ? plainValue(record, field) : value;
}

/** True if two values of a plain field mean the same, as an empty string and null do. */
export function samePlain(one: Json, other: Json): boolean {
  return (one === '' ? null : one) === (other === '' ? null : other);
}

/** The fields whose `values` differ from those in `before`. */
export function changedFields(before: PlainValues, values: Partial<PlainValues>): PlainField[] {
  return plainFields.filter((field) => {
    const value = values[field];
    return value !== undefined && !samePlain(value, before[field]);
  });
}

/** Whether the service has a value for a secret, as far as it says. */
function secretPresence(record: JsonObject, field: SecretField): SecretPresence {
  const told = member(record, `${field}_set`);
  if (typeof told === 'boolean') return told ? 'set' : 'notSet';
  if (member(record, field)) return 'set';
  // In a service that masks its secrets, null means not set.
  const masks = secretFields.some((name) => {
    const value = member(record, name);
    return typeof value === 'string' && value !== '' && isMasked(value);
  });
  // An absent `search_api_key_set` means false (docs/protocol/service.md, “Settings”).
  return masks || field === 'search_api_key' ? 'notSet' : 'unknown';
}

/** Wire names of the fields this client doesn't know. */
export function unknownFields(record: JsonObject): string[] {
  return Object.keys(record).filter((name) => !settingsFields.includes(name));
}

/** What the settings need from a service's client. */
export type SettingsClient = Pick<
  ApiClient,
  | 'baseUrl'
  | 'origin'
  | 'abilities'
  | 'describeFields'
  | 'getSettings'
  | 'postSettings'
  | 'addGitProviders'
  | 'unsetProviderTokens'
>;

/** The error of a failed request; throws any other error. */
export function requestError(error: unknown): ApiError {
  if (error instanceof ApiError) return error;
  throw error;
}
