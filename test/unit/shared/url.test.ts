import assert from 'node:assert/strict';
import { parseUrl } from '../../../src/shared/url';

describe('parseUrl', () => {
  it('reads whole addresses, and others from where they stand', () => {
    assert.equal(parseUrl('https://a.example/b')?.pathname, '/b');
    assert.equal(parseUrl('../c', new URL('https://a.example/b/d'))?.href, 'https://a.example/c');
    assert.equal(parseUrl('../c'), undefined);
    assert.equal(parseUrl('https://'), undefined);
  });

  it('reads the same the ten thousandth time', () => {
    for (let count = 0; count < 10_000; count += 1)
      assert.equal(parseUrl('https://bücher.example')?.hostname, 'xn--bcher-kva.example');
  });
});
