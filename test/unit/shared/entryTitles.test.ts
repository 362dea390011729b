import assert from 'node:assert/strict';
import { isDecision, senderWords, separatorTitle, thoughtTitle } from '../../../src/shared/entryTitles';
import type { Entry } from '../../../src/shared/transcript';

type Separator = Extract<Entry, { kind: 'separator' }>;

const separator = (what: Separator['what'], more: Partial<Separator> = {}): Separator => ({
  ...{ kind: 'separator', id: 's', at: 0, what, text: '' },
  ...more,
});

describe('the title of a separator', () => {
  for (const [what, more, title] of [
    ['approved', {}, '1 action approved'],
    ['approved', { count: 2 }, '2 actions approved'],
    ['approved', { count: 1, isMine: true }, 'You approved 1 action'],
    ['approved', { count: 2, isMine: true }, 'You approved 2 actions'],
    ['rejected', {}, '1 action rejected'],
    ['rejected', { count: 3, isMine: false }, '3 actions rejected'],
    ['rejected', { isMine: true }, 'You rejected 1 action'],
    ['rejected', { count: 3, isMine: true }, 'You rejected 3 actions'],
    ['goalRound', { count: 2 }, 'Goal not reached yet after round 2'],
    ['goalReached', { count: 1 }, 'Goal reached in 1 round'],
    ['goalReached', { count: 2 }, 'Goal reached in 2 rounds'],
    ['goalMissed', { count: 1 }, 'Goal not reached in 1 round'],
    ['goalMissed', {}, 'Goal not reached in 0 rounds'],
    ['listening', { port: 3000 }, 'Listening on 3000'],
    ['start', { text: 'Getting the sandbox ready' }, 'Getting the sandbox ready'],
  ] as const)
    it(`is “${title}” for ${what} with ${JSON.stringify(more)}`, () =>
      assert.equal(separatorTitle(separator(what, more)), title));

  it('tells who decided only where somebody did', () => {
    assert.deepEqual(
      (['approved', 'rejected', 'paused', 'goalReached'] as const).map((what) => isDecision(separator(what))),
      [true, true, false, false],
    );
  });
});

describe('a message', () => {
  it('has a sender, and a thought of the agent or what was added for it', () => {
    const senders = ['user', 'agent', 'environment'] as const;
    assert.deepEqual(
      senders.map((from) => `${senderWords[from]()}: ${thoughtTitle(from)}`),
      ['You: Added for the agent', 'Agent: Thought', 'Sandbox: Added for the agent'],
    );
  });
});
