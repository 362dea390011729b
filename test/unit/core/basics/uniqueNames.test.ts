import assert from 'node:assert/strict';
import { UniqueNames } from '../../../../src/core/basics/uniqueNames';

describe('unique names', () => {
  it('are those that are wanted, with a number from 2 where they’re taken', () => {
    const names = new UniqueNames(['b', 'c-2', 'c', 7]);
    assert.deepEqual(
      ['a', 'a', 'a', 'b', 'c', 'a-2', 'a'].map((wanted) => names.take(wanted)),
      ['a', 'a-2', 'a-3', 'b-2', 'c-3', 'a-2-2', 'a-4'],
    );
    assert.equal(new UniqueNames().take('b'), 'b');
  });
});
