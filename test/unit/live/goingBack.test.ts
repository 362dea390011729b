import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import { branch, goBack } from '../../../src/features/live/model/goingBack';
import { restingPlace } from '../../../src/features/transcript/model/restingPlace';
import { aCommand, aMessage, anEvent, aResult, aRejection } from '../transcript/events';
import { FakeDesk, requestError } from './fakeDesk';

/** Events one after the other, each naming the one before. */
function chained(...events: AgentEvent[]): AgentEvent[] {
  return events.map((event, at) => {
    const before = events[at - 1];
    return before ? { ...event, parent: before.id } : event;
  });
}

describe('where an agent continues after an entry', () => {
  it('is a message, where every action before has its answer', () => {
    const action = aCommand('ls');
    const events = chained(aMessage('Hi'), action, aResult(action), aMessage('Done', 'agent'));
    for (const at of [0, 3]) assert.equal(restingPlace(events, events[at]!.id), events[at]!.id);
  });

  it('is the answer of a step, and of all that it asked for at once', () => {
    const [one, other] = [aCommand('ls'), aCommand('pwd')];
    const events = chained(
      aMessage('Hi'),
      one,
      other,
      aResult(one),
      aRejection(other, 'No'),
      aMessage('Well', 'agent'),
    );
    for (const at of [1, 2, 3]) assert.equal(restingPlace(events, events[at]!.id), events[4]!.id, String(at));
  });

  it('is nowhere while an action has no answer: the next run would execute it', () => {
    const action = aCommand('rm -rf build');
    const open = chained(aMessage('Hi'), action);
    assert.equal(restingPlace(open, action.id), undefined);
    const superseded = chained(aMessage('Hi'), action, aMessage('Wait'));
    assert.equal(restingPlace(superseded, action.id), undefined);
    assert.equal(restingPlace(superseded, superseded[2]!.id), undefined);
  });

  it('follows the branch of the entry, past updates of the state', () => {
    const action = aCommand('ls');
    const [hi, asked] = chained(aMessage('Hi'), action);
    assert.ok(hi && asked);
    const left = { ...aResult(action), parent: 'elsewhere' };
    const update = { ...anEvent({ kind: 'hidden' }), parent: asked.id };
    const own = { ...aResult(action), parent: update.id };
    assert.equal(restingPlace([hi, asked, left, update, own], asked.id), own.id);
  });

  it('is nowhere if not everything before is known or can be read', () => {
    const [hi, well] = chained(aMessage('Hi'), aMessage('Well', 'agent'));
    assert.ok(hi && well);
    assert.equal(restingPlace([{ ...hi, parent: 'missing' }, well], well.id), undefined);
    assert.equal(restingPlace([hi, well], 'unknown'), undefined);
    const looped = [{ ...hi, parent: well.id }, well];
    assert.equal(restingPlace(looped, well.id), undefined);
    const unread = anEvent({ kind: 'unread', why: 'odd' } as unknown as Parameters<typeof anEvent>[0]);
    const events = chained(hi, unread, well);
    assert.equal(restingPlace(events, well.id), undefined);
  });
});

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
