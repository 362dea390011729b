import assert from 'node:assert/strict';
import { getEventListeners } from 'node:events';
import {
  createLimiter,
  createTerminalLimiters,
  limiterFor,
  terminalLimitersFor,
} from '../../../../src/api/http/limiter';
import { FakeClock } from '../support/clock';
import { settled } from '../../../support/settled';

/** Enters `count` times and records the order and time of each turn. */
function enterMany(count: number) {
  const clock = new FakeClock();
  const limiter = createLimiter(clock);
  const turns: { index: number; at: number; leave: () => void }[] = [];
  for (let index = 0; index < count; index += 1) {
    void limiter.enter().then((leave) => turns.push({ index, at: clock.now(), leave }));
  }
  return { clock, limiter, turns };
}

describe('limiter', () => {
  it('admits four at the same time and the others in order', async () => {
    const { turns } = enterMany(7);
    await settled();
    assert.deepEqual(
      turns.map(({ index }) => index),
      [0, 1, 2, 3],
    );
    turns[2]!.leave();
    await settled();
    turns[0]!.leave();
    turns[1]!.leave();
    await settled();
    assert.deepEqual(
      turns.map(({ index }) => index),
      [0, 1, 2, 3, 4, 5, 6],
    );
  });

  it('starts at most eight per second', async () => {
    const { clock, turns } = enterMany(30);
    for (let done = 0; done < 30;) {
      await settled();
      for (const turn of turns.slice(done)) {
        turn.leave();
        done += 1;
      }
      await settled();
      if (turns.length === done) clock.advance(50);
    }
    for (const { at } of turns) {
      const within = turns.filter((other) => other.at >= at && other.at <= at + 1_000);
      assert.ok(within.length <= 8, `${within.length} started in the second from ${at}`);
    }
    assert.deepEqual(
      turns.map(({ index }) => index),
      Array.from({ length: 30 }, (_, index) => index),
    );
    assert.ok(turns.at(-1)!.at <= 3 * 1_100 + 50, 'holds back longer than it must');
    assert.deepEqual(clock.running, []);
  });

  it('removes canceled requests from the queue immediately', async () => {
    const { clock, limiter, turns } = enterMany(8);
    for (let left = 0; left < 8;) {
      await settled();
      for (const turn of turns.slice(left)) {
        turn.leave();
        left += 1;
      }
    }
    const controller = new AbortController();
    const first = limiter.enter(controller.signal);
    const second = limiter.enter(controller.signal);
    assert.deepEqual(clock.running, [1_100]);
    controller.abort();
    await assert.rejects(first, { name: 'AbortError' });
    await assert.rejects(second, { name: 'AbortError' });
    assert.deepEqual(clock.running, []);
    assert.equal(getEventListeners(controller.signal, 'abort').length, 0);
    await assert.rejects(limiter.enter(controller.signal), { name: 'AbortError' });
  });

  it('removes its listener when the turn comes', async () => {
    const limiter = createLimiter(new FakeClock());
    const { signal } = new AbortController();
    (await limiter.enter(signal))();
    assert.equal(getEventListeners(signal, 'abort').length, 0);
  });

  it('is shared by all clients of an origin', () => {
    assert.equal(limiterFor('http://127.0.0.1:1'), limiterFor('http://127.0.0.1:1'));
    assert.notEqual(limiterFor('http://127.0.0.1:1'), limiterFor('http://127.0.0.1:2'));
  });

  describe('of terminals', () => {
    it('lets keys go before output, and neither wait for what waits', async () => {
      const { keys, output, waiting } = createTerminalLimiters(new FakeClock());
      const order: string[] = [];
      const leaves: (() => void)[] = [];
      const enter = (limiter: typeof keys, name: string) =>
        void limiter.enter().then((leave) => {
          order.push(name);
          leaves.push(leave);
        });
      for (let index = 0; index < 16; index += 1) enter(waiting, 'wait');
      for (let index = 0; index < 6; index += 1) enter(output, `output ${index}`);
      enter(keys, 'key');
      await settled();
      const started = (kind: string) => order.filter((name) => name.startsWith(kind)).length;
      assert.deepEqual([started('wait'), started('output'), started('key')], [8, 4, 0]);
      leaves[order.indexOf('output 0')]!();
      await settled();
      assert.equal(order.at(-1), 'key');
      leaves[order.indexOf('key')]!();
      await settled();
      assert.equal(order.at(-1), 'output 4');
    });

    it('starts at most 48 a second, and is shared by the terminals of an origin', async () => {
      const { keys, output } = createTerminalLimiters(new FakeClock());
      let started = 0;
      const enter = async (limiter: typeof keys) => {
        const leave = await limiter.enter();
        started += 1;
        leave();
      };
      for (let index = 0; index < 40; index += 1) for (const one of [keys, output]) void enter(one);
      await settled();
      assert.equal(started, 48);
      const origin = 'http://127.0.0.1:1';
      assert.equal(terminalLimitersFor(origin), terminalLimitersFor(origin));
      assert.notEqual(terminalLimitersFor(origin).keys, limiterFor(origin));
    });
  });
});
