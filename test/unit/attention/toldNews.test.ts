import assert from 'node:assert/strict';
import type { AttentionEvent } from '../../../src/core/lists/attention';
import { ToldNews } from '../../../src/features/attention/model/toldNews';

const service = 'https://one.example.com';
const waits = (since: number, id = 'c-1'): AttentionEvent => ({ kind: 'agentWaits', id, since });

/** Two windows that share a store. */
function twoWindows(stored?: unknown) {
  const world = { now: 1_000, stored };
  const store = {
    get: () => world.stored,
    update: (_key: string, value: unknown) => Promise.resolve(void (world.stored = value)),
  };
  const window = () => new ToldNews(store, 'told', () => world.now);
  return { world, one: window(), two: window() };
}

describe('events seen by several windows', () => {
  it('are reported by the first window', () => {
    const { one, two } = twoWindows();
    assert.deepEqual(one.claim(service, [waits(500)]), [waits(500)]);
    assert.deepEqual(two.claim(service, [waits(400)]), []);
    assert.deepEqual(one.claim(service, [waits(500)]), []);
  });

  it('are reported again if they happen again', () => {
    const { one, two } = twoWindows();
    one.claim(service, [waits(500)]);
    assert.deepEqual(two.claim(service, [waits(1_001)]), [waits(1_001)]);
  });

  it('are kept apart by connection, kind and id', () => {
    const { one } = twoWindows();
    one.claim(service, [waits(0)]);
    const others: AttentionEvent[] = [waits(0, 'c-2'), { ...waits(0), kind: 'agentEnded' }];
    assert.deepEqual(one.claim(service, others), others);
    assert.deepEqual(one.claim('https://two.example.com', [waits(0)]), [waits(0)]);
  });

  it('are reported if the stored record is unreadable or in the future', () => {
    for (const stored of [
      'x',
      null,
      [],
      { [`agentWaits c-1 ${service}`]: 'soon' },
      { [`agentWaits c-1 ${service}`]: 1_001 },
    ]) {
      assert.equal(twoWindows(stored).one.claim(service, [waits(500)]).length, 1);
    }
  });

  it('leave a record of limited size', () => {
    const { one, world } = twoWindows();
    for (let index = 0; index < 300; index += 1) {
      world.now += 1;
      one.claim(service, [waits(world.now - 1, `c-${index}`)]);
    }
    const kept = Object.keys(world.stored as object);
    assert.equal(kept.length, 100);
    // The latest are the ones that another window could report again.
    assert.ok(kept.includes(`agentWaits c-299 ${service}`) && !kept.includes(`agentWaits c-199 ${service}`));
  });

  it('are kept from the moment of the report on, and dropped if they are of the future', () => {
    const past = `agentWaits c-2 ${service}`;
    const future = `agentWaits c-3 ${service}`;
    const { one, world } = twoWindows({ [past]: 1_000, [future]: 1_001 });
    one.claim(service, [waits(500)]);
    assert.deepEqual(world.stored, { [past]: 1_000, [`agentWaits c-1 ${service}`]: 1_000 });
  });

  it('write nothing if there is no news', () => {
    const { one, world } = twoWindows('unreadable');
    assert.deepEqual(one.claim(service, []), []);
    assert.equal(world.stored, 'unreadable');
  });
});
