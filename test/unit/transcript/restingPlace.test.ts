import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import { restingPlace } from '../../../src/features/transcript';
import { aCommand, aMessage, anAction, anEvent, aRejection, aResult } from './events';

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

  it('is where all that it asked for has its answer, also an error or one that can’t be read', () => {
    const [one, other] = ['c1', 'c2'].map((callId) => anAction('X', {}, { callId }));
    const error = anEvent({ kind: 'toolError', callId: 'c1', tool: 'x', error: 'No' });
    const unread = anEvent({ kind: 'unread', why: 'large', actionId: other!.id });
    const events = chained(aMessage('Hi'), one!, other!, error, unread, aMessage('Well', 'agent'));
    for (const at of [1, 2, 3, 4]) assert.equal(restingPlace(events, events[at]!.id), unread.id, String(at));
    const stray = anEvent({ kind: 'toolError', callId: 'c3', tool: 'x', error: 'No' });
    assert.equal(restingPlace(chained(aMessage('Hi'), one!, stray), one!.id), undefined);
  });

  it('counts what the branch did before servers named parents', () => {
    const action = aCommand('ls');
    const before = [aMessage('Hi'), action];
    const [root, next] = chained(aMessage('Go on'), aMessage('Well', 'agent'));
    assert.equal(restingPlace([...before, root!, next!], next!.id), undefined);
    assert.equal(restingPlace([...before, aResult(action), root!, next!], next!.id), next!.id);
    // What comes later without a parent isn’t before it.
    assert.equal(restingPlace([root!, next!, ...before], next!.id), next!.id);
    const elsewhere = { ...action, parent: 'elsewhere' };
    assert.equal(restingPlace([elsewhere, root!, next!], next!.id), next!.id);
  });

  it('follows each update of the state on the branch', () => {
    const action = aCommand('ls');
    const [hi, asked] = chained(aMessage('Hi'), action);
    const hidden = (parent: string) => ({ ...anEvent({ kind: 'hidden' }), parent });
    const [first, second] = [hidden(asked!.id), hidden(asked!.id)];
    for (const parent of [asked!, first, second]) {
      const own = { ...aResult(action), parent: parent.id };
      assert.equal(restingPlace([hi!, asked!, first, second, own], asked!.id), own.id);
    }
  });
});
