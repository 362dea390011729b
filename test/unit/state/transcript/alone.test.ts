import assert from 'node:assert/strict';
import { Refusal } from '../../../../src/state/basics/refusal';
import { alone } from '../../../../src/state/transcript/alone';
import { settled } from '../../../support/settled';

/** A lock that nobody waits for: who finds it held is refused. */
function impatientLock() {
  const held = new Set<string>();
  return {
    held,
    take: (name: string) => {
      if (held.has(name)) return Promise.resolve(undefined);
      held.add(name);
      return Promise.resolve({ isHeld: () => true, release: () => held.delete(name) });
    },
  };
}

describe('changing a conversation alone', () => {
  it('waits for what this window does with it, however that ends, and for nothing else', async () => {
    const lock = impatientLock();
    const begun: string[] = [];
    let fail: (error: Error) => void = () => undefined;
    const slow = alone(lock, 'one', () => {
      begun.push('slow');
      return new Promise<void>((_resolve, reject) => (fail = reject));
    });
    const quick = (name: string) => () => Promise.resolve(begun.push(name));
    const waiting = alone(lock, 'one', quick('waiting'));
    await alone(lock, 'two', quick('other'));
    await settled();
    assert.deepEqual(begun, ['slow', 'other']);
    fail(new Error('boom'));
    await assert.rejects(slow, /boom/);
    await waiting;
    assert.deepEqual([begun, lock.held.size], [['slow', 'other', 'waiting'], 0]);
  });

  it('is refused while another window keeps it', async () => {
    const lock = impatientLock();
    lock.held.add('one');
    const work = () => Promise.reject(new Error('not alone'));
    await assert.rejects(alone(lock, 'one', work), Refusal);
  });
});
