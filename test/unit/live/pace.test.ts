import assert from 'node:assert/strict';
import { Refusal } from '../../../src/core/basics/refusal';
import { KnownStatus } from '../../../src/features/live/model/knownStatus';
import { Pace } from '../../../src/features/live/model/pace';
import type { Limit } from '../../../src/shared/transcript';
import { wakeSandbox } from '../../../src/features/live/model/waking';
import { manualClock } from '../../service/clock';
import { settled } from '../../support/settled';
import { aClient } from '../../support/builders/client';
import { anEvent } from '../transcript/events';

describe('work that is done again and again', () => {
  function start() {
    const clock = manualClock();
    const state = { runs: 0, wait: 1_000, end: (): void => undefined };
    const pace = new Pace(
      () => {
        state.runs += 1;
        return new Promise((resolve) => (state.end = resolve));
      },
      () => state.wait,
      (ms, callback) => clock.after(ms, callback),
    );
    const end = async () => {
      state.end();
      await settled();
    };
    return { clock, state, pace, end };
  }

  it('begins when asked to, once, and again after a while', async () => {
    const { clock, state, pace, end } = start();
    pace.soon();
    assert.equal(state.runs, 0);
    pace.start();
    pace.start();
    assert.equal(state.runs, 1);
    await end();
    await clock.advance(999);
    assert.equal(state.runs, 1);
    await clock.advance(1);
    assert.equal(state.runs, 2);
  });

  it('is done immediately if asked for, instead of later', async () => {
    const { clock, state, pace, end } = start();
    pace.start();
    await end();
    await clock.advance(500);
    pace.soon();
    assert.equal(state.runs, 2);
    await end();
    await clock.advance(999);
    assert.equal(state.runs, 2);
  });

  it('runs again after the run in progress, once, however often it’s asked for', async () => {
    const { clock, state, pace, end } = start();
    pace.start();
    for (let time = 0; time < 3; time += 1) pace.soon();
    assert.equal(state.runs, 1);
    await end();
    assert.equal(state.runs, 2);
    await end();
    assert.equal(state.runs, 2);
    await clock.advance(1_000);
    assert.equal(state.runs, 3);
  });

  it('ends even while it runs or waits, and can begin again', async () => {
    const { clock, state, pace, end } = start();
    pace.start();
    pace.dispose();
    await end();
    await clock.advance(10_000);
    assert.equal(state.runs, 1);
    pace.start();
    await end();
    pace.dispose();
    await clock.advance(10_000);
    assert.equal(state.runs, 2);
  });
});

describe('work that ended while it ran', () => {
  it('plans nothing', async () => {
    let planned = 0;
    const pace: Pace = new Pace(
      () => {
        pace.dispose();
        return Promise.resolve();
      },
      () => 1_000,
      () => {
        planned += 1;
        return () => undefined;
      },
    );
    pace.start();
    await settled();
    assert.equal(planned, 0);
  });
});

describe('the state of an agent', () => {
  const status = (name: 'idle' | 'running' | 'paused') => anEvent({ kind: 'status', status: name });

  it('is what events reported last, in their own order', () => {
    const known = new KnownStatus();
    const [first, second, third] = [status('idle'), status('running'), status('paused')];
    known.hear([second, first]);
    assert.deepEqual([known.current.execution, known.isWorking], ['running', true]);
    known.hear([second, anEvent({ kind: 'paused' })]);
    assert.equal(known.current.execution, 'running');
    known.hear([third]);
    assert.deepEqual([known.current.execution, known.isWorking], ['paused', false]);
  });

  it('is the first of two that were reported for the same moment', () => {
    const known = new KnownStatus();
    const first = status('paused');
    known.hear([first, { ...status('idle'), timestamp: first.timestamp }]);
    assert.equal(known.current.execution, 'paused');
  });

  it('has the cost that the latest event reported, in whatever order events come', () => {
    const known = new KnownStatus();
    const usage = (cost: number) => anEvent({ kind: 'usage', usage: { cost, tokens: cost, context: null } });
    const [first, second, third] = [usage(1), usage(2), usage(3)];
    known.hear([second, first]);
    const before = known.current.usage;
    known.hear([first]);
    assert.deepEqual([before?.cost, known.current.usage], [2, before]);
    known.hear([third, status('idle')]);
    assert.deepEqual([known.current.usage?.cost, known.current.execution], [3, 'idle']);
  });

  it('isn’t known before it was read', () => {
    const known = new KnownStatus();
    assert.ok(known.readAt < 0);
    assert.deepEqual(known.current, {
      execution: 'unknown',
      policy: 'unknown',
      usage: null,
      workingDir: null,
      leaf: null,
      waits: [],
      updatedAt: null,
    });
    assert.equal(known.isWorking, false);
  });

  it('is what was read, with what events have reported since', () => {
    const known = new KnownStatus();
    const usage = { cost: 1, tokens: 2, context: null };
    const others = { workingDir: '/w', leaf: 'e1', waits: [], updatedAt: null };
    known.read({ execution: 'idle', policy: 'always', usage: null, ...others }, 7, 3);
    known.hear([anEvent({ kind: 'usage', usage }), anEvent({ kind: 'paused' })]);
    assert.deepEqual(known.current, { execution: 'idle', policy: 'always', usage, ...others });
    assert.deepEqual([known.readAt, known.leaf], [7, { leaf: 'e1', size: 3 }]);
    known.lose();
    assert.deepEqual(known.current, { execution: 'unknown', policy: 'always', usage, ...others });
  });
});

describe('waking a sandbox', () => {
  function wake(isThere: () => boolean, signal = new AbortController().signal) {
    const clock = manualClock();
    const resumed: string[] = [];
    const client = aClient({ resumeSandbox: (id) => Promise.resolve(void resumed.push(id)) });
    let looks = 0;
    const state = { ended: '' };
    const ports = {
      client,
      after: (ms: number, callback: () => void) => clock.after(ms, callback),
      now: () => clock.now(),
    };
    const place = {
      limit: 'asleep' as Limit,
      locate: () => {
        looks += 1;
        return Promise.resolve(isThere());
      },
    };
    wakeSandbox(ports, 'box', place, signal).then(
      () => (state.ended = 'awake'),
      (error: unknown) => (state.ended = error instanceof Refusal ? `refused: ${error.message}` : 'failed'),
    );
    return { clock, place, resumed, state, looks: () => looks };
  }

  it('looks every three seconds until it’s there', async () => {
    let isThere = false;
    const { clock, resumed, state, looks } = wake(() => isThere);
    await settled();
    assert.deepEqual([resumed, looks(), state.ended], [['box'], 1, '']);
    await clock.advance(2_999);
    await settled();
    assert.equal(looks(), 1);
    isThere = true;
    await clock.advance(1);
    await settled();
    assert.deepEqual([looks(), state.ended], [2, 'awake']);
  });

  it('gives up after three minutes, or once it’s canceled', async () => {
    const { clock, state } = wake(() => false);
    for (let time = 0; time < 60; time += 1) {
      await settled();
      assert.equal(state.ended, '');
      await clock.advance(3_000);
    }
    await settled();
    assert.equal(state.ended, '');
    await clock.advance(3_000);
    await settled();
    assert.match(state.ended, /^refused: .*in time/);
    const canceled = wake(() => false, AbortSignal.abort());
    await settled();
    assert.match(canceled.state.ended, /^refused: /);
  });

  it('says in the end that it can’t be reached from here, and at once that the user declined', async () => {
    const { clock, place, state } = wake(() => false);
    place.limit = 'unreachable';
    for (let time = 0; time < 61; time += 1) {
      await settled();
      assert.equal(state.ended, '');
      await clock.advance(3_000);
    }
    await settled();
    assert.match(state.ended, /^refused: .*can’t be reached/);
    const declined = wake(() => false);
    declined.place.limit = 'notAccepted';
    await settled();
    assert.match(declined.state.ended, /^refused: You didn’t allow/);
  });
});
