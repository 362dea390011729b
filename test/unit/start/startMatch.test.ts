import assert from 'node:assert/strict';
import { conversationsOf } from '../../../src/features/start/model/startMatch';
import type { Start } from '../../../src/features/start/model/startTasks';
import { aConversation, aStart } from '../../support/builders/records';

const begunAt = Date.parse('2026-01-01T10:00:00Z');
const starting = (id: string, at: number = begunAt, sandboxId: string | undefined = 'sb-1') =>
  aStart({
    id,
    step: { kind: 'task', status: 'STARTING_CONVERSATION', detail: undefined, sandboxId, begunAt: at },
  });
const created = (id: string, seconds: number, values = {}) =>
  aConversation({ id, created_at: new Date(begunAt + seconds * 1000).toISOString(), ...values });

describe('conversation matching for starts', () => {
  const none: ReadonlySet<string> = new Set();

  it('finds the conversation that appears in the sandbox after the request', () => {
    const conversations = [
      created('before', -1),
      created('elsewhere', 2, { sandbox_id: 'sb-2' }),
      created('within', 2, { parent_conversation_id: 'before' }),
      created('own', 3),
    ];
    assert.deepEqual([...conversationsOf([starting('s-1')], conversations, none)], ['own']);
  });

  it('assigns each start in a sandbox its own conversation, the oldest ones, in whatever order they’re listed', () => {
    const starts = [starting('s-2', begunAt + 1000), starting('s-1')];
    const conversations = [created('second', 5), created('first', 4), created('third', 6)];
    for (const all of [starts, starts.toReversed()])
      assert.deepEqual([...conversationsOf(all, conversations, none)].sort(), ['first', 'second']);
  });

  it('takes a conversation of the very moment of the request', () => {
    assert.deepEqual([...conversationsOf([starting('s-1')], [created('own', 0)], none)], ['own']);
  });

  it('matches nothing to a start whose time isn’t known', () => {
    const undated = aStart({
      step: { kind: 'task', status: 'WORKING', detail: undefined, sandboxId: 'sb-1', begunAt: undefined },
    });
    assert.deepEqual([...conversationsOf([undated], [created('own', 3)], none)], []);
    const elsewhere = aConversation({ sandbox_id: undefined, created_at: new Date(begunAt).toISOString() });
    const unplaced = { ...undated, step: { ...undated.step, sandboxId: undefined, begunAt } } as Start;
    assert.deepEqual([...conversationsOf([unplaced], [elsewhere], none)], []);
  });

  it('ignores the conversations of finished starts', () => {
    const conversations = [created('done', 3)];
    assert.deepEqual([...conversationsOf([starting('s-1')], conversations, new Set(['done']))], []);
    const id = '01234567-89ab-cdef-0123-456789abcdef';
    const ended = new Set([id.replaceAll('-', '')]);
    assert.deepEqual([...conversationsOf([starting('s-1')], [created(id, 3)], ended)], []);
  });

  it('matches nothing to a start that failed or has no sandbox yet', () => {
    const conversations = [created('own', 3)];
    const failed = { ...starting('s-1'), failure: 'no' };
    const early = aStart({ step: { kind: 'creating' } });
    const undecided = aStart({
      step: { kind: 'task', status: 'WORKING', detail: undefined, sandboxId: undefined, begunAt },
    });
    assert.deepEqual([...conversationsOf([failed, early, undecided], conversations, none)], []);
  });
});
