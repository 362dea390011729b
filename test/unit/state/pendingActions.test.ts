import assert from 'node:assert/strict';
import { PendingActions } from '../../../src/state/pendingActions';
import { aSandbox } from '../../support/builders/records';

describe('pending actions', () => {
  it('stay until the service shows another state than before', () => {
    const pending = new PendingActions(() => 0);
    pending.begin(aSandbox({ status: 'RUNNING' }), 'pausing');
    pending.settle([aSandbox({ status: 'RUNNING' })]);
    assert.equal(pending.get('sb-1'), 'pausing');
    pending.settle([aSandbox({ status: 'PAUSED' })]);
    assert.equal(pending.get('sb-1'), undefined);
  });

  it('end when the sandbox is gone, when the request failed, and when the service had time enough', () => {
    let now = 0;
    const pending = new PendingActions(() => now);
    pending.begin(aSandbox(), 'pausing');
    pending.settle([]);
    assert.equal(pending.any, false);
    pending.begin(aSandbox(), 'pausing');
    pending.end('sb-1');
    assert.equal(pending.any, false);
    pending.begin(aSandbox(), 'pausing');
    now = 120_000;
    pending.settle([aSandbox()]);
    assert.equal(pending.any, false);
  });

  it('count work in flight, whether it ends well or not', async () => {
    const pending = new PendingActions(() => 0);
    const work = pending.during(Promise.reject(new Error('no')));
    assert.equal(pending.any, true);
    await assert.rejects(work, /no/);
    assert.equal(pending.any, false);
  });
});
