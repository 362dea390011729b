import assert from 'node:assert/strict';
import { blobHash, hasHash } from '../../../src/features/sandboxChanges/model/blobHash';

const content = Buffer.from('né');
const sha1 = 'f827512543150ac67c941a07dcb3ccfc2a4c58c5';
const sha256 = 'ff65a6dcb58ab89b2c80a33d9b66f0ab657df749829c9ae34e7a528c8082a561';

describe('git’s hash of a file’s content', () => {
  it('is what git hash-object says, with either algorithm', () => {
    assert.equal(blobHash(content), sha1);
    assert.equal(blobHash(content, 'sha256'), sha256);
  });

  it('is compared in the algorithm that its length tells', () => {
    assert.ok(hasHash(content, sha1));
    assert.ok(hasHash(content, sha256));
    for (const other of ['', sha1.slice(1), sha256.slice(0, 40), sha1.toUpperCase()])
      assert.ok(!hasHash(content, other), other);
    assert.ok(!hasHash(Buffer.from('ne'), sha1));
  });
});
