import type * as z from 'zod/mini';

/**
 * Whether the schema is certain to read the value as it is. False says nothing: then zod has to look, which takes many
 * times as long, and would be most of what the script of a form with hundreds of servers does before its first frame.
 */
export function fits(schema: z.core.$ZodType, value: unknown): boolean {
  return testOf(schema)(value);
}

type Test = (value: unknown) => boolean;
type Def = z.core.$ZodTypes['_zod']['def'];

const tests = new WeakMap<z.core.$ZodType, Test>();

function testOf(schema: z.core.$ZodType): Test {
  const known = tests.get(schema);
  if (known !== undefined) return known;
  const { def } = (schema as z.core.$ZodTypes)._zod;
  const testOfKind = kinds[def.type] as ((def: Def) => Test) | undefined;
  const test = withConditions(testOfKind?.(def) ?? (() => false), def.checks ?? []);
  tests.set(schema, test);
  return test;
}

/** The kinds of schema that messages have. */
const kinds: { [T in Def['type']]?: (def: Extract<Def, { type: T }>) => Test } = {
  string: (def) => (value) => typeof value === 'string' && !('format' in def) && def.coerce !== true,
  number: (def) => (value) => Number.isFinite(value) && !('format' in def) && def.coerce !== true,
  boolean: (def) => (value) => typeof value === 'boolean' && def.coerce !== true,
  literal: ({ values }) => isOneOf(values),
  enum: ({ entries }) => isOneOf(Object.values(entries)),
  nullable: ({ innerType }) => {
    const test = testOf(innerType);
    return (value) => value === null || test(value);
  },
  // Of a member that is there. One that may be undefined instead is for zod to judge.
  optional: ({ innerType }) => testOf(innerType),
  union: ({ options }) => {
    const each = options.map(testOf);
    return (value) => each.some((test) => test(value));
  },
  array: ({ element }) => {
    const test = testOf(element);
    // Not every(), which leaves out what a list has no element for.
    return (value) => Array.isArray(value) && value.findIndex((item) => !test(item)) < 0;
  },
  object: ({ shape }) => testOfShape(shape),
  record: testOfRecord,
};

function isOneOf(values: readonly unknown[]): Test {
  return (value) => values.some((one) => one === value);
}

/** Zod makes a plain object of any other. */
function isPlain(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype;
}

/** Every member is known, and each is as it has to be. */
function testOfShape(shape: z.core.$ZodShape): Test {
  const members = Object.entries(shape).map(([name, member]) => ({
    name,
    test: testOf(member),
    mayLack: member._zod.def.type === 'optional',
  }));
  return (value) => {
    if (!isPlain(value)) return false;
    let count = 0;
    for (const { name, test, mayLack } of members) {
      if (Object.hasOwn(value, name)) {
        if (!test(value[name])) return false;
        count += 1;
      } else if (!mayLack) return false;
    }
    return count === Object.keys(value).length;
  };
}

/** Any names that fit; a list of names that all have to be there is for zod to judge. */
function testOfRecord({ keyType, valueType, partial }: z.core.$ZodRecordDef): Test {
  if (partial !== true && keyType._zod.values !== undefined) return () => false;
  const [testName, test] = [testOf(keyType), testOf(valueType)];
  return (value) =>
    isPlain(value) &&
    Object.entries(value).every(([name, member]) => name !== '__proto__' && testName(name) && test(member));
}

/** A test with plain conditions, all of which have to hold. Other checks may change the value. */
function withConditions(test: Test, checks: readonly z.core.$ZodCheck[]): Test {
  if (checks.length === 0) return test;
  const conditions = checks.map(({ _zod: { def } }) =>
    'fn' in def && def.check === 'custom' ? (def as z.core.$ZodCustomDef).fn : () => false,
  );
  return (value) => test(value) && conditions.every((holds) => holds(value) === true);
}
