import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { assertHeld, inTurn } from '../../../../src/state/settings/queue';
import { settled } from '../../../support/settled';
import { safeguards } from './safeguards';

const canceled = { name: 'ApiError', reason: 'canceled', method: 'POST', route: '/api/settings' };

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

  it('leave nothing at the signal that could cancel them', async () => {
    const { signal } = new AbortController();
    const change = inTurn(origin, safeguards().lock, () => Promise.resolve(5), signal);
    assert.equal(getEventListeners(signal, 'abort').length, 1);
    assert.equal(await change, 5);
    await settled();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('need no signal', async () => {
    const unhandled: unknown[] = [];
    const note = (reason: unknown) => void unhandled.push(reason);
    process.on('unhandledRejection', note);
    try {
      assert.equal(await inTurn(origin, safeguards().lock, () => Promise.resolve(5)), 5);
      await settled();
    } finally {
      process.off('unhandledRejection', note);
    }
    assert.deepEqual(unhandled, []);
  });

  it('are canceled at once before their turn, and not carried out later', async () => {
    const { lock } = safeguards();
    let end: (() => void) | undefined;
    const first = inTurn(origin, lock, () => new Promise<void>((resolve) => (end = resolve)));
    const cancel = new AbortController();
    let begun = false;
    const second = inTurn(origin, lock, () => Promise.resolve((begun = true)), cancel.signal);
    cancel.abort();
    await assert.rejects(second, canceled);
    await settled();
    end?.();
    await first;
    await inTurn(origin, lock, () => Promise.resolve());
    assert.equal(begun, false);
  });

  it('take no lock if they were canceled before', async () => {
    const guards = safeguards();
    const taken: string[] = [];
    const take = (at: string) => {
      taken.push(at);
      return guards.lock.take(at);
    };
    const change = inTurn(origin, { take }, () => Promise.resolve(), AbortSignal.abort());
    await assert.rejects(change, canceled);
    await inTurn(origin, { take }, () => Promise.resolve());
    assert.deepEqual(taken, [origin]);
  });

  it('are told at once that they were canceled before, whatever goes on', async () => {
    const { lock } = safeguards();
    let end: (() => void) | undefined;
    const first = inTurn(origin, lock, () => new Promise<void>((resolve) => (end = resolve)));
    await assert.rejects(
      inTurn(origin, lock, () => Promise.resolve(), AbortSignal.abort()),
      canceled,
    );
    end?.();
    await first;
  });

  it('go on once they have begun, canceled or not', async () => {
    const cancel = new AbortController();
    const change = inTurn(
      origin,
      safeguards().lock,
      () => {
        cancel.abort();
        return settled().then(() => 5);
      },
      cancel.signal,
    );
    assert.equal(await change, 5);
  });

  it('release the lock when they end, well or not', async () => {
    const held = { isHeld: () => true, release: () => (released += 1) };
    const lock = { take: () => Promise.resolve(held) };
    let released = 0;
    assert.equal(await inTurn(origin, lock, () => Promise.resolve(released)), 0);
    assert.equal(released, 1);
    await assert.rejects(
      inTurn(origin, lock, () => Promise.reject(new Error('odd'))),
      /odd/,
    );
    assert.equal(released, 2);
  });

  it('are refused where another window keeps the lock, or took it', async () => {
    const busy = { name: 'ApiError', reason: 'busy', method: 'GET', route: '/api/settings' };
    const change = inTurn(origin, { take: () => Promise.resolve(undefined) }, () => Promise.resolve());
    await assert.rejects(change, busy);
    assert.throws(() => assertHeld({ isHeld: () => false, release: () => undefined }), busy);
    assertHeld({ isHeld: () => true, release: () => undefined });
  });
});
