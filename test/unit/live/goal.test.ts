import assert from 'node:assert/strict';
import { kinds } from '../../../src/api/events/kinds';
import type { AgentEvent, GoalState } from '../../../src/api/events/event';
import type { Execution, Policy } from '../../../src/shared/transcript';
import { separatorTitle } from '../../../src/shared/entryTitles';
import { setPolicy } from '../../../src/features/live/model/answering';
import { sendSecret, goalOf, resumeGoal, setGoal, stopGoal } from '../../../src/features/live/model/goal';
import { simple } from '../../../src/features/transcript/model/simpleEntries';
import { anEvent } from '../transcript/events';
import { FakeDesk } from './fakeDesk';

const deskIn = (execution: Execution, policy: Policy) =>
  Object.assign(new FakeDesk(), { states: [execution], policy });

const goal = (more: Partial<GoalState> = {}): AgentEvent =>
  anEvent({
    ...{ kind: 'goal', isActive: true, state: 'running', objective: 'All tests pass' },
    ...{ round: 0, rounds: 3, missing: '' },
    ...more,
  });

describe('a goal', () => {
  const begin = (desk: FakeDesk) => setGoal(desk, 'All tests pass', 3);

  it('is set and continued while the agent neither works nor waits, and nobody is asked', async () => {
    for (const state of ['idle', 'finished', 'paused', 'error'] as const) {
      const desk = deskIn(state, 'never');
      assert.deepEqual(await begin(desk), { kind: 'done' });
      assert.deepEqual(await resumeGoal(desk), { kind: 'done' });
      assert.deepEqual(desk.changes, ['startGoal All tests pass 3', 'resumeGoal']);
    }
  });

  it('hazard 0.4: isn’t begun where the agent asks, since each round would run what waits', async () => {
    for (const policy of ['always', 'riskyHigh', 'riskyMedium', 'itself', 'unknown'] as Policy[])
      for (const act of [begin, resumeGoal]) {
        const desk = deskIn('idle', policy);
        assert.equal((await act(desk)).kind, 'refused');
        assert.deepEqual(desk.changes, []);
      }
  });

  it('hazard 0.4: isn’t begun while an action waits, or one isn’t finished', async () => {
    const waiting = deskIn('waiting_for_confirmation', 'never');
    const working = deskIn('running', 'never');
    const open = Object.assign(deskIn('paused', 'never'), { open: true });
    for (const desk of [waiting, working, open]) {
      assert.equal((await begin(desk)).kind, 'refused');
      assert.equal((await resumeGoal(desk)).kind, 'refused');
      assert.deepEqual(desk.changes, []);
    }
  });

  it('hazard 0.4: keeps the policy from asking while it’s worked toward', async () => {
    const desk = Object.assign(deskIn('running', 'never'), { events: [goal()] });
    assert.equal((await setPolicy(desk, 'always')).kind, 'refused');
    assert.deepEqual(desk.changes, []);
    desk.events = [goal(), goal({ isActive: false, state: 'interrupted' })];
    assert.equal((await setPolicy(desk, 'always')).kind, 'done');
  });

  it('is stopped in any state', async () => {
    const desk = deskIn('running', 'always');
    assert.deepEqual(await stopGoal(desk), { kind: 'done' });
    assert.deepEqual(desk.changes, ['stopGoal']);
  });

  it('is what was set last', () => {
    assert.equal(goalOf([]), undefined);
    assert.equal(goalOf([goal(), goal({ round: 2 }), anEvent({ kind: 'hidden' })])?.round, 2);
  });

  it('shows each of its rounds, and what the last judgment missed', () => {
    const told = [
      goal(),
      goal({ round: 1, missing: 'Two tests fail.' }),
      goal({ state: 'complete', isActive: false, round: 2 }),
      goal({ state: 'capped', isActive: false, round: 3, missing: 'One test fails.' }),
      goal({ state: 'interrupted', isActive: false, round: 1 }),
    ].map((event) => simple(event)[0]);
    assert.deepEqual(
      told.map((entry) => entry?.kind === 'separator' && [separatorTitle(entry), entry.text]),
      [
        ['Goal set', 'All tests pass'],
        ['Goal not reached yet after round 1', 'Two tests fail.'],
        ['Goal reached in 2 rounds', ''],
        ['Goal not reached in 3 rounds', 'One test fails.'],
        ['Goal stopped', ''],
      ],
    );
  });

  it('is read from the server’s state, and hidden when that is odd', () => {
    const read = (value: unknown) =>
      kinds.get('ConversationStateUpdateEvent')?.safeParse({ key: 'goal', value }).data;
    const value = { active: true, status: 'running', iteration: 1, max_iterations: 10, objective: 'Done' };
    const verdict = { score: 0.2, complete: false, missing: 'Tests' };
    assert.deepEqual(read({ ...value, verdict }), {
      ...{ kind: 'goal', isActive: true, state: 'running', objective: 'Done' },
      ...{ round: 1, rounds: 10, missing: 'Tests' },
    });
    assert.equal(read({ ...value, verdict: null })?.kind, 'goal');
    for (const odd of [null, 'x', [], {}, { ...value, status: 'new' }, { ...value, iteration: 'x' }])
      assert.deepEqual(read(odd), { kind: 'hidden' });
  });
});

describe('a secret for a conversation', () => {
  it('is given in any state: nothing is executed by that', async () => {
    for (const state of ['running', 'waiting_for_confirmation', 'finished'] as const) {
      const desk = deskIn(state, 'always');
      assert.deepEqual(await sendSecret(desk, 'TOKEN', 'value'), { kind: 'done' });
      assert.deepEqual(desk.changes, ['giveSecret TOKEN']);
    }
  });
});
