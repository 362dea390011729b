import assert from 'node:assert/strict';
import { assertHeld, inTurn } from '../../../../src/core/settings/queue';
import { settled } from '../../../support/settled';
import { safeguards } from './safeguards';

describe('changes of the settings of one service', () => {
  let origin = '';
  let count = 0;

  // What goes on at one service holds up no other test.
  beforeEach(() => {
    count += 1;
    origin = `https://queue-${count}.example.com`;
  });

  it('wait for every earlier one', async () => {
    const { lock } = safeguards();
    const begun: number[] = [];
    const ends: (() => void)[] = [];
    const change = (task: number) =>
      inTurn(origin, lock, () => {
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

  it('take the lock of their service, and release it when they end, well or not', async () => {
    const held = { isHeld: () => true, release: () => (released += 1) };
    const taken: string[] = [];
    const lock = { take: (at: string) => Promise.resolve((taken.push(at), held)) };
    let released = 0;
    assert.equal(await inTurn(origin, lock, () => Promise.resolve(released)), 0);
    assert.equal(released, 1);
    await assert.rejects(
      inTurn(origin, lock, () => Promise.reject(new Error('odd'))),
      /odd/,
    );
    assert.equal(released, 2);
    assert.deepEqual(taken, [origin, origin]);
  });

  it('are refused where another window keeps the lock, or took it', async () => {
    const busy = { name: 'ApiError', reason: 'busy', method: 'GET', route: '/api/settings' };
    const change = inTurn(origin, { take: () => Promise.resolve(undefined) }, () => Promise.resolve());
    await assert.rejects(change, busy);
    assert.throws(() => assertHeld({ isHeld: () => false, release: () => undefined }), busy);
    assertHeld({ isHeld: () => true, release: () => undefined });
  });
});
