import assert from 'node:assert/strict';
import { coalesce } from '../../../../src/core/basics/coalesce';
import { settled } from '../../../support/settled';

/** Work that the test ends by hand. */
function setUp() {
  const runs: { end: () => void; fail: (error: Error) => void }[] = [];
  const run = coalesce(() => new Promise<void>((end, fail) => runs.push({ end, fail })));
  return { runs, run };
}

describe('work that is asked for repeatedly', () => {
  it('runs again once for all calls during a run, and all wait for that', async () => {
    const { runs, run } = setUp();
    const ended: string[] = [];
    const calls = ['first', 'second', 'third'].map((name) => run().then(() => ended.push(name)));
    assert.equal(runs.length, 1);
    runs[0]?.end();
    await settled();
    assert.equal(runs.length, 2);
    assert.deepEqual(ended, []);
    runs[1]?.end();
    await Promise.all(calls);
    assert.equal(runs.length, 2);
  });

  it('runs again for a later call', async () => {
    const { runs, run } = setUp();
    for (const count of [1, 2]) {
      const call = run();
      assert.equal(runs.length, count);
      runs.at(-1)?.end();
      await call;
    }
  });

  it('reports a failure to every caller, and can be tried again', async () => {
    const { runs, run } = setUp();
    const calls = [run(), run()];
    const failed = Promise.all(calls.map((call) => assert.rejects(call, /no/)));
    runs[0]?.fail(new Error('no'));
    await failed;
    const call = run();
    assert.equal(runs.length, 2);
    runs[1]?.end();
    await call;
  });
});
