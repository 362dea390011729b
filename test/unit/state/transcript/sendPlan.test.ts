import assert from 'node:assert/strict';
import { executionSchema, limitSchema } from '../../../../src/shared/transcript';
import { canGoOn, runsAfterwards, sendEffect, sendPlan } from '../../../../src/state/transcript/sendPlan';

const all = executionSchema.options;

describe('the plan for a message', () => {
  it('starts the agent only in idle, paused, finished, and error', () => {
    for (const revives of [true, false]) {
      const starting = all.filter((execution) => {
        const plan = sendPlan(execution, revives);
        return plan.kind === 'send' && plan.run;
      });
      assert.deepEqual(starting, ['idle', 'paused', 'finished', 'error']);
    }
  });

  it('joins a working agent, and answers a waiting one first', () => {
    assert.deepEqual(sendPlan('running', true), { kind: 'send', run: false });
    assert.deepEqual(sendPlan('waiting_for_confirmation', true), { kind: 'rejectFirst' });
  });

  it('revives a stuck agent only where that works', () => {
    assert.deepEqual(sendPlan('stuck', true), { kind: 'send', run: false });
    assert.deepEqual(sendPlan('stuck', false), { kind: 'refuse', state: 'stuck' });
  });

  it('refuses where the state isn’t known', () => {
    for (const execution of ['unknown', 'deleting'] as const)
      assert.deepEqual(sendPlan(execution, true), { kind: 'refuse', state: execution });
  });

  it('never runs a working or waiting agent afterwards', () => {
    assert.deepEqual(all.filter(runsAfterwards), ['idle']);
    assert.deepEqual(all.filter(canGoOn), ['idle', 'paused', 'error']);
  });

  it('is told to people', () => {
    assert.deepEqual(
      all.map((execution) => sendEffect(execution, 'none', false)),
      ['starts', 'joins', 'starts', 'rejects', 'starts', 'starts', 'impossible', 'impossible', 'impossible'],
    );
    assert.deepEqual(
      limitSchema.options.map((limit) => sendEffect('idle', limit, true)),
      [
        'starts',
        'impossible',
        'resumes',
        'impossible',
        'impossible',
        'impossible',
        'impossible',
        'starts',
        'impossible',
        'impossible',
        'impossible',
      ],
    );
  });
});
