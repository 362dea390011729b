import type * as z from 'zod/mini';

/**
 * Whether the schema is certain to read the value as it is. False says nothing: then zod has to look, which takes many
 * times as long, and would be most of what the script of a form with hundreds of servers does before its first frame.
 */
export function fits(schema: z.core.$ZodType, value: unknown): boolean {
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const fitsKind = kinds[def.type] as ((def: Def, value: unknown) => boolean) | undefined;
  return fitsKind?.(def, value) === true && (def.checks ?? []).every((check) => passes(check, value));
}

type Def = z.core.$ZodTypes['_zod']['def'];

/** The kinds of schema that messages have. */
const kinds: { [T in Def['type']]?: (def: Extract<Def, { type: T }>, value: unknown) => boolean } = {
  string: (def, value) => typeof value === 'string' && !('format' in def) && def.coerce !== true,
  number: (def, value) => Number.isFinite(value) && !('format' in def) && def.coerce !== true,
  boolean: (def, value) => typeof value === 'boolean' && def.coerce !== true,
  literal: ({ values }, value) => values.some((one) => one === value),
  enum: ({ entries }, value) => Object.values(entries).some((one) => one === value),
  nullable: ({ innerType }, value) => value === null || fits(innerType, value),
  // Of a member that is there. One that may be undefined instead is for zod to judge.
  optional: ({ innerType }, value) => fits(innerType, value),
  union: ({ options }, value) => options.some((option) => fits(option, value)),
  // Not every(), which leaves out what a list has no element for.
  array: ({ element }, value) => Array.isArray(value) && value.findIndex((item) => !fits(element, item)) < 0,
  object: ({ shape }, value) => isPlain(value) && fitsShape(shape, value),
  record: (def, value) => isPlain(value) && fitsRecord(def, value),
};

/** Zod makes a plain object of any other. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Every member is known, and each is as it has to be. */
function fitsShape(shape: z.core.$ZodShape, value: Record<string, unknown>): boolean {
  let known = 0;
  for (const [name, member] of Object.entries(shape)) {
    if (!Object.hasOwn(value, name)) {
      if (member._zod.def.type !== 'optional') return false;
    } else if (!fits(member, value[name])) return false;
    else known += 1;
  }
  return known === Object.keys(value).length;
}

/** Any names that fit; a list of names that all have to be there is for zod to judge. */
function fitsRecord(
  { keyType, valueType, partial }: z.core.$ZodRecordDef,
  value: Record<string, unknown>,
): boolean {
  return (
    (partial === true || keyType._zod.values === undefined) &&
    Object.entries(value).every(
      ([name, member]) => name !== '__proto__' && fits(keyType, name) && fits(valueType, member),
    )
  );
}

/** Whether it is a plain condition, which holds. Other checks may change the value. */
function passes({ _zod: { def } }: z.core.$ZodCheck, value: unknown): boolean {
  return 'fn' in def && def.check === 'custom' && (def as z.core.$ZodCustomDef).fn(value) === true;
}
