import assert from 'node:assert/strict';
import {
  longestBackoffMs,
  type Occasion,
  Refresher,
  transitionIntervalMs,
  type Timer,
} from '../../../src/state/refresher';

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
  readonly now = () => this.at;
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
    now: timer.now,
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

  /** A refresher whose refreshes the test ends one by one. */
  function setUpByHand() {
    const runs: { occasion: Occasion; signal: AbortSignal; end: (succeeded: boolean) => void }[] = [];
    const timer = new ManualTimer();
    const refresher = new Refresher({
      refresh: (occasion, signal) => new Promise((end) => runs.push({ occasion, signal, end })),
      inTransition: () => false,
      intervalMs: () => 15_000,
      timer,
      now: timer.now,
    });
    return { runs, timer, refresher };
  }

  it('serves triggers that come during a refresh that was asked for with one more', async () => {
    const { runs, refresher } = setUpByHand();
    const all = [refresher.refreshNow(), refresher.refreshNow(), refresher.refreshNow()];
    runs[0]?.end(true);
    await settled();
    assert.equal(runs.length, 2);
    runs[1]?.end(true);
    await Promise.all(all);
    assert.equal(runs.length, 2);
  });

  it('has what was asked for take the place of what goes on by itself', async () => {
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

  it('ends what goes on by itself when nobody looks any more, and not what was asked for', async () => {
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

  it('does not refresh each time for somebody who flips back and forth', async () => {
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
    assert.ok(world.refreshes >= 2, 'the last look is served');
  });

  it('begins anew at once when everything is another, whatever hangs', async () => {
    const { runs, refresher } = setUpByHand();
    refresher.setReader(true);
    refresher.restart();
    assert.equal(runs[0]?.signal.aborted, true);
    assert.equal(runs.length, 2);
    assert.equal(runs[1]?.signal.aborted, false);
    await settled();
  });

  it('goes on after a refresh that broke', async () => {
    const timer = new ManualTimer();
    let tries = 0;
    const refresher = new Refresher({
      refresh: () => {
        tries += 1;
        return Promise.reject(new Error('a listener threw'));
      },
      inTransition: () => false,
      intervalMs: () => 15_000,
      timer,
      now: timer.now,
    });
    refresher.setReader(true);
    await settled();
    await timer.advance(30_000);
    assert.equal(tries, 2);
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
