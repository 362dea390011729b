import assert from 'node:assert/strict';
import { nextTurn } from '../../../../src/core/basics/nextTurn';

describe('the next turn', () => {
  it('comes after work that already waits', async () => {
    const done: string[] = [];
    setImmediate(() => done.push('waited'));
    void Promise.resolve().then(() => done.push('at once'));
    await nextTurn();
    assert.deepEqual(done, ['at once', 'waited']);
  });
});
