import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { AttentionEvent } from '../../../../src/core/lists/attention';
import { sandboxActions } from '../../../../src/features/sandboxes/model/actions';
import { PendingActions } from '../../../../src/core/lists/pendingActions';
import { SandboxHistory } from '../../../../src/core/lists/history';
import { aSandbox } from '../../../support/builders/records';
import { seeded } from '../../changes/seeded';

const minute = 60_000;

/** Reads a sandbox repeatedly. */
function reading() {
  const world = { now: 0 };
  const pending = new PendingActions(() => world.now);
  const history = new SandboxHistory(pending, () => world.now);
  return {
    history,
    pending,
    /** Reads the sandbox after `ms`; returns the status to show and the events. */
    read: (status: string, ms = 15_000) => {
      world.now += ms;
      const shown = history.read(aSandbox({ status })).status;
      const news = history.takeNews().map(({ kind }) => kind);
      return news.length > 0 ? [shown, ...news] : [shown];
    },
    setBack: (ms: number) => void (world.now -= ms),
    askToPause: (status = 'RUNNING') => pending.begin(aSandbox({ status }), sandboxActions.pause),
  };
}

describe('sandbox history', () => {
  it('reports nothing for the status seen first', () => {
    assert.deepEqual(reading().read('ERROR'), ['ERROR']);
    assert.deepEqual(reading().read('PAUSED'), ['PAUSED']);
  });

  it('reports once that the service paused a sandbox', () => {
    const { history, read } = reading();
    read('RUNNING');
    assert.deepEqual(read('PAUSED'), ['PAUSED', 'sandboxPaused']);
    assert.equal(history.pausedByService('sb-1'), true);
    assert.deepEqual(read('PAUSED'), ['PAUSED']);
    assert.equal(history.pausedByService('sb-1'), true);
    read('RUNNING');
    assert.equal(history.pausedByService('sb-1'), false);
  });

  it('recognizes a pause requested here, but reports the next pause', () => {
    const { history, read, askToPause } = reading();
    read('RUNNING');
    askToPause();
    assert.deepEqual(read('PAUSED'), ['PAUSED']);
    assert.equal(history.pausedByService('sb-1'), false);
    read('RUNNING');
    assert.deepEqual(read('PAUSED'), ['PAUSED', 'sandboxPaused']);
  });

  it('reports a pause long after a request', () => {
    const { read, askToPause } = reading();
    read('RUNNING');
    askToPause();
    read('RUNNING');
    assert.deepEqual(read('PAUSED', 10 * minute), ['PAUSED', 'sandboxPaused']);
  });

  it('shows and reports an error after a later refresh confirms it', () => {
    const { history, read } = reading();
    read('RUNNING');
    assert.deepEqual(read('ERROR'), ['RUNNING']);
    assert.equal(history.hasDoubts, true, 'must be read again soon');
    assert.deepEqual(read('ERROR', 1_500), ['RUNNING']);
    assert.equal(history.sureStatus('sb-1', 'ERROR'), 'RUNNING');
    assert.deepEqual(read('ERROR', 5_000), ['ERROR', 'sandboxFailed']);
    assert.equal(history.hasDoubts, false);
    assert.equal(history.sureStatus('sb-1', 'ERROR'), 'ERROR');
    assert.deepEqual(read('ERROR', 10 * minute), ['ERROR']);
  });

  it('shows and reports an error soon although the clock was set back', () => {
    const { history, read } = reading();
    read('RUNNING', 60 * minute);
    read('ERROR');
    assert.deepEqual(read('ERROR', -30 * minute), ['RUNNING']);
    assert.equal(history.hasDoubts, true);
    assert.deepEqual(read('ERROR'), ['ERROR', 'sandboxFailed']);
    assert.equal(history.hasDoubts, false);
  });

  it('doesn’t doubt for years a sandbox that is gone, if the clock was set back', () => {
    const { history, read, setBack } = reading();
    read('RUNNING', 60 * minute);
    read('ERROR');
    setBack(30 * minute);
    assert.equal(history.hasDoubts, false);
  });

  it('forgets an error that cleared', () => {
    const { history, read } = reading();
    read('RUNNING');
    read('ERROR');
    assert.deepEqual(read('RUNNING'), ['RUNNING']);
    assert.equal(history.hasDoubts, false);
    assert.deepEqual(read('ERROR'), ['RUNNING'], 'the next error needs confirmation again');
  });

  it('reports a pause by the service after an error', () => {
    const { read } = reading();
    read('RUNNING');
    read('ERROR');
    assert.deepEqual(read('PAUSED'), ['PAUSED', 'sandboxPaused']);
  });

  it('shows no error during a pause requested here', () => {
    const { read, askToPause } = reading();
    read('RUNNING');
    askToPause();
    assert.deepEqual(read('ERROR'), ['RUNNING']);
    assert.deepEqual(read('ERROR', minute), ['RUNNING']);
    assert.deepEqual(read('PAUSED'), ['PAUSED']);
  });

  it('ignores errors of a starting or resuming sandbox for two minutes', () => {
    for (const before of ['STARTING', 'PAUSED', 'MISSING']) {
      const { read } = reading();
      read(before);
      assert.deepEqual(read('ERROR'), [before]);
      assert.deepEqual(read('ERROR', minute), [before]);
      assert.deepEqual(read('ERROR', minute), ['ERROR', 'sandboxFailed']);
    }
  });

  it('stops rechecking a sandbox that is gone', () => {
    const { history, read } = reading();
    read('RUNNING');
    read('ERROR');
    history.read(aSandbox({ id: 'other' }));
    read('ERROR', 0);
    assert.equal(history.hasDoubts, true);
    const world = reading();
    world.read('RUNNING');
    world.read('ERROR');
    world.read('HIBERNATED', minute);
    assert.equal(world.history.hasDoubts, false);
  });

  it('says whether an event still holds', () => {
    const { history, read } = reading();
    const isStill = (kind: 'sandboxFailed' | 'sandboxPaused' | 'failed') =>
      history.isStill({ kind, id: 'sb-1', since: 0 } as AttentionEvent);
    const kinds = ['sandboxFailed', 'sandboxPaused', 'failed'] as const;
    const held = () => kinds.filter(isStill);
    assert.deepEqual(held(), [], 'of a sandbox that was never seen');
    read('RUNNING');
    assert.deepEqual(held(), []);
    read('PAUSED');
    assert.deepEqual(held(), ['sandboxPaused']);
    read('ERROR');
    read('ERROR', 10 * minute);
    assert.deepEqual(held(), ['sandboxFailed']);
  });

  it('says what failed, and since when it may have', () => {
    let now = 1_000;
    const history = new SandboxHistory(new PendingActions(() => now), () => now);
    history.read(aSandbox({ status: 'RUNNING' }));
    for (now of [2_000, 20_000]) history.read(aSandbox({ status: 'ERROR', status_detail: 'out of disk' }));
    assert.deepEqual(history.takeNews(), [
      { id: 'sb-1', since: 1_000, kind: 'sandboxFailed', detail: 'out of disk' },
    ]);
  });

  it('reports a pause by the service while a sandbox starts, but not of one that had failed', () => {
    const { history, read } = reading();
    read('STARTING');
    assert.deepEqual(read('PAUSED'), ['PAUSED', 'sandboxPaused']);
    const failed = reading();
    failed.read('ERROR');
    assert.deepEqual(failed.read('PAUSED'), ['PAUSED']);
    assert.equal(history.pausedByService('unknown'), false);
  });

  it('takes a status read elsewhere unless only its error is in doubt', () => {
    const { history, read } = reading();
    assert.equal(history.sureStatus('sb-1', 'ERROR'), 'ERROR', 'of an unknown sandbox');
    read('RUNNING');
    assert.equal(history.sureStatus('sb-1', 'PAUSED'), 'PAUSED');
    assert.equal(history.sureStatus('sb-1', 'ERROR'), 'RUNNING');
    read('ERROR');
    read('ERROR', 10 * minute);
    assert.equal(history.sureStatus('sb-1', 'PAUSED'), 'PAUSED');
  });

  it('reports nothing for an unknown state', () => {
    const { read } = reading();
    read('RUNNING');
    assert.deepEqual(read('HIBERNATED'), ['HIBERNATED']);
    assert.deepEqual(read('RUNNING'), ['RUNNING']);
  });

  it('reports each event once, and no requested pause, in random sequences', () => {
    const statuses = ['STARTING', 'RUNNING', 'PAUSED', 'ERROR', 'MISSING', 'X'];
    const step = fc.record({
      status: fc.constantFrom(...statuses),
      ms: fc.nat(3 * minute),
      ask: fc.boolean(),
    });
    let told = 0;
    fc.assert(
      fc.property(fc.array(step, { minLength: 5, maxLength: 60, size: 'max' }), (steps) => {
        const { pending, read, askToPause } = reading();
        const sure: string[] = [];
        for (const one of steps) {
          if (one.ask) askToPause(sure.at(-1));
          const asked = one.ms < 120_000 && pending.askedFor('sb-1', 'paused');
          const [shown, ...news] = read(one.status, one.ms);
          told += news.length;
          assert.ok(news.length <= 1);
          if (news[0] === 'sandboxPaused') assert.ok(!(asked && one.ask), 'a requested pause was reported');
          if (news.length > 0) assert.notEqual(sure.at(-1), shown, 'an unchanged status was reported');
          if (['RUNNING', 'STARTING', 'PAUSED', 'MISSING', 'ERROR'].includes(shown ?? '')) sure.push(shown!);
        }
      }),
      seeded('HISTORY_SEED', { numRuns: 1_000 }),
    );
    assert.ok(told > 500, 'too few events in the cases');
  });
});
