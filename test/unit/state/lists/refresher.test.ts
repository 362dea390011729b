import assert from 'node:assert/strict';
import {
  longestBackoffMs,
  type Occasion,
  Refresher,
  transitionIntervalMs,
  type Timer,
} from '../../../../src/state/lists/refresher';

/** Time controlled by the test. */
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
  readonly now = () => this.at;
  /** Milliseconds until the next call; undefined if none is scheduled. */
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

function setUp(values: { ok?: boolean; inTransition?: boolean; intervalMs?: number; watchMs?: number } = {}) {
  const world = { ok: true, inTransition: false, intervalMs: 15_000, watchMs: 0, refreshes: 0, ...values };
  const occasions: Occasion[] = [];
  const timer = new ManualTimer();
  const refresher = new Refresher({
    refresh: (occasion) => {
      world.refreshes += 1;
      occasions.push(occasion);
      return Promise.resolve(world.ok);
    },
    inTransition: () => world.inTransition,
    intervalMs: () => world.intervalMs,
    watchMs: () => world.watchMs,
    timer,
    now: timer.now,
  });
  return { world, occasions, timer, refresher };
}

describe('refresher', () => {
  it('sends no request while no view is visible', async () => {
    const { world, timer } = setUp();
    await timer.advance(600_000);
    assert.equal(world.refreshes, 0);
  });

  it('refreshes when a view appears, then once per interval until hidden', async () => {
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

  it('refreshes quickly during transitions', async () => {
    const { timer, refresher, world } = setUp({ inTransition: true });
    refresher.setReader(true);
    await settled();
    assert.equal(timer.nextIn, transitionIntervalMs);
    world.inTransition = false;
    refresher.reschedule();
    assert.equal(timer.nextIn, 15_000);
  });

  it('refreshes only during transitions when the interval is 0', async () => {
    const { timer, refresher, world } = setUp({ intervalMs: 0 });
    refresher.setReader(true);
    await settled();
    assert.equal(timer.nextIn, undefined);
    world.inTransition = true;
    refresher.reschedule();
    assert.equal(timer.nextIn, transitionIntervalMs);
  });

  it('backs off after errors up to a limit, and recovers after a success', async () => {
    const { timer, refresher, world } = setUp({ ok: false });
    refresher.setReader(true);
    await settled();
    const waits: (number | undefined)[] = [];
    for (let failure = 0; failure < 5; failure += 1) {
      waits.push(timer.nextIn);
      await timer.advance(timer.nextIn ?? 0);
    }
    assert.deepEqual(waits, [
      longestBackoffMs,
      longestBackoffMs,
      longestBackoffMs,
      longestBackoffMs,
      longestBackoffMs,
    ]);
    world.ok = true;
    await timer.advance(longestBackoffMs);
    assert.equal(timer.nextIn, 15_000);
  });

  /** A refresher whose refreshes are completed by the test one by one. */
  function setUpByHand(watchMs = 0) {
    const runs: { occasion: Occasion; signal: AbortSignal; end: (succeeded: boolean) => void }[] = [];
    const timer = new ManualTimer();
    const refresher = new Refresher({
      refresh: (occasion, signal) => new Promise((end) => runs.push({ occasion, signal, end })),
      inTransition: () => false,
      intervalMs: () => 15_000,
      watchMs: () => watchMs,
      timer,
      now: timer.now,
    });
    return { runs, timer, refresher };
  }

  it('runs one more refresh for all requests made during a refresh', async () => {
    const { runs, refresher } = setUpByHand();
    const all = [refresher.refreshNow(), refresher.refreshNow(), refresher.refreshNow()];
    runs[0]?.end(true);
    await settled();
    assert.equal(runs.length, 2);
    runs[1]?.end(true);
    await Promise.all(all);
    assert.equal(runs.length, 2);
  });

  it('replaces an automatic refresh with a requested one', async () => {
    const { runs, refresher } = setUpByHand();
    refresher.setReader(true);
    const asked = refresher.refreshNow();
    assert.deepEqual(
      runs.map(({ occasion, signal }) => [occasion, signal.aborted]),
      [
        ['look', true],
        ['asked', false],
      ],
    );
    runs[1]?.end(true);
    await asked;
  });

  it('cancels automatic refreshes, but not requested ones, when views are hidden', async () => {
    const { runs, timer, refresher } = setUpByHand();
    refresher.setReader(true);
    refresher.setReader(false);
    assert.equal(runs[0]?.signal.aborted, true);
    await timer.advance(10_000);
    refresher.setReader(true);
    const asked = refresher.refreshNow();
    refresher.setReader(false);
    assert.equal(runs.at(-1)?.signal.aborted, false);
    runs.at(-1)?.end(true);
    await asked;
    assert.equal(timer.nextIn, undefined);
  });

  it('limits refreshes when views are shown and hidden repeatedly', async () => {
    const { world, timer, refresher } = setUp();
    for (let flips = 0; flips < 20; flips += 1) {
      refresher.setReader(true);
      await timer.advance(100);
      refresher.setReader(false);
      await timer.advance(50);
    }
    assert.ok(world.refreshes >= 1 && world.refreshes <= 3, `${world.refreshes} refreshes in 3 s`);
    refresher.setReader(true);
    await timer.advance(transitionIntervalMs);
    assert.ok(world.refreshes >= 2, 'no refresh after the view was last shown');
  });

  it('restarts immediately, even if a refresh hangs', async () => {
    const { runs, refresher } = setUpByHand();
    refresher.setReader(true);
    refresher.restart();
    assert.equal(runs[0]?.signal.aborted, true);
    assert.equal(runs.length, 2);
    assert.equal(runs[1]?.signal.aborted, false);
    await settled();
  });

  it('continues after a refresh throws', async () => {
    const timer = new ManualTimer();
    let tries = 0;
    const refresher = new Refresher({
      refresh: () => {
        tries += 1;
        return Promise.reject(new Error('a listener threw'));
      },
      inTransition: () => false,
      intervalMs: () => 15_000,
      watchMs: () => 0,
      timer,
      now: timer.now,
    });
    refresher.setReader(true);
    await settled();
    await timer.advance(30_000);
    assert.equal(tries, 2);
  });

  it('watches once a minute unless a view already refreshes', async () => {
    const { timer, refresher, world, occasions } = setUp({ watchMs: 60_000 });
    refresher.restart();
    await settled();
    await timer.advance(190_000);
    assert.deepEqual(occasions.splice(0), ['watch', 'watch', 'watch', 'watch']);
    refresher.setReader(true);
    await settled();
    await timer.advance(60_000);
    assert.deepEqual(occasions.splice(0), ['look', 'interval', 'interval', 'interval', 'interval']);
    refresher.setReader(false);
    assert.equal(timer.nextIn, 60_000);
    world.watchMs = 0;
    refresher.reschedule();
    assert.equal(timer.nextIn, undefined);
  });

  it('refreshes the views on time even if the watch interval is shorter', async () => {
    const { timer, refresher, occasions } = setUp({ watchMs: 5_000 });
    refresher.setReader(true);
    await settled();
    await timer.advance(30_000);
    assert.deepEqual(occasions, [...['look', 'watch', 'watch', 'interval', 'watch', 'watch', 'interval']]);
  });

  it('watches when automatic refresh of the views is off', async () => {
    const { timer, refresher, occasions } = setUp({ watchMs: 60_000, intervalMs: 0 });
    refresher.setReader(true);
    await settled();
    await timer.advance(120_000);
    assert.deepEqual(occasions, ['look', 'watch', 'watch']);
  });

  it('watches at once if a shorter interval has already passed', async () => {
    const { timer, refresher, world } = setUp({ watchMs: 300_000 });
    refresher.restart();
    await settled();
    await timer.advance(100_000);
    assert.equal(world.refreshes, 1);
    world.watchMs = 60_000;
    refresher.reschedule();
    assert.equal(world.refreshes, 2);
  });

  it('watches no faster after errors', async () => {
    const { timer, refresher, world } = setUp({ watchMs: 60_000, ok: false });
    refresher.restart();
    await settled();
    await timer.advance(600_000);
    assert.equal(world.refreshes, 11);
  });

  it('watches soon if a view is hidden before its refresh ends', async () => {
    const { runs, timer, refresher } = setUpByHand(60_000);
    refresher.setReader(true);
    refresher.setReader(false);
    assert.equal(timer.nextIn, transitionIntervalMs);
    await timer.advance(transitionIntervalMs);
    assert.deepEqual(
      runs.map(({ occasion }) => occasion),
      ['look', 'watch'],
    );
  });

  it('schedules nothing after it is disposed', async () => {
    const { timer, refresher, world } = setUp();
    refresher.setReader(true);
    await settled();
    refresher.dispose();
    assert.equal(timer.nextIn, undefined);
    await refresher.refreshNow();
    assert.equal(world.refreshes, 1);
  });
});
