import assert from 'node:assert/strict';
import type { AgentEvent } from '../../../src/api/events/event';
import { Branches } from '../../../src/features/transcript';
import { anEvent } from './events';

/** Events as `id` or `id parent`. */
const read = (...events: string[]) => {
  const branches = new Branches();
  for (const [id = '', parent] of events.map((event) => event.split(' ')))
    branches.add({ ...anEvent({ kind: 'paused' }, { id }), ...(parent !== undefined && { parent }) });
  return branches;
};
const unread = (id: string): AgentEvent => anEvent({ kind: 'unread', why: 'odd' }, { id });

describe('the branches of a conversation', () => {
  it('that were left don’t lead to the event from which the agent continues', () => {
    const branches = read('a', 'b a', 'c b', 'x a', 'y x');
    const left = (leaf: string) => ['a', 'b', 'c', 'x', 'y'].filter((id) => branches.hasLeft(id, leaf));
    assert.deepEqual(
      [left('c'), left('y'), left('a')],
      [
        ['x', 'y'],
        ['b', 'c'],
        ['b', 'c', 'x', 'y'],
      ],
    );
  });

  it('grow with each event, also after one was looked for', () => {
    const branches = read('a', 'b a', 'x a');
    assert.equal(branches.hasLeft('x', 'c'), false);
    branches.add({ ...anEvent({ kind: 'paused' }, { id: 'c' }), parent: 'b' });
    assert.equal(branches.hasLeft('x', 'c'), true);
  });

  it('haven’t left an event for certain whose place isn’t known', () => {
    // What comes before it wasn’t read yet, comes in a circle, can’t be read, or begins elsewhere.
    const branches = read(
      'a',
      'b a',
      'later earlier',
      'one two',
      'two one',
      'after large',
      'z',
      'apart z',
      'old',
    );
    branches.add(unread('large'));
    for (const id of ['later', 'one', 'after', 'apart', 'old', 'unknown'])
      assert.equal(branches.hasLeft(id, 'b'), false, id);
    for (const leaf of ['later', 'one', 'after', 'apart', 'unknown'])
      assert.equal(branches.hasLeft('b', leaf), false, leaf);
  });

  it('lead to the start where each event before is known', () => {
    const branches = read(
      'a',
      'b a',
      'c b',
      'later earlier',
      'one two',
      'two one',
      'after large',
      'end deep',
    );
    branches.add(unread('large'));
    branches.add({ ...unread('deep'), parent: 'c' });
    const all = ['a', 'c', 'end', 'later', 'one', 'after', 'unknown'];
    assert.deepEqual(
      all.filter((id) => branches.leadsToStart(id)),
      ['a', 'c', 'end'],
    );
  });

  it('exist where a release names an event’s parent', () => {
    assert.deepEqual(
      [read().hasParents, read('a', 'b').hasParents, read('a', 'b a', 'c').hasParents],
      [false, false, true],
    );
  });
});
