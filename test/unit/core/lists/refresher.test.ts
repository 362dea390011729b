import assert from 'node:assert/strict';
import {
  longestBackoffMs,
  type Occasion,
  Refresher,
  transitionIntervalMs,
} from '../../../../src/core/lists/refresher';
import { FakeClock } from '../../api/support/clock';
import { settled } from '../../../support/settled';

interface World {
  ok: boolean;
  quietMs: number;
  inTransition: boolean;
  intervalMs: number;
  watchMs: number;
}

function setUp(values: Partial<World> = {}) {
  const world = {
    ok: true,
    quietMs: 0,
    inTransition: false,
    intervalMs: 15_000,
    watchMs: 0,
    refreshes: 0,
    ...values,
  };
  const occasions: Occasion[] = [];
  const clock = new FakeClock();
  const refresher = new Refresher({
    refresh: (occasion) => {
      world.refreshes += 1;
      occasions.push(occasion);
      return Promise.resolve({ succeeded: world.ok, quietMs: world.quietMs });
    },
    inTransition: () => world.inTransition,
    intervalMs: () => world.intervalMs,
    watchMs: () => world.watchMs,
    clock,
  });
  return { world, occasions, clock, refresher };
}

describe('refresher', () => {
  it('sends no request while no view is visible', async () => {
    const { world, clock } = setUp();
    await clock.pass(600_000);
    assert.equal(world.refreshes, 0);
  });

  it('refreshes when a view appears, then once per interval until hidden', async () => {
    const { world, clock, refresher } = setUp();
    refresher.setReader(true);
    await settled();
    assert.equal(world.refreshes, 1);
    await clock.pass(60_000);
    assert.equal(world.refreshes, 5);
    refresher.setReader(false);
    await clock.pass(600_000);
    assert.equal(world.refreshes, 5);
  });

  it('refreshes quickly during transitions', async () => {
    const { clock, refresher, world } = setUp({ inTransition: true });
    refresher.setReader(true);
    await settled();
    assert.equal(clock.nextIn, transitionIntervalMs);
    world.inTransition = false;
    refresher.reschedule();
    assert.equal(clock.nextIn, 15_000);
  });

  it('refreshes only during transitions when the interval is 0', async () => {
    const { clock, refresher, world } = setUp({ intervalMs: 0 });
    refresher.setReader(true);
    await settled();
    assert.equal(clock.nextIn, undefined);
    world.inTransition = true;
    refresher.reschedule();
    assert.equal(clock.nextIn, transitionIntervalMs);
  });

  it('backs off after errors up to a limit, and recovers after a success', async () => {
    const { clock, refresher, world } = setUp({ ok: false });
    refresher.setReader(true);
    await settled();
    const waits: (number | undefined)[] = [];
    for (let failure = 0; failure < 5; failure += 1) {
      waits.push(clock.nextIn);
      await clock.pass(clock.nextIn ?? 0);
    }
    assert.deepEqual(waits, [
      longestBackoffMs,
      longestBackoffMs,
      longestBackoffMs,
      longestBackoffMs,
      longestBackoffMs,
    ]);
    world.ok = true;
    await clock.pass(longestBackoffMs);
    assert.equal(clock.nextIn, 15_000);
  });

  /** A refresher whose refreshes are completed by the test one by one. */
  function setUpByHand(watchMs = 0) {
    const runs: { occasion: Occasion; signal: AbortSignal; end: (succeeded: boolean) => void }[] = [];
    const clock = new FakeClock();
    const refresher = new Refresher({
      refresh: (occasion, signal) =>
        new Promise((resolve) =>
          runs.push({ occasion, signal, end: (succeeded) => resolve({ succeeded, quietMs: 0 }) }),
        ),
      inTransition: () => false,
      intervalMs: () => 15_000,
      watchMs: () => watchMs,
      clock,
    });
    return { runs, clock, refresher };
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
    const { runs, clock, refresher } = setUpByHand();
    refresher.setReader(true);
    refresher.setReader(false);
    assert.equal(runs[0]?.signal.aborted, true);
    await clock.pass(10_000);
    refresher.setReader(true);
    const asked = refresher.refreshNow();
    refresher.setReader(false);
    assert.equal(runs.at(-1)?.signal.aborted, false);
    runs.at(-1)?.end(true);
    await asked;
    assert.equal(clock.nextIn, undefined);
  });

  it('finishes a requested refresh or that of an interval when the user looks again', async () => {
    const { runs, clock, refresher } = setUpByHand();
    refresher.setReader(true);
    runs[0]?.end(true);
    await clock.pass(15_000);
    refresher.look();
    refresher.look(true);
    await clock.pass(60_000);
    assert.deepEqual(
      runs.map(({ occasion, signal }) => [occasion, signal.aborted]),
      [
        ['look', false],
        ['interval', false],
      ],
    );
    const asked = refresher.refreshNow();
    refresher.look(true);
    refresher.look();
    await clock.pass(60_000);
    assert.equal(runs.length, 3);
    assert.equal(runs[2]?.signal.aborted, false);
    runs[2].end(true);
    await asked;
  });

  it('starts over for a view that was never read, but not for one that was', async () => {
    const { runs, refresher } = setUpByHand();
    refresher.setReader(true);
    refresher.look();
    assert.equal(runs.length, 1);
    refresher.look(true);
    assert.deepEqual(
      runs.map(({ signal }) => signal.aborted),
      [true, false],
    );
    await settled();
  });

  it('ends a background check when the user begins to look', async () => {
    const { runs, clock, refresher } = setUpByHand(60_000);
    refresher.restart();
    await clock.pass(1_000);
    refresher.setReader(true);
    assert.equal(runs[0]?.signal.aborted, true);
    await clock.pass(transitionIntervalMs);
    assert.deepEqual(
      runs.map(({ occasion }) => occasion),
      ['watch', 'look'],
    );
  });

  it('limits refreshes when views are shown and hidden repeatedly', async () => {
    const { world, clock, refresher } = setUp();
    for (let flips = 0; flips < 20; flips += 1) {
      refresher.setReader(true);
      await clock.pass(100);
      refresher.setReader(false);
      await clock.pass(50);
    }
    assert.ok(world.refreshes >= 1 && world.refreshes <= 3, `${world.refreshes} refreshes in 3 s`);
    refresher.setReader(true);
    await clock.pass(transitionIntervalMs);
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
    const clock = new FakeClock();
    let tries = 0;
    const refresher = new Refresher({
      refresh: () => {
        tries += 1;
        return Promise.reject(new Error('a listener threw'));
      },
      inTransition: () => false,
      intervalMs: () => 15_000,
      watchMs: () => 0,
      clock,
    });
    refresher.setReader(true);
    await settled();
    await clock.pass(30_000);
    assert.equal(tries, 2);
  });

  it('watches once a minute unless a view already refreshes', async () => {
    const { clock, refresher, world, occasions } = setUp({ watchMs: 60_000 });
    refresher.restart();
    await settled();
    await clock.pass(190_000);
    assert.deepEqual(occasions.splice(0), ['watch', 'watch', 'watch', 'watch']);
    refresher.setReader(true);
    await settled();
    await clock.pass(60_000);
    assert.deepEqual(occasions.splice(0), ['look', 'interval', 'interval', 'interval', 'interval']);
    refresher.setReader(false);
    assert.equal(clock.nextIn, 60_000);
    world.watchMs = 0;
    refresher.reschedule();
    assert.equal(clock.nextIn, undefined);
  });

  it('refreshes the views on time even if the watch interval is shorter', async () => {
    const { clock, refresher, occasions } = setUp({ watchMs: 5_000 });
    refresher.setReader(true);
    await settled();
    await clock.pass(30_000);
    assert.deepEqual(occasions, [...['look', 'watch', 'watch', 'interval', 'watch', 'watch', 'interval']]);
  });

  it('watches when automatic refresh of the views is off', async () => {
    const { clock, refresher, occasions } = setUp({ watchMs: 60_000, intervalMs: 0 });
    refresher.setReader(true);
    await settled();
    await clock.pass(120_000);
    assert.deepEqual(occasions, ['look', 'watch', 'watch']);
  });

  it('watches at once if a shorter interval has already passed', async () => {
    const { clock, refresher, world } = setUp({ watchMs: 300_000 });
    refresher.restart();
    await settled();
    await clock.pass(100_000);
    assert.equal(world.refreshes, 1);
    world.watchMs = 60_000;
    refresher.reschedule();
    assert.equal(world.refreshes, 2);
  });

  it('watches no faster after errors', async () => {
    const { clock, refresher, world } = setUp({ watchMs: 60_000, ok: false });
    refresher.restart();
    await settled();
    await clock.pass(600_000);
    assert.equal(world.refreshes, 11);
  });

  it('waits as long as the service asks, unless the user looks or refreshes', async () => {
    const { clock, refresher, world, occasions } = setUp({
      ok: false,
      watchMs: 60_000,
      quietMs: 120_000,
    });
    refresher.setReader(true);
    await settled();
    assert.equal(clock.nextIn, 120_000);
    refresher.setReader(false);
    assert.equal(clock.nextIn, 120_000);
    await clock.pass(119_000);
    refresher.setReader(true);
    await settled();
    assert.deepEqual(occasions, ['look', 'look']);
    assert.equal(clock.nextIn, 120_000);
    world.ok = true;
    world.quietMs = 0;
    await refresher.refreshNow();
    assert.equal(clock.nextIn, 15_000);
    world.quietMs = 120_000;
    await refresher.refreshNow();
    world.quietMs = 0;
    refresher.restart();
    await settled();
    assert.equal(clock.nextIn, 15_000);
  });

  it('watches soon if a view is hidden before its refresh ends', async () => {
    const { runs, clock, refresher } = setUpByHand(60_000);
    refresher.setReader(true);
    refresher.setReader(false);
    assert.equal(clock.nextIn, transitionIntervalMs);
    await clock.pass(transitionIntervalMs);
    assert.deepEqual(
      runs.map(({ occasion }) => occasion),
      ['look', 'watch'],
    );
  });

  it('schedules nothing after it is disposed', async () => {
    const { clock, refresher, world } = setUp();
    refresher.setReader(true);
    await settled();
    refresher.dispose();
    assert.equal(clock.nextIn, undefined);
    await refresher.refreshNow();
    assert.equal(world.refreshes, 1);
  });
});
