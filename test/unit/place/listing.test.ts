import assert from 'node:assert/strict';
import { parseEachListing } from '../../../src/features/place/model/listing';

const each = (text: string) => parseEachListing(Buffer.from(text));

describe('listings of several folders', () => {
  it('are read up to what isn’t an answer', () => {
    const found = each('same\n0 3 12 3\nabc2 0\n0 0 \n');
    assert.deepEqual(
      found.map((one) => (typeof one === 'object' ? [Buffer.from(one.answer).toString(), one.sum] : one)),
      ['same', ['abc', '12 3'], undefined, ['', '']],
    );
    // Each of these was read again and again, until no memory was left.
    for (const text of ['', 'same', '0 -3\n', '0 3', 'a b c\n', '0 1e1\n', '\0'.repeat(100)])
      assert.deepEqual(each(text), [], JSON.stringify(text));
    assert.deepEqual(each('same\n0 -9\n0 3 1\nabc'), ['same']);
  });
});
