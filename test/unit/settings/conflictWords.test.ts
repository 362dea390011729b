import assert from 'node:assert/strict';
import type { Json } from '../../../src/shared/json';
import { presenceWords, valueWords } from '../../../src/features/settings/model/conflicts';

describe('settings: values in words', () => {
  it('tell apart what is empty, what is the default, and one argument from several', () => {
    const values: Json[] = [
      null,
      true,
      false,
      '',
      0,
      [],
      [''],
      ['a', 'b'],
      ['a b'],
      ['a"b'],
      ['"a"'],
      [null],
    ];
    assert.equal(new Set(values.map(valueWords)).size, values.length);
  });

  it('show an argument as it is where nothing else can be meant', () => {
    assert.equal(valueWords(['-y', 'tool']), '-y tool');
    assert.equal(valueWords(['a b', '', 'say "hi"']), '"a b" "" "say \\"hi\\""');
    assert.equal(valueWords([1, null, [2]]), '1 null [2]');
    assert.equal(valueWords([]), 'None');
  });

  it('tell a secret that may be there from one that is and one that isn’t', () => {
    const words = (['set', 'notSet', 'unknown'] as const).map(presenceWords);
    assert.deepEqual(words, ['Set', 'Not set', 'Unknown']);
  });
});
