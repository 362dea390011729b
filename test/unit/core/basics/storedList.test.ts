import assert from 'node:assert/strict';
import * as z from 'zod/mini';
import { StoredList } from '../../../../src/core/basics/storedList';

const schema = z.object({ id: z.string(), size: z.number() });

describe('a stored list', () => {
  let stored: unknown;
  const list = new StoredList(
    schema,
    { read: () => stored, write: (value) => (stored = value) },
    ({ id }) => id,
  );

  it('has the members that can be read, whatever else is stored', () => {
    stored = [{ id: 'a', size: 1 }, null, 'x', { id: 'b' }, { id: 'c', size: 3, added: true }];
    assert.deepEqual(list.all, [
      { id: 'a', size: 1 },
      { id: 'c', size: 3 },
    ]);
    for (stored of [undefined, null, 'x', { id: 'a', size: 1 }]) assert.deepEqual(list.all, []);
  });

  it('keeps the members of other versions after its own, and nothing that no version wrote', () => {
    const later = { id: 'b', size: { width: 1 } };
    stored = [later, { id: 'a', size: 1 }, null, 'x', 7];
    list.write([{ id: 'c', size: 3 }]);
    assert.deepEqual(stored, [{ id: 'c', size: 3 }, later]);
    list.write([]);
    assert.deepEqual(stored, [later]);
  });

  it('keeps what a later version added to a member, but not what was changed or removed', () => {
    stored = [
      { id: 'a', size: 1, color: 'red' },
      { id: 'b', size: 2, color: 'blue' },
      { id: 'c', size: 3 },
    ];
    assert.deepEqual(
      list.withUnreadable([
        { id: 'c', size: 3 },
        { id: 'a', size: 5 },
        { id: 'd', size: 4 },
      ]),
      [
        { id: 'c', size: 3 },
        { id: 'a', size: 5, color: 'red' },
        { id: 'd', size: 4 },
      ],
    );
  });

  it('is removed when it’s empty, and starts anew in place of anything else', () => {
    stored = [{ id: 'a', size: 1 }];
    list.write([]);
    assert.equal(stored, undefined);
    for (stored of [null, 'x', { id: 'b' }]) {
      list.write([{ id: 'a', size: 1 }]);
      assert.deepEqual(stored, [{ id: 'a', size: 1 }]);
    }
  });
});
