import assert from 'node:assert/strict';
import { conversationIcon } from '../../../../src/core/lists/stateIcons';
import {
  conversationStateWords,
  readableState,
  sandboxStateWords,
} from '../../../../src/core/lists/stateWords';

describe('the state of a conversation in words', () => {
  const states: [state: string, words: string | undefined][] = [
    ['idle', 'Idle'],
    ['running', 'Working'],
    ['paused', 'Paused'],
    ['waiting_for_confirmation', 'Waiting'],
    ['finished', 'Finished'],
    ['error', 'Failed'],
    ['stuck', 'Stuck'],
    ['new_state', 'New state'],
    ['sandbox:running', 'Sandbox running'],
    ['sandbox:PAUSED', 'Sandbox paused'],
    ['sandbox:starting', 'Sandbox starting…'],
    ['sandbox:error', 'Sandbox failed'],
    ['sandbox:missing', 'Sandbox missing'],
    ['sandbox:moving_house', 'Moving house'],
    ['sandbox:', undefined],
  ];
  for (const [state, words] of states) {
    it(`is “${words}” for ${state}`, () => assert.equal(conversationStateWords(state), words));
  }
});

describe('the state of a sandbox in words', () => {
  const created_at = '2026-01-01T10:00:00Z';
  const after = (minutes: number) => Date.parse(created_at) + minutes * 60_000;
  const states: [status: string | null, minutes: number, words: string][] = [
    ['RUNNING', 0, 'Running'],
    ['PAUSED', 0, 'Paused'],
    ['STARTING', 2.9, 'Starting…'],
    ['STARTING', 3, 'Slow to start'],
    ['MISSING', 0, 'Missing'],
    ['ERROR', 0, 'Failed'],
    ['MOVING_HOUSE', 0, 'Moving house'],
    ['', 0, 'State unknown'],
    [null, 0, 'State unknown'],
  ];
  for (const [status, minutes, words] of states) {
    it(`is “${words}” for ${status} after ${minutes} min`, () =>
      assert.equal(sandboxStateWords({ status, created_at }, after(minutes)), words));
  }
});

describe('an unknown state', () => {
  const states: [state: string, words: string][] = [
    ['SETTING_UP_2', 'Setting up 2'],
    ['setting_up', 'Setting up'],
    ['_LEADING_', 'Leading'],
    ['Mixed_Case', 'Mixed_Case'],
    ['two words', 'two words'],
    ['WITH-HYPHEN', 'WITH-HYPHEN'],
    ['UPPER then', 'UPPER then'],
    ['', ''],
  ];
  for (const [state, words] of states) {
    it(`reads “${words}” for ${JSON.stringify(state)}`, () => assert.equal(readableState(state), words));
  }
});

describe('the icon of a state', () => {
  it('is that of an unknown one for any word', () => {
    for (const execution_status of ['constructor', 'tostring', '__proto__', 'valueof', 'new'])
      assert.equal(conversationIcon({ id: 'c', execution_status }).name, 'comment-discussion');
    assert.equal(conversationIcon({ id: 'c', execution_status: 'FINISHED' }).name, 'pass');
  });
});
