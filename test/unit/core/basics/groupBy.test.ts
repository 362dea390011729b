import assert from 'node:assert/strict';
import { groupBy } from '../../../../src/core/basics/groupBy';

describe('groups', () => {
  it('have their values in order, and come in the order of their first values', () => {
    const groups = groupBy(['bee', 'ant', 'bat', 'ape'], (word) => word[0]);
    assert.deepEqual(
      [...groups],
      [
        ['b', ['bee', 'bat']],
        ['a', ['ant', 'ape']],
      ],
    );
  });
});
