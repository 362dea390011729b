import assert from 'node:assert/strict';
import type { Execution } from '../../../src/shared/transcript';
import {
  approve,
  interrupt,
  pause,
  reject,
  resume,
  setPolicy,
  summarize,
  switchModel,
} from '../../../src/features/live/model/answering';
import { sendOnce } from '../../../src/features/live/model/sending';
import { FakeDesk, requestError } from './fakeDesk';

/** A desk whose agent waits for the approval of these. */
function waitingFor(...ids: string[]): FakeDesk {
  const desk = new FakeDesk();
  desk.states = ['waiting_for_confirmation'];
  desk.waiting = ids;
  return desk;
}

const inState = (execution: Execution) => Object.assign(new FakeDesk(), { states: [execution] });

describe('the user’s own changes', () => {
  it('are announced before anything is asked of the service', async () => {
    for (const [change, stops] of [
      [pause, true],
      [interrupt, true],
      [resume, false],
      [summarize, false],
      [(desk: FakeDesk) => approve(desk, ['a']), false],
      [(desk: FakeDesk) => reject(desk, ['a'], ''), false],
      [(desk: FakeDesk) => setPolicy(desk, 'always'), false],
      [(desk: FakeDesk) => sendOnce(desk, 'Hello', []), false],
    ] as const) {
      const desk = inState('running');
      const changing = change(desk);
      // An outcome may be on screen before the request’s answer.
      assert.deepEqual([desk.acts, desk.changes], [[stops], []]);
      await changing;
    }
  });
});

describe('answering what the agent asks', () => {
  it('approves what waits, in any order, after reading it again while no other window changes it', async () => {
    const desk = waitingFor('a', 'b');
    desk.states.push('running');
    assert.deepEqual(await approve(desk, ['b', 'a']), { kind: 'done' });
    const before = ['alone c', 'reach', 'readStatus', 'prove', 'answered b a'];
    assert.deepEqual(desk.calls, [...before, 'accept', 'readStatus']);
    assert.deepEqual([[...desk.signals], desk.looks], [[desk.signal], 1]);
  });

  it('rejects with the user’s reason', async () => {
    const desk = waitingFor('a');
    desk.states.push('idle');
    assert.deepEqual(await reject(desk, ['a'], 'Not like this'), { kind: 'done' });
    assert.deepEqual([desk.changes, [...desk.signals]], [['reject Not like this'], [desk.signal]]);
    assert.ok(!desk.calls.includes('prove'));
  });

  it('answers nothing but exactly what waits', async () => {
    for (const [waits, named] of [
      [['a', 'b'], ['a']],
      [['a'], ['a', 'b']],
      [['b'], ['a']],
      [
        ['a,b', 'c'],
        ['a', 'b,c'],
      ],
      [['a,b'], ['a', 'b']],
      [[], []],
    ] as const) {
      const desk = waitingFor(...waits);
      const outcome = await approve(desk, named);
      assert.ok(outcome.kind === 'refused' && outcome.problem !== '');
      assert.deepEqual([desk.changes, desk.answer, desk.looks], [[], [], 1]);
    }
  });

  it('says what became of an answer once something else waits', async () => {
    const problem = 'The agent’s request has changed, so nothing was done. Review it again.';
    assert.deepEqual(await approve(waitingFor('b'), ['a']), { kind: 'refused', problem });
    assert.deepEqual(await reject(waitingFor('b'), ['a'], 'No'), { kind: 'refused', problem });
  });

  it('answers no agent that doesn’t wait', async () => {
    const desk = waitingFor('a');
    desk.states = ['running'];
    const outcome = await reject(desk, ['a'], '');
    assert.ok(outcome.kind === 'refused' && outcome.problem !== '');
    assert.deepEqual(desk.calls, ['alone c', 'reach', 'readStatus']);
  });

  it('approves nothing unless what waits is proven to be all of it, and says what to do', async () => {
    const problems = new Set<string>();
    for (const proof of ['reading', 'missing', 'unreadable', 'tooLong'] as const) {
      const desk = Object.assign(waitingFor('a'), { proof });
      const outcome = await approve(desk, ['a']);
      assert.equal(outcome.kind, 'refused');
      problems.add(outcome.problem);
      assert.deepEqual([desk.changes, desk.answer], [[], []]);
      if (proof !== 'reading') assert.match(outcome.problem, /Reject, or open/);
    }
    assert.equal(problems.size, 4);
    const failing = waitingFor('a');
    failing.failures.prove = requestError(false);
    assert.equal((await approve(failing, ['a'])).kind, 'refused');
    assert.deepEqual(failing.changes, []);
  });

  it('rejects what can’t be read, without a proof', async () => {
    const desk = waitingFor();
    desk.head = { ...desk.head, proof: 'unreadable' };
    desk.states.push('idle');
    assert.deepEqual(await reject(desk, [], 'No'), { kind: 'done' });
    assert.deepEqual(desk.changes, ['reject No']);
    const known = waitingFor();
    assert.equal((await reject(known, [], 'No')).kind, 'refused');
    assert.deepEqual(known.changes, []);
  });

  it('says that a server took no rejection, and shows the question again', async () => {
    const desk = waitingFor('a');
    const outcome = await reject(desk, ['a'], 'No');
    assert.ok(outcome.kind === 'refused' && outcome.problem.includes('didn’t accept the rejection'));
    assert.deepEqual([desk.changes, desk.answer], [['reject No'], []]);
    const asksAgain = waitingFor('a');
    asksAgain.onEvents = () => {
      if (asksAgain.changes.length > 0) asksAgain.waiting = ['b'];
    };
    assert.deepEqual(await reject(asksAgain, ['a'], 'No'), { kind: 'done' });
  });

  it('answers nothing twice', async () => {
    const desk = waitingFor('a');
    await approve(desk, ['a']);
    const outcome = await approve(desk, ['a']);
    assert.ok(outcome.kind === 'refused' && outcome.problem !== '');
    assert.deepEqual(desk.changes, ['accept']);
  });

  it('leaves the next turn to other windows once the state shows the answer, can’t be read, or stays', async () => {
    const readings = async (change: (desk: FakeDesk) => void) => {
      const desk = waitingFor('a');
      const { after } = desk.ports;
      desk.ports.after = (ms, callback) => {
        desk.calls.push(`wait ${ms}`);
        return after(ms, callback);
      };
      change(desk);
      await approve(desk, ['a']);
      return desk.calls.slice(desk.calls.indexOf('accept') + 1).join(', ');
    };
    const waiting = 'waiting_for_confirmation';
    assert.equal(
      await readings((desk) => desk.states.push(waiting, 'idle')),
      'readStatus, wait 200, readStatus',
    );
    const stays = await readings(() => undefined);
    assert.equal(
      stays,
      [...Array.from({ length: 10 }, () => 'readStatus, wait 200'), 'readEvents'].join(', '),
    );
    const fails = await readings((desk) => {
      const read = desk.readStatus.bind(desk);
      desk.readStatus = () => {
        if (desk.changes.length > 0) desk.failures.readStatus = requestError(true);
        return read();
      };
    });
    assert.equal(fails, 'readStatus');
    assert.equal(await readings((desk) => (desk.failures.accept = requestError(false))), 'answered');
  });

  it('says that the agent still asks if its server ignored an approval, and nothing if it asks something new', async () => {
    const ignored = waitingFor('b', 'a');
    assert.deepEqual(await approve(ignored, ['a', 'b']), {
      kind: 'refused',
      problem: 'The agent hasn’t reacted to your answer. If it keeps asking, answer again.',
    });
    assert.equal(ignored.changes.length, 1);

    const quick = waitingFor('a');
    quick.onEvents = () => {
      if (quick.changes.length > 0) quick.waiting = ['c'];
    };
    assert.deepEqual(await approve(quick, ['a']), { kind: 'done' });
  });

  it('may be tried again at once after an answer that certainly failed, and not after another', async () => {
    for (const [isUnknown, kind, answered] of [
      [false, 'refused', []],
      [true, 'unknown', ['a']],
    ] as const) {
      const desk = waitingFor('a');
      desk.failures.accept = requestError(isUnknown);
      const outcome = await approve(desk, ['a']);
      assert.equal(outcome.kind, kind);
      assert.match(outcome.kind === kind ? outcome.problem : '', /^described: /);
      assert.deepEqual([desk.answer, desk.looks], [answered, 1]);
    }
  });

  it('fails with a defect as it is', async () => {
    const desk = waitingFor('a');
    desk.failures.accept = new TypeError('defect');
    await assert.rejects(approve(desk, ['a']), /defect/);
    assert.deepEqual([desk.answer, desk.looks], [['a'], 1]);
  });
});

describe('stopping the agent', () => {
  const ways = { pause, interrupt };
  for (const [name, stop] of Object.entries(ways)) {
    it(`has an effect only while it works (${name})`, async () => {
      const desk = inState('running');
      assert.deepEqual(await stop(desk), { kind: 'done' });
      assert.deepEqual([desk.calls, [...desk.signals]], [['reach', 'readStatus', name], [desk.signal]]);
      for (const state of ['idle', 'paused', 'finished', 'waiting_for_confirmation'] as const) {
        const resting = inState(state);
        const outcome = await stop(resting);
        assert.ok(outcome.kind === 'refused' && outcome.problem !== '');
        assert.deepEqual([resting.changes, resting.looks], [[], 1]);
      }
    });
  }

  it('is a pause where a release can’t interrupt', async () => {
    const desk = inState('running');
    desk.features = { interrupts: false };
    const outcome = await interrupt(desk);
    assert.ok(outcome.kind === 'refused' && outcome.problem !== '');
    assert.deepEqual(desk.changes, []);
    assert.deepEqual(await pause(desk), { kind: 'done' });
    assert.deepEqual(desk.changes, ['pause']);
  });
});

describe('continuing', () => {
  it('runs an agent that can continue, while no other window changes it', async () => {
    for (const state of ['idle', 'paused', 'error'] as const) {
      const desk = inState(state);
      desk.states.push('running');
      const reading = state === 'paused' ? ['readStatus', 'readEvents', 'readStatus'] : ['readStatus'];
      if (state === 'paused') desk.states.unshift('paused');
      assert.deepEqual(await resume(desk), { kind: 'done' });
      assert.deepEqual(desk.calls, ['alone c', 'reach', ...reading, 'run', 'readStatus']);
      assert.deepEqual([...desk.signals], [desk.signal]);
    }
  });

  it('doesn’t run an agent whose step still ends after a pause, and says so', async () => {
    const desk = inState('paused');
    desk.stepIsOver = false;
    const outcome = await resume(desk);
    assert.ok(outcome.kind === 'refused' && outcome.problem.includes('still ends'));
    assert.deepEqual(desk.changes, []);
    assert.equal(desk.calls.filter((call) => call === 'readEvents').length, 5);
    const ending = inState('paused');
    ending.stepIsOver = false;
    ending.states = ['paused', 'paused', 'paused', 'paused', 'running'];
    let looks = 0;
    ending.onEvents = () => (ending.stepIsOver = (looks += 1) === 3);
    assert.deepEqual(await resume(ending), { kind: 'done' });
    assert.deepEqual(ending.changes, ['run']);
    const asking = inState('paused');
    asking.stepIsOver = false;
    asking.states = ['paused', 'waiting_for_confirmation'];
    assert.equal((await resume(asking)).kind, 'refused');
    assert.deepEqual(asking.changes, []);
  });

  it('runs a paused agent once its server is done with the run before, which it may not be for seconds', async () => {
    const refusing = (times: number, states: FakeDesk['states'] = ['paused']) =>
      Object.assign(new FakeDesk(), { states }).refuseRuns(times);
    const busy = refusing(3);
    assert.deepEqual(await resume(busy), { kind: 'done' });
    assert.deepEqual(busy.changes, ['run', 'run', 'run', 'run']);
    assert.equal(busy.calls.filter((call) => call === 'readEvents').length, 4, 'it looks before each');
    const never = refusing(9);
    const outcome = await resume(never);
    assert.ok(outcome.kind === 'refused' && outcome.problem.includes('still ends'));
    assert.equal(never.changes.length, 5);
    const asks = refusing(9);
    asks.ports.after = (_ms, callback) => {
      asks.open = true;
      callback();
      return () => undefined;
    };
    assert.equal((await resume(asks)).kind, 'refused');
    assert.deepEqual(asks.changes, ['run'], 'something waits by then');
    const runs = refusing(9, ['paused', 'paused', 'running']);
    assert.equal((await resume(runs)).kind, 'refused');
    assert.deepEqual(runs.changes, ['run'], 'somebody else was first');
    for (const state of ['idle', 'error'] as const) {
      const other = refusing(9, [state]);
      assert.equal((await resume(other)).kind, 'refused');
      assert.deepEqual(other.changes, ['run']);
    }
  });

  it('runs nothing that waits unanswered, whatever the state, unless the policy asks for no approval', async () => {
    for (const state of ['idle', 'paused', 'error'] as const) {
      const desk = Object.assign(inState(state), { open: true });
      assert.equal((await resume(desk)).kind, 'refused');
      assert.deepEqual(desk.changes, []);
      desk.policy = 'never';
      assert.deepEqual(await resume(desk), { kind: 'done' });
      assert.deepEqual(desk.changes, ['run']);
    }
  });

  it('runs a paused agent that never asks, even if nothing shows that its step has ended', async () => {
    for (const policy of ['never', 'itself'] as const) {
      const desk = Object.assign(inState('paused'), { stepIsOver: false, policy });
      assert.deepEqual(await resume(desk), { kind: 'done' });
      assert.deepEqual(desk.changes, ['run']);
    }
    // It isn't known to ask nobody by its state.
    const waiting = Object.assign(waitingFor('a'), { policy: 'itself' });
    assert.equal((await resume(waiting)).kind, 'refused');
    assert.deepEqual(waiting.changes, []);
  });

  it('says why an agent can’t continue', async () => {
    const problems = new Set<string>();
    for (const state of ['running', 'waiting_for_confirmation', 'finished', 'stuck'] as const) {
      const desk = inState(state);
      const outcome = await resume(desk);
      assert.equal(outcome.kind, 'refused');
      assert.deepEqual(desk.changes, []);
      problems.add(outcome.problem);
      assert.equal(/approv/i.test(outcome.problem), state === 'waiting_for_confirmation');
    }
    assert.equal(problems.size, 3);
    assert.ok(!problems.has(''));
  });

  it('runs what waits only once the policy asks for no approval, and nothing that works', async () => {
    const desk = waitingFor('a');
    desk.policy = 'never';
    assert.deepEqual(await resume(desk), { kind: 'done' });
    assert.deepEqual(desk.changes, ['run']);
    desk.states = ['running'];
    assert.equal((await resume(desk)).kind, 'refused');
    assert.deepEqual(desk.changes, ['run']);
  });

  it('wakes a sandbox, whose agent may have nothing to continue with', async () => {
    for (const [state, changes] of [
      ['paused', ['run']],
      ['finished', []],
    ] as const) {
      const desk = inState(state);
      desk.head = { ...desk.head, limit: 'asleep' };
      desk.onWaking = () => undefined;
      assert.deepEqual(await resume(desk), { kind: 'done' });
      assert.deepEqual(desk.changes, changes);
    }
  });
});

describe('setting what needs approval', () => {
  it('sets it at the agent server, and reads it back', async () => {
    const desk = new FakeDesk();
    assert.deepEqual(await setPolicy(desk, 'never'), { kind: 'done' });
    assert.deepEqual(desk.calls, ['reach', 'setPolicy never', 'readStatus']);
    assert.deepEqual([[...desk.signals], desk.looks], [[desk.signal], 1]);
  });

  it('says that an agent that decides by itself can’t be made to ask', async () => {
    const desk = new FakeDesk();
    desk.head = { ...desk.head, policy: 'itself' };
    const outcome = await setPolicy(desk, 'always');
    assert.ok(outcome.kind === 'refused' && outcome.problem.includes('decides by itself'));
    assert.deepEqual(desk.changes, []);
  });

  it('wakes no sandbox for that', async () => {
    const desk = new FakeDesk();
    desk.onWaking = () => undefined;
    assert.deepEqual(await setPolicy(desk, 'never'), { kind: 'refused', problem: 'asleep' });
    assert.deepEqual(desk.changes, []);
  });
});

describe('changing the model and summarizing, on an agent server', () => {
  it('changes the model in every state, also while something waits: nothing is executed by that', async () => {
    for (const state of ['running', 'waiting_for_confirmation', 'finished'] as const) {
      const desk = inState(state);
      assert.deepEqual(await switchModel(desk, 'quick'), { kind: 'done' });
      assert.deepEqual(desk.changes, ['switchModel quick']);
    }
  });

  it('summarizes only while the agent neither works nor waits', async () => {
    for (const [state, changes] of [
      ['finished', ['condense']],
      ['idle', ['condense']],
      ['running', []],
      ['waiting_for_confirmation', []],
    ] as const) {
      const desk = inState(state);
      assert.equal((await summarize(desk)).kind, changes.length > 0 ? 'done' : 'refused');
      assert.deepEqual(desk.changes, changes);
    }
  });

  it('says that an ACP agent doesn’t summarize: the server would only say that it did (I)', async () => {
    const desk = inState('finished');
    desk.policy = 'itself';
    assert.equal((await summarize(desk)).kind, 'refused');
    assert.deepEqual(desk.changes, []);
  });

  it('changes the model of an ACP agent by its own name, while it doesn’t work', async () => {
    for (const [state, changes] of [
      ['finished', ['switchAgentModel opus']],
      ['idle', ['switchAgentModel opus']],
      ['running', []],
    ] as const) {
      const desk = inState(state);
      desk.policy = 'itself';
      assert.equal((await switchModel(desk, 'opus')).kind, changes.length > 0 ? 'done' : 'refused');
      assert.deepEqual(desk.changes, changes);
    }
  });
});
