import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { same } from '../../../../src/shared/same';
import { unchangedKept } from '../../../../src/core/basics/unchangedKept';

describe('records of a service', () => {
  it('are the same if everything in them is', () => {
    const record = { id: '1', tags: ['a', { deep: [null, 1, NaN] }], none: null };
    assert.equal(same(record, structuredClone(record)), true);
    assert.equal(same([], []), true);
    assert.equal(same({ a: 1, b: 2 }, { b: 2, a: 1 }), true);
  });

  const pairs: [one: unknown, other: unknown][] = [
    [{ a: 1 }, { a: 2 }],
    [{ a: 1 }, { a: '1' }],
    [{ a: 1 }, { a: 1, b: 2 }],
    [{ a: undefined }, { b: undefined }],
    [{ constructor: undefined }, { other: undefined }],
    [{ a: { b: 1 } }, { a: { b: 2 } }],
    [['a', 'b'], ['a']],
    [['a'], { 0: 'a' }],
    [{}, []],
    [{}, null],
    [{}, undefined],
    [{}, 5],
    ['', {}],
    [0, ''],
    [null, undefined],
  ];
  for (const [one, other] of pairs) {
    it(`differ: ${inspect(one)} and ${inspect(other)}`, () => {
      assert.equal(same(one, other), false);
      assert.equal(same(other, one), false);
    });
  }

  it('stay the same objects while they are unchanged, and come once', async () => {
    const previous = [
      { id: '1', note: 'a' },
      { id: '2', note: 'b' },
    ];
    const read = [
      { id: '3' },
      { id: '2', note: 'b' },
      { id: '1', note: 'changed' },
      { id: '3', note: 'later' },
    ];
    const items = await unchangedKept(read, previous);
    assert.deepEqual(items, [
      { id: '3', note: 'later' },
      { id: '2', note: 'b' },
      { id: '1', note: 'changed' },
    ]);
    assert.equal(items[1], previous[1]);
    assert.notEqual(items[2], previous[0]);
  });

  it('leave others their turn while many are compared', async () => {
    const read = Array.from({ length: 2_001 }, (_, index) => ({ id: String(index) }));
    for (const [count, breaks] of [
      [1_000, 0],
      [1_001, 1],
      [2_001, 2],
    ] as const) {
      let turns = 0;
      let done = false;
      const turn = () => {
        if (done) return;
        turns += 1;
        setImmediate(turn);
      };
      setImmediate(turn);
      assert.equal((await unchangedKept(read.slice(0, count), [])).length, count);
      done = true;
      assert.equal(turns, breaks);
    }
  });
});
