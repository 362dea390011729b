import assert from 'node:assert/strict';
import { sandboxActions } from '../../../../src/features/sandboxes/model/actions';
import { PendingActions } from '../../../../src/core/lists/pendingActions';
import { aSandbox } from '../../../support/builders/records';

describe('pending actions', () => {
  it('stay until the service shows a new state', () => {
    const pending = new PendingActions(() => 0);
    pending.begin(aSandbox({ status: 'RUNNING' }), sandboxActions.pause);
    pending.settle([aSandbox({ status: 'RUNNING' })]);
    assert.equal(pending.get('sb-1'), sandboxActions.pause);
    pending.settle([aSandbox({ status: 'PAUSED' })]);
    assert.equal(pending.get('sb-1'), undefined);
  });

  it('end when the sandbox is gone, the request fails, or time runs out', () => {
    let now = 0;
    const pending = new PendingActions(() => now);
    pending.begin(aSandbox(), sandboxActions.pause);
    pending.settle([]);
    assert.equal(pending.any, false);
    pending.begin(aSandbox(), sandboxActions.pause);
    pending.end('sb-1');
    assert.equal(pending.any, false);
    pending.begin(aSandbox(), sandboxActions.pause);
    now = 120_000;
    pending.settle([aSandbox()]);
    assert.equal(pending.any, false);
  });

  it('count requests in flight until they succeed or fail', async () => {
    const pending = new PendingActions(() => 0);
    const work = pending.during(Promise.reject(new Error('no')));
    assert.equal(pending.any, true);
    await assert.rejects(work, /no/);
    assert.equal(pending.any, false);
  });

  it('are expected soon, until their time runs out', () => {
    let now = 0;
    const pending = new PendingActions(() => now);
    assert.equal(pending.any, false);
    pending.begin(aSandbox(), sandboxActions.pause);
    assert.equal(pending.any, true);
    now = 119_999;
    assert.equal(pending.askedFor('sb-1', 'paused'), true);
    now = 120_000;
    assert.equal(pending.askedFor('sb-1', 'paused'), false);
  });

  it('end soon even if the clock was set back', () => {
    let now = 10 * 3_600_000;
    const pending = new PendingActions(() => now);
    pending.begin(aSandbox(), sandboxActions.pause);
    now -= 3_600_000;
    assert.equal(pending.askedFor('sb-1', 'paused'), false);
    pending.settle([aSandbox()]);
    assert.equal(pending.any, false);
  });

  it('leave those of other sandboxes', () => {
    const pending = new PendingActions(() => 0);
    pending.begin(aSandbox(), sandboxActions.pause);
    pending.begin(aSandbox({ id: 'sb-2' }), sandboxActions.resume);
    assert.equal(pending.askedFor('sb-1', 'paused'), true);
    pending.settle([aSandbox({ status: 'PAUSED' }), aSandbox({ id: 'sb-2' })]);
    assert.equal(pending.get('sb-1'), undefined);
    assert.equal(pending.get('sb-2'), sandboxActions.resume);
  });

  it('are forgotten with the connection', () => {
    const pending = new PendingActions(() => 0);
    let changes = 0;
    pending.begin(aSandbox(), sandboxActions.pause);
    pending.onDidChange(() => (changes += 1));
    pending.clear();
    assert.deepEqual([pending.any, pending.askedFor('sb-1', 'paused'), changes], [false, false, 1]);
  });
});
