import assert from 'node:assert/strict';
import {
  addressOf,
  addressOfList,
  conversationAt,
  placeOf,
} from '../../../src/features/targets/model/changePlace';

const version = { oid: 'ab', mode: '100644', size: 1 } as const;

describe('the address of changes', () => {
  it('names the conversation, for a file and for a list as a whole', () => {
    const id = 'a "quoted" id / 1';
    const at = { id, service: 'https://one.example' };
    const origin = { conversation: id, service: at.service, from: 'sandbox', root: '/w' } as const;
    const added = { path: 'a.ts', kind: 'added', before: null, after: version } as const;
    const file = addressOf(origin, added, 'after');
    assert.ok(file);
    const list = addressOfList(at, '//a/b\ud800', 'one');
    assert.deepEqual([conversationAt(file), conversationAt(list)], [at, at]);
    assert.deepEqual([placeOf(file)?.root, placeOf(list)], ['/w', undefined]);
    assert.notDeepEqual(list, addressOfList(at, '//a/b\ud800', 'two'));
    assert.equal(list.path, '/  a b\uFFFD');
  });

  it('has a path that the editor takes, wherever the folder is', () => {
    const origin = {
      conversation: 'c',
      service: 'https://one.example',
      from: 'sandbox',
      root: '/w',
    } as const;
    const added = { path: '//src//a\ud800.ts', kind: 'added', before: null, after: version } as const;
    for (const folder of ['', 'shop', '/shop', '///shop']) {
      const path = addressOf(origin, added, 'after', folder)?.path;
      assert.match(path ?? '', /^\/(?:shop\/+)?src\/\/a\uFFFD\.ts$/, folder);
    }
  });

  it('is none for a side that isn’t there', () => {
    const origin = {
      conversation: 'c',
      service: 'https://one.example',
      from: 'sandbox',
      root: '/w',
    } as const;
    const [added, deleted] = [
      { path: 'a', kind: 'added', before: null, after: version } as const,
      { path: 'a', kind: 'deleted', before: version, after: null } as const,
    ];
    assert.deepEqual(
      [addressOf(origin, added, 'before'), addressOf(origin, deleted, 'after')],
      [undefined, undefined],
    );
    assert.ok(addressOf(origin, deleted, 'before'));
  });

  it('names no service if an earlier version made it', () => {
    const query = JSON.stringify({ conversation: 'c', list: 'one' });
    assert.deepEqual(conversationAt({ query }), { id: 'c', service: undefined });
  });

  it('names none if it’s forged', () => {
    for (const query of ['', '{', '{}', 'null', '[]', '"a"', '{"conversation":1}'])
      assert.equal(conversationAt({ query }), undefined, query);
  });
});
