import assert from 'node:assert/strict';
import fc from 'fast-check';
import { conversationRows } from '../../../../src/features/conversations/rows/list';
import { sandboxRows } from '../../../../src/features/sandboxes/rows/rows';
import type { Row } from '../../../../src/core/rows/row';
import { aList } from '../../../support/builders/records';
import { faults, SimulatedWatch, type Item } from './simulatedWatch';
import { seeded } from '../../changes/seeded';

const intervalMs = 15_000;
const second = 1_000;
const minute = 60_000;

const list = fc.constantFrom('sandboxes' as const, 'conversations' as const);
/** An event, and the quiet time after it. */
const event = fc.record({
  waitMs: fc.oneof(fc.nat(300), fc.nat(20_000), fc.integer({ min: 60_000, max: 150_000 })),
  what: fc.oneof(
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('see' as const), list, on: fc.boolean() }) },
    { weight: 2, arbitrary: fc.record({ kind: fc.constant('focus' as const), on: fc.boolean() }) },
    {
      weight: 4,
      arbitrary: fc.record({
        kind: fc.constantFrom('add' as const, 'remove' as const, 'update' as const),
        list,
        place: fc.nat(20),
        status: fc.constantFrom('RUNNING', 'PAUSED', 'STARTING', 'ERROR'),
      }),
    },
    {
      weight: 2,
      arbitrary: fc.record({ kind: fc.constant('fault' as const), fault: fc.constantFrom(...faults) }),
    },
    { weight: 1, arbitrary: fc.record({ kind: fc.constant('loadMore' as const), list }) },
    {
      weight: 1,
      arbitrary: fc.record({
        kind: fc.constantFrom('refresh' as const, 'switch' as const, 'restart' as const),
      }),
    },
  ),
});
type Event = typeof event extends fc.Arbitrary<infer T> ? T : never;

async function happen(watch: SimulatedWatch, { what, waitMs }: Event): Promise<void> {
  switch (what.kind) {
    case 'see':
      watch.see(what.list, what.on);
      break;
    case 'focus':
      watch.focus(what.on);
      break;
    case 'fault':
      watch.fail(what.fault);
      break;
    case 'loadMore':
      watch.loadMore(what.list);
      break;
    case 'refresh':
      watch.refresh();
      break;
    case 'switch':
      await watch.switchConnection();
      break;
    case 'restart':
      await watch.restart();
      break;
    case 'add':
    case 'remove':
    case 'update':
      watch.change(what.list, what.kind, what.place, what.status);
  }
  await watch.time.pass(waitMs);
}

/** Makes the service healthy and idle, shows the views, and waits until every row must be correct. */
async function comeToRest(watch: SimulatedWatch): Promise<void> {
  watch.fail('none');
  watch.settle();
  watch.see('sandboxes', true);
  watch.see('conversations', true);
  watch.focus(true);
  const restedAt = watch.time.now();
  const isGood = () => watch.isReady && lists.every((name) => (watch.goodSince.get(name) ?? 0) >= restedAt);
  // Two stalled requests in a row, plus the longest backoff; then a good answer must arrive.
  for (let waited = 0; !isGood(); waited += second) {
    assert.ok(waited < 130 * second, 'no good answer in time');
    await watch.time.pass(second);
  }
  await watch.time.pass(boundMs(watch));
}

const lists = ['sandboxes', 'conversations'] as const;

/**
 * One interval for two lists of one page each. With more pages loaded, up to four pages are read in turn, two per
 * interval. Items missing from two rounds over the pages are dropped, and a third round may be in progress.
 */
function boundMs({ model, pageSize }: SimulatedWatch): number {
  const pages = Math.max(...lists.map((name) => Math.ceil(model[name].state.items.length / pageSize)));
  const answerMs = second;
  return lists.some((name) => model[name].hasFurther)
    ? (intervalMs + answerMs) * 2 * 3 * (pages + 1)
    : intervalMs + answerMs;
}

const shown = (rows: Iterable<Row>) =>
  [...rows].map(({ id, label, description, contextValue }) => [id, label, description, contextValue]).sort();

/** The rows both views show for these records. */
function rowsOf(watch: SimulatedWatch, sandboxes: readonly Item[], conversations: readonly Item[]) {
  const now = watch.time.now();
  const pausedByService = (id: string) => watch.model.pausedByService(id);
  const agents = conversations.map(({ id, status }) => ({ id, status, execution_status: status }));
  return [
    shown(
      sandboxRows({
        sandboxes: aList([...sandboxes]),
        conversations: [],
        pending: () => undefined,
        pausedByService,
        now,
      }),
    ),
    shown(
      conversationRows({
        list: aList(agents),
        starts: [],
        group: 'none',
        order: 'created',
        sandboxName: (id) => id,
        pausedByService,
        now,
      }),
    ),
  ];
}

function assertTruth(watch: SimulatedWatch): void {
  const { model, pageSize } = watch;
  const [sandboxes, conversations] = lists.map((name) => {
    const { items, nextPageId, error } = model[name].state;
    const all = watch.truth(name);
    assert.equal(error, undefined);
    assert.ok(items.length >= Math.min(pageSize, all.length), `${name}: the first page is there`);
    assert.equal(nextPageId === null, items.length === all.length, `${name}: whether there is more`);
    return { read: items as readonly Item[], there: all.slice(0, items.length) };
  });
  assert.deepEqual(
    rowsOf(watch, sandboxes!.read, conversations!.read),
    rowsOf(watch, sandboxes!.there, conversations!.there),
  );
  assert.equal(watch.foreignRows, 0, 'rows of a previous connection were shown');
}

/** The number of requests in the time window that begins with the request at `index`. */
function countFrom(watch: SimulatedWatch, index: number, ms: number): number {
  const { arrivals } = watch;
  let end = index;
  while (end < arrivals.length && arrivals[end]!.time < arrivals[index]!.time + ms) end += 1;
  const { host } = arrivals[index]!;
  return arrivals.slice(index, end).filter((one) => one.host === host).length;
}

function assertLimits(watch: SimulatedWatch): void {
  assert.ok(watch.mostAtOnce <= 4, `${watch.mostAtOnce} requests at once`);
  const { arrivals, disturbances } = watch;
  for (const [index, arrival] of arrivals.entries()) {
    const { time, path, looked, asked } = arrival;
    assert.ok(countFrom(watch, index, second) <= 8, `over 8 in the second from ${time}`);
    // The check of a new or broken connection isn't canceled once it has begun.
    const watched = path.endsWith('/settings') || path.includes('/app-conversations');
    assert.ok(looked || asked || watched, `nobody looked, and ${path} was read`);
    // The effects of a disturbance end after a moment.
    const calm = disturbances.every((one) => one + 3 * second < time || one >= time + minute);
    if (!calm || watch.time.now() < time + minute) continue;
    const during = arrivals.slice(index, index + countFrom(watch, index, minute));
    // Requested reads, and checks of a broken connection, come on top of the reads of each minute.
    const count = during.filter((one) => !one.asked && !one.path.endsWith('/settings')).length;
    const failing = during.some((one) => one.failing);
    if (during.every((one) => !one.looked)) {
      // One a minute, give or take a moment.
      const lists = during.filter((one) => one.time < time + 55 * second && !one.asked);
      const unlooked = lists.filter((one) => !one.path.endsWith('/settings')).length;
      assert.ok(unlooked <= (failing ? 3 : 1), `${unlooked} requests from ${time} with nobody looking`);
    }
    const most = during.some((one) => one.inTransition) ? 120 : 8;
    // A read that fails is tried three times.
    assert.ok(count <= (failing ? 3 * most : most), `${count} requests in the minute from ${time}`);
  }
}

/** A view on screen of a service that stopped answering a minute ago. */
async function refusedOnScreen(): Promise<SimulatedWatch> {
  const watch = new SimulatedWatch(() => 0.5, 100);
  await watch.open();
  watch.see('sandboxes', true);
  await watch.time.pass(minute);
  watch.fail('refused');
  await watch.time.pass(minute);
  return watch;
}

describe('watching the service', function () {
  this.timeout(300_000);

  it('shows correct rows in time and respects request limits in random sequences', async () => {
    let cases = 0;
    let requests = 0;
    await fc.assert(
      fc.asyncProperty(
        fc.array(event, { minLength: 1, maxLength: 12 }),
        fc.constantFrom(3, 100),
        fc.integer({ min: 1, max: 400 }),
        fc.infiniteStream(fc.double({ min: 0, max: 0.999, noNaN: true })),
        async (events, pageSize, latencyMs, chances) => {
          const watch = new SimulatedWatch(() => Number(chances.next().value), pageSize, intervalMs);
          watch.latencyMs = latencyMs;
          await watch.open();
          for (const one of events) await happen(watch, one);
          await comeToRest(watch);
          assertTruth(watch);
          assertLimits(watch);
          watch.model.dispose();
          cases += 1;
          requests += watch.arrivals.length;
        },
      ),
      { numRuns: 1_000 },
    );
    console.log(`      ${cases} sequences, ${requests} requests`);
  });

  it('keeps the request limit when windows are closed and reopened', async () => {
    // Closed windows used to leave their connection check running.
    const watch = new SimulatedWatch(() => 0.5, 100);
    await watch.open();
    await watch.time.pass(minute);
    watch.fail('stalls');
    watch.see('sandboxes', true);
    for (let restarts = 0; restarts < 4; restarts += 1) await watch.restart();
    assert.ok(watch.mostAtOnce <= 4, `${watch.mostAtOnce} requests at once`);
    watch.model.dispose();
  });

  it('polls conversations every minute when hidden, every five without focus', async () => {
    const watch = new SimulatedWatch(() => 0.5, 100);
    await watch.open();
    await watch.time.pass(59 * minute);
    const asked = () => watch.arrivals.splice(0).map(({ path }) => path);
    const [check, ...lists] = asked().sort();
    assert.equal(check, '/api/settings');
    assert.equal(lists.length, 60);
    assert.ok(lists.every((path) => path.startsWith('/api/v1/app-conversations')));
    watch.focus(false);
    await watch.time.pass(62 * minute);
    assert.equal(asked().length, 12);
    watch.focus(true);
    await watch.time.pass(second);
    assert.equal(asked().length, 1, 'immediately when the focus returns after more than a minute');
    await watch.time.pass(2 * second);
    watch.focus(false);
    watch.focus(true);
    await watch.time.pass(2 * second);
    assert.equal(asked().length, 0);
    watch.model.dispose();
  });

  it('recovers within 20 s after the service returns', async () => {
    const watch = await refusedOnScreen();
    await watch.time.pass(9 * minute);
    assert.ok(watch.model.outOfDate('sandboxes'));
    watch.fail('none');
    await watch.time.pass(21 * second);
    assert.equal(watch.model.outOfDate('sandboxes'), undefined);
    assertLimits(watch);
    watch.model.dispose();
  });

  it('takes its numbers for current after the service returns, whatever failed while it was on screen', async () => {
    const watch = await refusedOnScreen();
    const outOfDate = () => watch.model.outOfDate('sandboxes', 'numbers');
    assert.ok(outOfDate());
    watch.see('sandboxes', false);
    watch.fail('none');
    await watch.time.pass(2 * minute);
    assert.equal(outOfDate(), undefined);
    assert.ok(watch.model.outOfDate('sandboxes'), 'the rows weren’t read again');
    watch.see('sandboxes', true);
    watch.fail('refused');
    await watch.time.pass(minute);
    assert.ok(outOfDate());
    watch.model.dispose();
  });

  it('sends, schedules, and reports nothing after it is disposed', async () => {
    const watch = new SimulatedWatch(() => 0.5, 100);
    await watch.open();
    watch.see('sandboxes', true);
    await watch.time.pass(minute);
    watch.model.dispose();
    await watch.time.pass(second);
    const before = watch.arrivals.length;
    await watch.time.pass(10 * minute);
    assert.equal(watch.arrivals.length, before);
    assert.equal(watch.time.running.length, 0);
  });

  it('shows correct rows after an hour of changes and faults', async () => {
    let seed = Math.abs(seeded('WATCHING_SEED', {}).seed ?? 0) + 1;
    const random = () => (seed = (seed * 48_271) % 2_147_483_647) / 2_147_483_647;
    const pick = <T>(values: readonly T[]) => values[Math.floor(random() * values.length)]!;
    const watch = new SimulatedWatch(random, 100, intervalMs);
    const counts = { changes: 0, faults: 0, unfocused: 0, hidden: 0, restarts: 0 };
    const troubles = faults.filter((fault) => fault !== 'none');
    await watch.open();
    for (const name of lists) watch.see(name, true);
    const began = watch.time.now();
    while (watch.time.now() < began + 60 * minute) {
      watch.change(
        pick(lists),
        pick(['add', 'remove', 'update'] as const),
        Math.floor(random() * 50),
        pick(['RUNNING', 'PAUSED', 'STARTING', 'ERROR']),
      );
      counts.changes += 1;
      if (watch.fault !== 'none') {
        if (random() < 0.3) watch.fail('none');
      } else if (random() < 0.15) {
        watch.fail(troubles[counts.faults % troubles.length]!);
        counts.faults += 1;
      }
      const spell = random();
      if (spell < 0.05) {
        counts.unfocused += 1;
        watch.focus(false);
      } else if (spell < 0.1) {
        counts.hidden += 1;
        for (const name of lists) watch.see(name, false);
      } else if (spell < 0.12) {
        counts.restarts += 1;
        await watch.restart();
      } else if (spell > 0.7) {
        watch.focus(true);
        for (const name of lists) watch.see(name, true);
      }
      await watch.time.pass(random() * 20 * second);
    }
    const requests = watch.arrivals.length;
    await comeToRest(watch);
    assertTruth(watch);
    assertLimits(watch);
    assert.ok(counts.faults >= troubles.length, 'not every fault occurred');
    const said = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
    console.log(`      in the hour ${requests} requests, ${said.join(', ')}`);
    watch.model.dispose();
  });
});
