import assert from 'node:assert/strict';
import { beginning, wellFormed } from '../../../src/shared/wellFormed';

const smile = '\u{1f600}';

describe('a well-formed text', () => {
  it('has a mark for each half of a character', () => {
    for (const [text, whole] of [
      ['', ''],
      [`a${smile}b`, `a${smile}b`],
      [`a${smile[0]}`, 'a\ufffd'],
      [`${smile[1]}${smile}${smile[0]}b`, `\ufffd${smile}\ufffdb`],
    ] as const)
      assert.equal(wellFormed(text), whole);
  });
});

describe('the beginning of a text', () => {
  it('has no more than a given number of code units, and no half of a character', () => {
    for (const [text, most, start] of [
      ['abc', 3, 'abc'],
      ['abcd', 3, 'abc'],
      [`ab${smile}`, 3, 'ab'],
      [`ab${smile}`, 4, `ab${smile}`],
      [`a${smile}${smile}`, 3, `a${smile}`],
      [smile.repeat(500), 999, smile.repeat(499)],
      ['', 0, ''],
      [smile, 1, ''],
    ] as const)
      assert.equal(beginning(text, most), start, `${text.length} ${most}`);
  });
});
