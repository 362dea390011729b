import assert from 'node:assert/strict';
import fc from 'fast-check';
import { type Json, canonical } from '../../../src/shared/json';
import { same } from '../../../src/shared/same';

const reversed = (value: unknown): unknown => {
  if (Array.isArray(value)) return value.map(reversed);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, member]) => [name, reversed(member)] as const);
  return Object.fromEntries(members.toReversed());
};

describe('equality of data', () => {
  it('doesn’t depend on the order of members', () => {
    fc.assert(fc.property(fc.jsonValue(), (value) => same(value, reversed(value))));
  });

  it('is that of the canonical texts', () => {
    const value = fc.jsonValue({ maxDepth: 2 });
    fc.assert(
      fc.property(value, value, (one, other) => {
        assert.equal(same(one, other), canonical(one as Json) === canonical(other as Json));
      }),
    );
  });

  it('takes NaN for equal to itself, and 0 to -0', () => {
    assert.equal(same({ a: [NaN] }, { a: [NaN] }), true);
    assert.equal(same([0], [-0]), true);
  });

  for (const [title, one, other] of [
    ['a list and an object', [], {}],
    ['an object and null', {}, null],
    ['a missing member and one without a value', { a: undefined }, {}],
    ['an inherited member and an own one', { constructor: Object }, { a: 1 }],
    ['lists of different lengths', [1], [1, 2]],
    ['a number and its text', 1, '1'],
  ] as const)
    it(`tells ${title} apart`, () => {
      assert.equal(same(one, other), false);
      assert.equal(same(other, one), false);
    });
});
