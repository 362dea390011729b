import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import * as z from 'zod/mini';
import { listOf, shortText } from '../../../src/shared/bounded';
import { fits } from '../../../src/shared/fits';
import { hostMessageSchema } from '../../../src/shared/messages';
import { everyCase } from '../../support/everyCase';
import { anyJson, nearly } from '../fuzz/support';
import { formMessage } from '../../ui/form/samples';

const record = z.strictObject({ name: shortText, also: z.exactOptional(z.nullable(z.number())) });

const kinds: [schema: z.core.$ZodType, good: unknown[], bad: unknown[]][] = [
  [z.string(), ['', 'a'], [1, null, undefined, ['a']]],
  [shortText, ['a'.repeat(2_000)], ['a'.repeat(2_001), { length: 1 }]],
  [z.number(), [0, -1.5], [NaN, Infinity, '1', null]],
  [z.boolean(), [true, false], [0, 'true', null]],
  [z.literal('a'), ['a'], ['b', undefined]],
  [z.enum(['a', 'b']), ['b'], ['c', 'toString', undefined]],
  [z.nullable(z.boolean()), [null, true], [undefined, 'a']],
  [z.union([z.string(), z.number()]), ['a', 1], [true, null]],
  [listOf(z.string(), 2), [[], ['a', 'b']], [['a', 'b', 'c'], [1], Array(1), 'a', { length: 0 }]],
  [
    record,
    [{ name: 'a' }, { name: 'a', also: 1 }],
    [
      {},
      [],
      null,
      { name: 'a', also: undefined },
      { name: 'a', more: 1 },
      JSON.parse('{"name":"a","__proto__":1}'),
    ],
  ],
  [
    z.record(shortText, z.number()),
    [{}, { a: 1 }],
    [[], null, { a: '1' }, { ['a'.repeat(2_001)]: 1 }, JSON.parse('{"__proto__":1}')],
  ],
  [z.partialRecord(z.enum(['a', 'b']), z.number()), [{}, { a: 1 }], [{ c: 1 }]],
];

describe('a value that fits its schema', () => {
  it('is recognized in every kind of schema that messages have', () =>
    everyCase(
      kinds,
      ([schema]) => schema._zod.def.type,
      ([schema, good, bad]) => {
        for (const value of good) assert.ok(fits(schema, value), JSON.stringify(value));
        for (const value of bad) assert.ok(!fits(schema, value), JSON.stringify(value));
      },
    ));

  it('is left to zod where that may read another value, or wants members to be there', () => {
    const changing: [z.core.$ZodType, unknown][] = [
      [z.string().check(z.trim()), ' a '],
      [z.email(), 'a'],
      [z.int(), 1.5],
      [z.coerce.number(), 1],
      [z.string().check(z.minLength(2)), 'a'],
      [z.catch(z.string(), ''), 1],
      [z.record(z.enum(['a', 'b']), z.number()), { a: 1 }],
      [record, Object.create({ name: 'a' })],
    ];
    for (const [schema, value] of changing) assert.ok(!fits(schema, value), schema._zod.def.type);
  });

  it('is what the form is sent', () => {
    assert.ok(fits(hostMessageSchema, structuredClone(formMessage())));
  });

  it('is always one that zod reads unchanged', () => {
    fc.assert(
      fc.property(fc.constantFrom(...kinds), anyJson, (kind, json) => {
        const [schema, good] = kind;
        for (const value of [json, ...good]) {
          if (fits(schema, value))
            assert.deepEqual(z.safeParse(schema, value), { success: true, data: value });
        }
      }),
    );
    fc.assert(
      fc.property(nearly(formMessage()), (message) => {
        if (!fits(hostMessageSchema, message)) return;
        assert.deepEqual(hostMessageSchema.safeParse(message), { success: true, data: message });
      }),
    );
  });
});
