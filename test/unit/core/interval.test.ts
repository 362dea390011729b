import assert from 'node:assert/strict';
import { intervalOf } from '../../../src/core/basics/interval';

describe('an interval in the settings', () => {
  for (const [seconds, ms] of [
    [0, 0],
    [1, 1_000],
    [0.001, 1_000],
    [15, 15_000],
    [1e9, 3_600_000],
    [-1, 5],
    [NaN, 5],
    ['15', 5],
    [null, 5],
    [[15], 5],
  ] as const)
    it(`is ${ms} ms for ${String(seconds)}`, () => assert.equal(intervalOf(seconds, 5), ms));
});
