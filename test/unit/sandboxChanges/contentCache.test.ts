import assert from 'node:assert/strict';
import { ContentCache } from '../../../src/features/sandboxChanges/model/contentCache';

describe('contents that are held', () => {
  const bytes = (count: number) => new Uint8Array(count);
  let cache: ContentCache;
  beforeEach(() => (cache = new ContentCache(10)));
  const held = () => ['a', 'b', 'c', 'd'].filter((oid) => cache.get(oid) !== undefined).join('');

  it('are found by their hashes', () => {
    const content = bytes(4);
    cache.set('a', content);
    assert.equal(cache.get('a'), content);
    assert.equal(cache.get('b'), undefined);
  });

  it('give way when there are too many bytes, those first that weren’t used for the longest time', () => {
    for (const oid of ['a', 'b', 'c']) cache.set(oid, bytes(3));
    assert.equal(held(), 'abc');
    cache.get('a');
    cache.set('d', bytes(1));
    assert.equal(held(), 'abcd');
    cache.get('a');
    cache.set('d', bytes(2));
    assert.equal(held(), 'acd');
  });

  it('may take all of the space, and no more', () => {
    cache.set('a', bytes(10));
    cache.set('b', bytes(11));
    assert.equal(held(), 'a');
    cache.set('c', bytes(10));
    assert.equal(held(), 'c');
  });

  it('are counted once when they come again', () => {
    cache.set('a', bytes(5));
    cache.set('a', bytes(5));
    cache.set('b', bytes(5));
    assert.equal(held(), 'ab');
    cache.set('a', bytes(11));
    assert.equal(held(), 'b');
    cache.set('c', bytes(5));
    assert.equal(held(), 'bc');
  });
});
