import * as z from 'zod/mini';
import type { Control, ValueOf } from './fieldKinds';
import { fieldTable, secretTable, type Section } from './fields';

/**
 * The settings record of the service (docs/protocol/service.md, “Settings”), as both the form and the client see it,
 * derived from the descriptors of the fields. The three kinds of field never mix: plain values travel in clear, secrets
 * only as intentions, and the rest is shown and kept but never edited.
 */

/** Wire name of a settings field that the form edits. */
export type PlainField = keyof typeof fieldTable;

/** Every plain field in the order of the form. */
export const plainFields = Object.keys(fieldTable) as PlainField[];

/** Gives each plain field the member of `ByControl` for its control. */
type PerField<ByControl extends Record<Control, unknown>> = {
  [F in PlainField]: ByControl[(typeof fieldTable)[F]['control']];
};

/** Values of the plain fields; `null` means the service's default. */
export type PlainValues = PerField<ValueOf>;

/** Gives each plain field what `byControl` has for its control, such as the schema of its value. */
export function perField<T extends Record<Control, unknown>>(byControl: T): PerField<T> {
  return each(plainFields, (field) => byControl[fieldTable[field].control]);
}

/** Defaults of the specification (docs/protocol/service.md, “Settings”); “none” is null. */
export const plainDefaults = each(plainFields, (field) => fieldTable[field].default) as PlainValues;

/** Wire name of a secret setting. */
export type SecretField = keyof typeof secretTable;

/** Secret settings: their values are sent, never shown. */
export const secretFields = Object.keys(secretTable) as SecretField[];

/** Members of the response that say whether a secret has a value. */
export const toldFields = secretFields
  .filter((field) => secretTable[field].isTold)
  .map((field) => `${field}_set` as const);

/** Shown by the form, never edited; sent back as they came. */
export const shownFields = ['email', 'email_verified'] as const;

/** Only in the response of `GET /api/settings`; never sent. */
export const responseOnlyFields = [...toldFields, 'provider_tokens_set'] as const;

/** Whether the service has a value for a secret. `unknown`: the service doesn't say. */
export const secretPresence = z.enum(['set', 'notSet', 'unknown']);
export type SecretPresence = z.infer<typeof secretPresence>;

/** What the next save does to a secret. The new value itself stays in the extension host. */
export const secretIntention = z.enum(['keep', 'replace', 'clear']);
export type SecretIntention = z.infer<typeof secretIntention>;

/** A record of `names` with the value of each. */
export function each<Name extends string, Value>(
  names: readonly Name[],
  valueOf: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, valueOf(name)])) as Record<Name, Value>;
}

const described = { ...fieldTable, ...secretTable };

/** Label of an editable field. */
export function fieldLabel(field: PlainField | SecretField): string {
  return described[field].label();
}

/** Help of an editable field. */
export function fieldHelp(field: PlainField | SecretField): string {
  return described[field].help();
}

/** Section of an editable field. */
export function fieldSection(field: PlainField | SecretField): Section {
  return described[field].section;
}
