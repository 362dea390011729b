import assert from 'node:assert/strict';
import fc from 'fast-check';
import { commonEnds } from '../../../../src/features/conversation/shared/commonEnds';

describe('what two lists have in common', () => {
  for (const [title, old, now, expected] of [
    ['all of an equal list', 'abc', 'abc', [3, 0]],
    ['nothing', 'abc', 'xyz', [0, 0]],
    ['a beginning', 'abc', 'abxy', [2, 0]],
    ['an end', 'abc', 'xyc', [0, 1]],
    ['both ends of an insertion', 'abcd', 'abxycd', [2, 2]],
    ['both ends of a removal', 'abxycd', 'abcd', [2, 2]],
    ['no element twice', 'aa', 'aaa', [2, 0]],
    ['nothing with an empty list', '', 'abc', [0, 0]],
  ] as const)
    it(`is ${title}`, () => assert.deepEqual(commonEnds(Array.from(old), Array.from(now)), expected));

  it('leaves the parts in which they differ', () => {
    const list = fc.array(fc.constantFrom('a', 'b', 'c'), { maxLength: 8 });
    fc.assert(
      fc.property(list, list, (old, now) => {
        const [start, end] = commonEnds(old, now);
        const [oldEnd, nowEnd] = [old.length - end, now.length - end];
        assert.ok(start <= Math.min(oldEnd, nowEnd));
        assert.deepEqual(old.slice(0, start), now.slice(0, start));
        assert.deepEqual(old.slice(oldEnd), now.slice(nowEnd));
        if (start === Math.min(oldEnd, nowEnd)) return;
        assert.notEqual(old[start], now[start]);
        assert.notEqual(old[oldEnd - 1], now[nowEnd - 1]);
      }),
    );
  });
});
