import * as fc from 'fast-check';

/** Cases of each property; `npm run fuzz` sets many more. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 300);

/** Keys that code may trip over. */
const trickyKeys = [
  '__proto__',
  'constructor',
  'prototype',
  'toString',
  'hasOwnProperty',
  'length',
  '',
  'items',
  'id',
];

/** What a check of length trips over that does not look at the type first. */
export const lengthOfNone = { length: { toString: null } };

/** Any JSON, with keys and texts that code may trip over, nested a few levels. */
export const anyJson: fc.Arbitrary<unknown> = fc.letrec((tie) => ({
  value: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    fc.constantFrom<unknown>(
      null,
      true,
      false,
      0,
      -0,
      -1,
      1e308,
      5e-324,
      '',
      'a',
      '\ud800',
      '\u202e',
      '__proto__',
    ),
    fc.double({ noNaN: true }),
    fc.string({ unit: 'binary', maxLength: 20 }),
    fc.array(tie('value'), { maxLength: 4 }),
    fc
      .array(fc.tuple(fc.oneof(fc.constantFrom(...trickyKeys), fc.string({ maxLength: 8 })), tie('value')), {
        maxLength: 5,
      })
      .map((entries) => Object.fromEntries(entries) as unknown),
  ),
})).value;

/** `valid` with one member, at any depth, put in another's place: what is nearly right finds more than what is not. */
export function nearly(valid: unknown): fc.Arbitrary<unknown> {
  const paths = pathsOf(valid);
  return fc
    .array(fc.tuple(fc.constantFrom(...paths), anyJson), { minLength: 0, maxLength: 3 })
    .map((changes) => changes.reduce<unknown>((value, [path, by]) => replaced(value, path, by), valid));
}

function pathsOf(value: unknown, path: string[] = []): string[][] {
  if (typeof value !== 'object' || value === null) return [path];
  return [path, ...Object.entries(value).flatMap(([key, member]) => pathsOf(member, [...path, key]))];
}

function replaced(value: unknown, [first, ...rest]: string[], by: unknown): unknown {
  if (first === undefined || typeof value !== 'object' || value === null) return by;
  if (Array.isArray(value))
    return value.map((one: unknown, index) => (`${index}` === first ? replaced(one, rest, by) : one));
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, key === first ? replaced(member, rest, by) : member]),
  );
}

/** A property over many cases; inputs that once failed are `examples` and run first. The title says how many run. */
export function fuzz<T>(
  title: string,
  inputs: fc.Arbitrary<T>,
  property: (input: T) => unknown,
  examples: T[] = [],
): void {
  it(`${title} (${numRuns} cases)`, async function () {
    this.timeout(Math.max(20_000, numRuns * 50));
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await property(input);
        if (Object.keys(Object.prototype).length > 0) throw new Error('Object.prototype was changed');
      }),
      { numRuns, examples: examples.map((example): [T] => [example]) },
    );
  });
}
