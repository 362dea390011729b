import assert from 'node:assert/strict';
import { sandboxActions } from '../../../../src/state/sandboxes/actions';
import { PendingActions } from '../../../../src/state/sandboxes/pendingActions';
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
});
