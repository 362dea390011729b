import * as fc from 'fast-check';

/** Cases per property; `npm run fuzz` runs many more, with its own seeds. */
const numRuns = Number(process.env['FUZZ_RUNS'] ?? 300);

/** Keys that can break code. */
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

/** Breaks a length check that doesn't check the type first. */
export const lengthOfNone = { length: { toString: null } };

/** Any JSON, nested a few levels, with keys and strings that can break code. */
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

/** `valid` with up to three members replaced at any depth. Nearly valid input finds more errors than random input. */
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

/** Gives a test the time that its cases need. A run without a limit, such as `npm run fuzz`, stays without one. */
export function limitTime(test: Mocha.Context, ms: number): void {
  if (test.timeout() > 0) test.timeout(Math.max(90_000, ms));
}

/** Tests a property over many cases. `examples` are inputs that once failed; they run first. The title shows the number of cases. */
export function fuzz<T>(
  title: string,
  inputs: fc.Arbitrary<T>,
  property: (input: T) => unknown,
  examples: T[] = [],
): void {
  it(`${title} (${numRuns} cases)`, async function () {
    limitTime(this, numRuns * 50);
    await fc.assert(
      fc.asyncProperty(inputs, async (input) => {
        await property(input);
        if (Object.keys(Object.prototype).length > 0) throw new Error('Object.prototype was changed');
      }),
      { numRuns, examples: examples.map((example): [T] => [example]) },
    );
  });
}
