import assert from 'node:assert/strict';
import { letterOf } from '../../../../src/core/kit/keys';
import { costWords, numberWords, shortNumber, spanWords } from '../../../../src/core/kit/numbers';
import { drawn } from '../../../support/drawn';

describe('numbers on pages', () => {
  const textOf = (words: () => string) => drawn(words).text;

  it('have the separators of the page’s language, and decimal places only where they say something', () => {
    assert.equal(
      textOf(() => numberWords(1_234_567.4)),
      '1,234,567',
    );
    assert.deepEqual(
      [999, 12_345, 1_250_000].map((number) => textOf(() => shortNumber(number))),
      ['999', '12.3K', '1.3M'],
    );
    assert.deepEqual(
      [0, 1.5, 1234.567].map((cost) => textOf(() => costWords(cost))),
      ['$0.00', '$1.50', '$1,234.57'],
    );
  });

  for (const [ms, words] of [
    [-5_000, '0 s'],
    [940, '0.9 s'],
    [9_940, '9.9 s'],
    [10_900, '10 s'],
    [59_999, '59 s'],
    [60_000, '1 min 0 s'],
    [3_599_999, '59 min 59 s'],
    [3_600_000, '1 h 0 min'],
    [90_059_999, '25 h 0 min'],
    [93_540_000, '25 h 59 min'],
  ] as const)
    it(`say ${words} for ${ms} ms`, () =>
      assert.equal(
        textOf(() => spanWords(ms)),
        words,
      ));
});

describe('the letter of a key', () => {
  for (const [key, code, letter] of [
    ['z', 'KeyY', 'z'],
    ['S', 'KeyS', 's'],
    ['ы', 'KeyS', 's'],
    ['Dead', 'KeyN', 'n'],
  ] as const)
    it(`is “${letter}” for ${key} on ${code}`, () =>
      assert.equal(letterOf({ key, code } as KeyboardEvent), letter));
});
