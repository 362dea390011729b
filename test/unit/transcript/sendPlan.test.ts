import assert from 'node:assert/strict';
import { limitSchema, type Limit } from '../../../src/shared/limit';
import { executionSchema, type SendEffect } from '../../../src/shared/transcript';
import {
  canGoOn,
  runsAfterwards,
  sendEffect,
  sendPlan,
} from '../../../src/features/transcript/model/sendPlan';

const all = executionSchema.options;
const usual = { revivesStuck: true, isRunSafe: true, messageRejects: false };

describe('the plan for a message', () => {
  it('starts the agent only in idle, paused, finished, and error', () => {
    for (const revives of [true, false]) {
      const starting = all.filter((execution) => {
        const plan = sendPlan(execution, { revivesStuck: revives, isRunSafe: true });
        return plan.kind === 'send' && plan.run;
      });
      assert.deepEqual(starting, ['idle', 'paused', 'finished', 'error']);
    }
  });

  it('joins a working agent, and answers a waiting one first', () => {
    assert.deepEqual(sendPlan('running', usual), { kind: 'send', run: false });
    assert.deepEqual(sendPlan('waiting_for_confirmation', usual), { kind: 'rejectFirst' });
  });

  it('joins the step that still ends after a pause: a run would execute what it asks for', () => {
    const ending = { ...usual, isRunSafe: false };
    assert.deepEqual(sendPlan('paused', ending), { kind: 'send', run: false });
    assert.equal(sendEffect('paused', 'none', ending), 'joins');
    assert.deepEqual(sendPlan('finished', ending), { kind: 'send', run: true });
  });

  it('says where a message rejects what the step asks for', () => {
    const rejecting = { ...usual, messageRejects: true };
    assert.equal(sendEffect('running', 'none', rejecting), 'supersedes');
    assert.equal(sendEffect('idle', 'none', rejecting), 'starts');
  });

  it('revives a stuck agent only where that works', () => {
    assert.deepEqual(sendPlan('stuck', usual), { kind: 'send', run: false });
    assert.deepEqual(sendPlan('stuck', { ...usual, revivesStuck: false }), {
      kind: 'refuse',
      state: 'stuck',
    });
    assert.equal(sendEffect('stuck', 'none', usual), 'starts');
  });

  it('refuses where the state isn’t known', () => {
    for (const execution of ['unknown', 'deleting'] as const)
      assert.deepEqual(sendPlan(execution, usual), { kind: 'refuse', state: execution });
  });

  it('never runs a working or waiting agent afterwards', () => {
    assert.deepEqual(all.filter(runsAfterwards), ['idle']);
    assert.deepEqual(all.filter(canGoOn), ['idle', 'paused', 'error']);
  });

  it('is explained to people', () => {
    assert.deepEqual(
      all.map((execution) => sendEffect(execution, 'none', { ...usual, revivesStuck: false })),
      ['starts', 'joins', 'starts', 'rejects', 'starts', 'starts', 'impossible', 'impossible', 'impossible'],
    );
    const reached: Partial<Record<Limit, SendEffect>> = { none: 'starts', busy: 'starts', asleep: 'resumes' };
    for (const limit of limitSchema.options)
      assert.equal(sendEffect('idle', limit, usual), reached[limit] ?? 'impossible', limit);
  });
});
