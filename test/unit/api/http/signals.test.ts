import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import { systemClock } from '../../../../src/api/http/clock';
import { createLimiter } from '../../../../src/api/http/limiter';
import { lifeOf, onAbort, unlessAborted } from '../../../../src/api/http/signals';

describe('a signal that many share', () => {
  const count = 50;
  const many = <T>(make: () => T) => Array.from({ length: count }, make);
  const listeners = (signal: AbortSignal) => getEventListeners(signal, 'abort').length;

  it('has one listener, whoever waits for it', async () => {
    const controller = new AbortController();
    const { signal } = controller;
    const forever = new Promise<never>(() => undefined);
    const waiting = many(() => unlessAborted(forever, signal));
    const lives = many(() => lifeOf([signal, undefined], systemClock));
    const limiter = createLimiter();
    const turns = many(() => limiter.enter(signal));
    assert.equal(listeners(signal), 1);
    controller.abort(new Error('left'));
    const ended = await Promise.allSettled([...waiting, ...turns]);
    // Four have a turn already.
    assert.equal(ended.filter(({ status }) => status === 'rejected').length, 2 * count - 4);
    assert.ok(lives.every((life) => life.signal.aborted && !life.expired()));
  });

  it('calls nobody back who has left, or twice', () => {
    const controller = new AbortController();
    const called: string[] = [];
    onAbort(controller.signal, () => called.push('left'))();
    onAbort(controller.signal, () => called.push('stays'));
    const life = lifeOf([controller.signal], systemClock);
    life.dispose();
    controller.abort();
    controller.abort();
    assert.deepEqual([called, life.signal.aborted], [['stays'], false]);
  });

  it('has no listener once all have left, and one again for whoever comes then', () => {
    const controller = new AbortController();
    const [first, second] = [
      onAbort(controller.signal, () => undefined),
      onAbort(controller.signal, () => undefined),
    ];
    first();
    first();
    assert.equal(listeners(controller.signal), 1);
    second();
    assert.equal(listeners(controller.signal), 0);
    const called: string[] = [];
    onAbort(controller.signal, () => called.push('later'));
    second();
    assert.equal(listeners(controller.signal), 1);
    controller.abort();
    assert.deepEqual(called, ['later']);
  });

  it('ends at once what begins after its end', async () => {
    const signal = AbortSignal.abort(new Error('over'));
    assert.equal(lifeOf([undefined, signal], systemClock).signal.aborted, true);
    await assert.rejects(unlessAborted(Promise.resolve(1), signal), /over/);
    await assert.rejects(createLimiter().enter(signal), /over/);
  });
});
