import assert from 'node:assert/strict';
import { Refusal } from '../../../src/core/basics/refusal';
import { alone } from '../../../src/features/live/model/alone';
import { settled } from '../../support/settled';

const origin = 'https://one.example';

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
    const slow = alone(lock, origin, 'one', () => {
      begun.push('slow');
      return new Promise<void>((_resolve, reject) => (fail = reject));
    });
    const quick = (name: string) => () => Promise.resolve(begun.push(name));
    const waiting = alone(lock, origin, 'one', quick('waiting'));
    await alone(lock, origin, 'two', quick('other'));
    await settled();
    assert.deepEqual(begun, ['slow', 'other']);
    fail(new Error('boom'));
    await assert.rejects(slow, /boom/);
    await waiting;
    assert.deepEqual([begun, lock.held.size], [['slow', 'other', 'waiting'], 0]);
  });

  it('is refused while another window keeps it, however its ID is written', async () => {
    const { take, held } = impatientLock();
    const names: string[] = [];
    const lock = { take: (name: string) => take((names[names.length] = name)) };
    const id = '0a1b2c3d-4e5f-6071-8293-a4b5c6d7e8f9';
    const ids = [id, id.toUpperCase(), id.replaceAll('-', '')];
    for (const id of ids) await alone(lock, origin, id, () => Promise.resolve());
    held.add(names[0] ?? assert.fail());
    const work = () => Promise.reject(new Error('not alone'));
    for (const id of ids) await assert.rejects(alone(lock, origin, id, work), Refusal);
  });
});
