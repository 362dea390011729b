import assert from 'node:assert/strict';
import { atOnce, inTurns, type Steps } from '../../../../src/core/basics/steps';

describe('work in steps', () => {
  /** What was done so far. */
  let done: string[];
  function* work(steps: number): Steps<string> {
    for (let step = 1; step <= steps; step += 1) {
      done.push(`step ${step}`);
      yield;
    }
    return 'result';
  }
  beforeEach(() => {
    done = [];
  });

  it('is done without a break, to its result', () => {
    assert.equal(atOnce(work(3)), 'result');
    assert.deepEqual(done, ['step 1', 'step 2', 'step 3']);
    assert.equal(atOnce(work(0)), 'result');
  });

  it('lets what waits run between its steps', async () => {
    setImmediate(() => done.push('other'));
    assert.equal(await inTurns(work(2)), 'result');
    assert.deepEqual(done, ['step 1', 'other', 'step 2']);
  });

  it('fails as its step does', async () => {
    function* failing(): Steps<string> {
      yield;
      throw new Error('No.');
    }
    assert.throws(() => atOnce(failing()), /No\./);
    await assert.rejects(inTurns(failing()), /No\./);
  });
});
