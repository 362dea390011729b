import assert from 'node:assert/strict';
import { branch, goBack } from '../../../src/features/live/model/goingBack';
import { aMessage } from '../transcript/events';
import { FakeDesk, requestError } from './fakeDesk';

describe('going back and branching', () => {
  const message = aMessage('Hi');
  const inState = (state: FakeDesk['states'][number]) => {
    const desk = new FakeDesk();
    desk.states = [state];
    desk.features = { branches: true };
    desk.events = [message];
    return desk;
  };

  it('tell the server the event', async () => {
    for (const state of ['idle', 'finished', 'paused', 'error'] as const) {
      const desk = inState(state);
      assert.deepEqual(await goBack(desk, message.id), { kind: 'done' });
      assert.equal(await branch(desk, message.id, 'Hi (branch)'), 'forked');
      assert.deepEqual(desk.changes, [`navigate ${message.id}`, `fork ${message.id} Hi (branch)`]);
      assert.ok(desk.calls.includes('alone c'));
    }
  });

  it('are refused while the agent works or waits, which the folder would be shared with', async () => {
    for (const state of ['running', 'waiting_for_confirmation'] as const) {
      const desk = inState(state);
      assert.equal((await goBack(desk, message.id)).kind, 'refused');
      await assert.rejects(branch(desk, message.id, 'Hi'), /agent is/);
      assert.deepEqual(desk.changes, []);
    }
  });

  it('are refused on releases and for agents that can’t, and without proof that all is known', async () => {
    const desks = ['idle', 'idle', 'idle'].map(() => inState('idle'));
    desks[0]!.features = {};
    desks[1]!.policy = 'itself';
    desks[2]!.proof = 'missing';
    for (const desk of desks) {
      const { kind } = await goBack(desk, message.id);
      assert.equal(kind, 'refused');
      await assert.rejects(branch(desk, message.id, 'Hi'));
      assert.deepEqual(desk.changes, []);
    }
  });

  it('say when it isn’t known whether the agent went back', async () => {
    const desk = inState('idle');
    desk.failures.navigate = requestError(true);
    assert.equal((await goBack(desk, message.id)).kind, 'unknown');
    assert.equal(desk.looks, 1);
  });
});
