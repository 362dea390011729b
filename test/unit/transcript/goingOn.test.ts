import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import { type ActionEvent, goesOn, mayBeAnswered } from '../../../src/features/transcript';
import { aCommand, aMessage, anEvent, aRejection, aResult } from './events';

describe('an action whose answer may be an event that can’t be read', () => {
  const [before, action, unread, later, again] = [
    anEvent({ kind: 'unread', why: 'odd' }),
    aCommand('ls') as ActionEvent,
    anEvent({ kind: 'unread', why: 'large' }),
    aCommand('pwd'),
    anEvent({ kind: 'unread', why: 'odd' }),
  ] as const;
  const goings: [name: string, event: AgentEvent][] = [
    ['a result', aResult(later)],
    ['a rejection', aRejection(later, 'No')],
    ['a message of the agent', aMessage('Done', 'agent')],
  ];
  const others = [aMessage('Hi'), anEvent({ kind: 'paused' }), aCommand('top')];

  for (const [name, event] of goings)
    it(`may be answered if the agent went on after that: ${name}`, () => {
      assert.ok(goesOn(event));
      assert.ok(mayBeAnswered(action, [before, action, unread, event]));
      assert.ok(mayBeAnswered(action, [event, again, unread, action]), 'in any order');
      const early = { ...event, timestamp: action.timestamp };
      assert.ok(!mayBeAnswered(action, [action, early, unread]), 'the agent went on before');
      assert.ok(!mayBeAnswered(action, [before, action, event]), 'it came before the action');
      assert.ok(!mayBeAnswered(action, [action, event]));
    });

  it('isn’t answered by what the agent doesn’t wait for', () => {
    for (const event of others) assert.ok(!goesOn(event), event.kind);
    assert.ok(!mayBeAnswered(action, [before, action, unread, later, ...others]));
  });
});
