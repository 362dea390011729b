import assert from 'node:assert/strict';
import { longestBackoffMs, Refresher, transitionIntervalMs, type Timer } from '../../../src/state/refresher';

/** Time that stands still until the test moves it. */
class ManualTimer implements Timer {
  private at = 0;
  private waiting: { due: number; callback: () => void }[] = [];

  readonly setTimeout = (callback: () => void, ms: number) => {
    const entry = { due: this.at + ms, callback };
    this.waiting.push(entry);
    return entry;
  };
  readonly clearTimeout = (handle: unknown) => {
    this.waiting = this.waiting.filter((entry) => entry !== handle);
  };
  /** Milliseconds until the next call, undefined when none is planned. */
  get nextIn(): number | undefined {
    return this.waiting.length > 0 ? Math.min(...this.waiting.map(({ due }) => due)) - this.at : undefined;
  }
  async advance(ms: number): Promise<void> {
    const end = this.at + ms;
    for (;;) {
      const next = this.waiting.toSorted((a, b) => a.due - b.due)[0];
      if (!next || next.due > end) break;
      this.at = next.due;
      this.clearTimeout(next);
      next.callback();
      await settled();
    }
    this.at = end;
  }
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

function setUp(values: { ok?: boolean; inTransition?: boolean; intervalMs?: number } = {}) {
  const world = { ok: true, inTransition: false, intervalMs: 15_000, refreshes: 0, ...values };
  const timer = new ManualTimer();
  const refresher = new Refresher({
    refresh: () => {
      world.refreshes += 1;
      return Promise.resolve(world.ok);
    },
    inTransition: () => world.inTransition,
    intervalMs: () => world.intervalMs,
    timer,
  });
  return { world, timer, refresher };
}

describe('refresher', () => {
  it('asks nothing while nobody looks', async () => {
    const { world, timer } = setUp();
    await timer.advance(600_000);
    assert.equal(world.refreshes, 0);
  });

  it('refreshes at once when somebody begins to look, then once per interval, and stops when they look away', async () => {
    const { world, timer, refresher } = setUp();
    refresher.setReader(true);
    await settled();
    assert.equal(world.refreshes, 1);
    await timer.advance(60_000);
    assert.equal(world.refreshes, 5);
    refresher.setReader(false);
    await timer.advance(600_000);
    assert.equal(world.refreshes, 5);
  });

  it('goes quickly while something is in transition', async () => {
    const { timer, refresher, world } = setUp({ inTransition: true });
    refresher.setReader(true);
    await settled();
    assert.equal(timer.nextIn, transitionIntervalMs);
    world.inTransition = false;
    refresher.reschedule();
    assert.equal(timer.nextIn, 15_000);
  });

  it('does not refresh by itself when the interval is 0, but follows transitions', async () => {
    const { timer, refresher, world } = setUp({ intervalMs: 0 });
    refresher.setReader(true);
    await settled();
    assert.equal(timer.nextIn, undefined);
    world.inTransition = true;
    refresher.reschedule();
    assert.equal(timer.nextIn, transitionIntervalMs);
  });

  it('backs off after errors, to a bound, and returns to the interval after one good answer', async () => {
    const { timer, refresher, world } = setUp({ ok: false });
    refresher.setReader(true);
    await settled();
    const waits: (number | undefined)[] = [];
    for (let failure = 0; failure < 5; failure += 1) {
      waits.push(timer.nextIn);
      await timer.advance(timer.nextIn ?? 0);
    }
    assert.deepEqual(waits, [30_000, longestBackoffMs, longestBackoffMs, longestBackoffMs, longestBackoffMs]);
    world.ok = true;
    await timer.advance(longestBackoffMs);
    assert.equal(timer.nextIn, 15_000);
  });

  it('serves triggers that come during a refresh with one more', async () => {
    const answers: (() => void)[] = [];
    const refresher = new Refresher({
      refresh: () => new Promise((resolve) => answers.push(() => resolve(true))),
      inTransition: () => false,
      intervalMs: () => 15_000,
      timer: new ManualTimer(),
    });
    const all = [refresher.refreshNow(), refresher.refreshNow(), refresher.refreshNow()];
    answers[0]?.();
    await settled();
    assert.equal(answers.length, 2);
    answers[1]?.();
    await Promise.all(all);
    assert.equal(answers.length, 2);
  });

  it('plans nothing after it was disposed', async () => {
    const { timer, refresher, world } = setUp();
    refresher.setReader(true);
    await settled();
    refresher.dispose();
    assert.equal(timer.nextIn, undefined);
    await refresher.refreshNow();
    assert.equal(world.refreshes, 1);
  });
});
