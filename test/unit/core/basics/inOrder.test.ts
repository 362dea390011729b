import assert from 'node:assert/strict';
import { InOrder } from '../../../../src/core/basics/inOrder';
import { someAtOnce } from '../../../../src/core/basics/someAtOnce';
import { settled } from '../../../support/settled';

/** Work that the test ends by hand. */
function byHand() {
  const begun: string[] = [];
  const ends = new Map<string, { end: (value: string) => void; fail: (error: Error) => void }>();
  const work = (name: string) => {
    begun.push(name);
    return new Promise<string>((end, fail) => ends.set(name, { end, fail }));
  };
  return { begun, work, end: (name: string) => ends.get(name)?.end(name.toUpperCase()), ends };
}

describe('tasks in order', () => {
  it('run one after the other for each key, and settle as they end', async () => {
    const { begun, work, end } = byHand();
    const order = new InOrder();
    const runs = ['a1', 'a2', 'b1'].map((name) => order.run(name.slice(0, 1), () => work(name)));
    await settled();
    assert.deepEqual(begun, ['a1', 'b1']);
    end('b1');
    end('a1');
    await settled();
    assert.deepEqual(begun, ['a1', 'b1', 'a2']);
    const last = order.run('a', () => work('a3'));
    await settled();
    assert.equal(begun.length, 3, 'a task asked for later still waits for the one that runs');
    end('a2');
    await settled();
    end('a3');
    assert.deepEqual(await Promise.all([...runs, last]), ['A1', 'A2', 'B1', 'A3']);
  });

  it('aren’t held up by one that fails', async () => {
    const { work, end, ends } = byHand();
    const order = new InOrder();
    const failed = assert.rejects(
      order.run('a', () => work('a1')),
      /no/,
    );
    const next = order.run('a', () => work('a2'));
    await settled();
    ends.get('a1')?.fail(new Error('no'));
    await failed;
    await settled();
    end('a2');
    assert.equal(await next, 'A2');
  });
});

describe('work on several items at once', () => {
  it('is done on so many at a time, and gives the results in the order of the items', async () => {
    const { begun, work, end } = byHand();
    const all = someAtOnce(['a', 'b', 'c', 'd'], 2, work);
    assert.deepEqual(begun, ['a', 'b']);
    end('b');
    await settled();
    assert.deepEqual(begun, ['a', 'b', 'c']);
    end('c');
    await settled();
    for (const name of ['d', 'a']) end(name);
    assert.deepEqual(await all, ['A', 'B', 'C', 'D']);
    assert.deepEqual(await someAtOnce([], 2, work), []);
  });
});
