import assert from 'node:assert/strict';
import { changedCounts } from '../../../src/shared/changedCounts';

describe('counts of changed lines', () => {
  it('name only what there is', () => {
    assert.equal(changedCounts({ added: 12, removed: 3 }), '+12 −3');
    assert.equal(changedCounts({ added: 120, removed: 0 }), '+120');
    assert.equal(changedCounts({ added: 0, removed: 3 }), '−3');
    assert.equal(changedCounts({ added: 0, removed: 0 }), '');
    assert.equal(
      changedCounts({ added: 1_200, removed: 3_400 }, (count) => `${count / 1_000}K`),
      '+1.2K −3.4K',
    );
  });
});
