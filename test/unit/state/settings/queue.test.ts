import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { inTurn } from '../../../../src/state/settings/queue';
import { settled } from '../../../support/settled';
import { safeguards } from './safeguards';

describe('changes of the settings of one service', () => {
  it('wait for every earlier one', async () => {
    const { lock } = safeguards();
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const change = (task: number) =>
      inTurn('https://queue.example.com', lock, () => {
        begun.push(task);
        return new Promise<void>((end) => ends.push(end));
      });
    const first = [change(0), change(1)];
    await settled();
    assert.deepEqual(begun, [0]);
    ends[0]?.();
    await settled();
    assert.deepEqual(begun, [0, 1]);
    const last = change(2);
    await settled();
    assert.deepEqual(begun, [0, 1]);
    ends[1]?.();
    await settled();
    ends[2]?.();
    await Promise.all([...first, last]);
    assert.deepEqual(begun, [0, 1, 2]);
  });

  it('leave nothing at the signal that could cancel them', async () => {
    const { signal } = new AbortController();
    const change = inTurn('https://queue.example.com', safeguards().lock, () => Promise.resolve(5), signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    assert.equal(await change, 5);
    await settled();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });
});
