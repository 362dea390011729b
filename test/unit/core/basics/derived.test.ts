import assert from 'node:assert/strict';
import { derived } from '../../../../src/core/basics/derived';

describe('a derived value', () => {
  it('is made once for each object', () => {
    let made = 0;
    const count = derived((items: readonly string[]) => [items.length, (made += 1)]);
    const items = ['a'];
    assert.equal(count(items), count(items));
    assert.deepEqual(
      [count(items), count(['a', 'b'])],
      [
        [1, 1],
        [2, 2],
      ],
    );
  });
});
