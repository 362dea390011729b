import assert from 'node:assert/strict';
import { addressOf, addressOfList, conversationAt, placeOf } from '../../../../src/state/changes/changePlace';

const version = { oid: 'ab', mode: '100644', size: 1 } as const;

describe('the address of changes', () => {
  it('names the conversation, for a file and for a list as a whole', () => {
    const id = 'a "quoted" id / 1';
    const origin = { conversation: id, from: 'sandbox', root: '/w' } as const;
    const added = { path: 'a.ts', kind: 'added', before: null, after: version } as const;
    const file = addressOf(origin, added, 'after');
    assert.ok(file);
    const list = addressOfList(id, '//a/b\ud800', 'one');
    assert.deepEqual([conversationAt(file), conversationAt(list)], [id, id]);
    assert.deepEqual([placeOf(file)?.root, placeOf(list)], ['/w', undefined]);
    assert.notDeepEqual(list, addressOfList(id, '//a/b\ud800', 'two'));
    assert.equal(list.path, '/  a b\uFFFD');
  });

  it('names none if it’s forged', () => {
    for (const query of ['', '{', '{}', 'null', '[]', '"a"', '{"conversation":1}'])
      assert.equal(conversationAt({ query }), undefined, query);
  });
});
