import assert from 'node:assert/strict';
import { DueReads } from '../../../../src/core/lists/dueReads';
import { LiveStates, type LiveChange } from '../../../../src/core/lists/liveStates';
import { aConversation } from '../../../support/builders/records';
import { FakeClock } from '../../api/support/clock';

describe('what an open conversation says of itself', () => {
  const setUp = () => {
    let now = 100;
    let looked = 0;
    let isFollowed = true;
    const states = new LiveStates(() => now);
    const source = { follows: () => isFollowed, lookAgain: () => (looked += 1) };
    return {
      states,
      hear: (change: LiveChange, id = 'c-1') => states.hear(id, change, source),
      shown: (execution_status: string | null, began?: number) =>
        states.applied(aConversation({ execution_status }), began).execution_status,
      looked: () => looked,
      leave: () => (isFollowed = false),
      setClock: (ms: number) => (now = ms),
    };
  };
  const idle = { execution_status: 'idle' };

  it('is in its record, and in no other', () => {
    const { states, hear } = setUp();
    const record = aConversation({ id: '01234567-89ab-cdef-0123-456789abcdef' });
    assert.equal(states.applied(record), record);
    hear({ ...idle, used: { cost: 2, tokens: null } }, '0123456789abcdef0123456789abcdef');
    assert.deepEqual(states.applied(record), { ...record, ...idle, metrics: { accumulated_cost: 2 } });
    const other = aConversation({ id: 'c-2' });
    assert.equal(states.applied(other), other);
    const same = { ...record, ...idle, metrics: { accumulated_cost: 2 } };
    assert.equal(states.applied(same), same, 'an unchanged record stays the same object');
    states.clear();
    assert.equal(states.applied(record), record);
  });

  it('counts while it’s followed; each contradiction of a list is looked into once', () => {
    const { hear, shown, looked } = setUp();
    hear(idle);
    assert.deepEqual([shown('running', 100), shown('running', undefined), looked()], ['idle', 'idle', 0]);
    assert.deepEqual([shown('running', 101), shown('running', 102), looked()], ['idle', 'idle', 1]);
    hear({ ...idle });
    assert.deepEqual([shown('running', 103), looked()], ['idle', 1]);
    assert.deepEqual([shown('error', 104), looked()], ['idle', 2]);
    assert.deepEqual([shown('idle', 105), shown(null, 106), looked()], ['idle', 'idle', 2]);
    hear({ execution_status: 'paused' });
    assert.deepEqual([shown('error', 107), looked()], ['paused', 3]);
  });

  it('counts after that until a list is read that was asked for later', () => {
    const { hear, shown, leave, looked } = setUp();
    hear(idle);
    leave();
    assert.deepEqual(
      [shown('running'), shown('running', 99), shown('running', 100)],
      ['idle', 'idle', 'idle'],
    );
    assert.equal(shown('running', 101), 'running');
    assert.equal(shown('running'), 'running', 'it’s forgotten then');
    assert.equal(looked(), 0);
  });

  it('counts no longer than a list if the clock was set back', () => {
    const { hear, shown, leave, setClock } = setUp();
    hear(idle);
    leave();
    setClock(50);
    assert.equal(shown('running', 40), 'running');
  });
});

describe('what is read when it’s due', () => {
  it('is read, and the next is waited for with one timer', () => {
    const clock = new FakeClock();
    const due = new Map([
      ['a', 0],
      ['b', 5_000],
      ['c', Infinity],
    ]);
    const began: string[] = [];
    let woken = 0;
    const reads = new DueReads<string>({
      clock,
      idle: () => [...due.keys()].filter((one) => !began.includes(one)),
      dueAt: (one) => due.get(one)!,
      read: (one) => began.push(one),
      wake: () => {
        woken += 1;
        reads.run();
      },
    });
    reads.run();
    assert.deepEqual([began, clock.running], [['a'], [5_000]]);
    clock.advance(2_000);
    reads.run();
    assert.deepEqual([began, clock.running], [['a'], [3_000]]);
    clock.advance(3_000);
    assert.deepEqual([began, clock.running, woken], [['a', 'b'], [], 1]);
    due.set('d', 9_000);
    reads.run();
    reads.stop();
    assert.deepEqual(clock.running, []);
  });
});
