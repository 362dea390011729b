import assert from 'node:assert/strict';
import { exposedCode } from '../../../src/shared/exposedCode';
import { everyCase } from '../../support/everyCase';

describe('letters and digits of a command', () => {
  it('are shown as they are in scripts that stand in words with plain letters', () =>
    everyCase(
      [
        ['Latin', ['é', 'ør', 'ls']],
        ['Greek', ['Δ', 'λω']],
        ['Cyrillic', ['я', 'юл']],
        ['Bopomofo', ['ㄅ', 'ㄆㄇ']],
        ['no script', ['5', '12', 'µ']],
        ['letters with marks', ['e\u0301', 'λ\u0308']],
        ['Han', ['漢', '字書']],
        ['Hiragana', ['の', 'ます']],
        ['Katakana', ['カ', 'タナ']],
        ['Hangul', ['한', '국어']],
      ] as const,
      ([script]) => script,
      ([, words]) => {
        // Each by itself: beside others of its script, none passes for a sign.
        for (const word of words)
          for (const text of [word, `echo ${word} && ls`, `a${word}b`]) assert.equal(exposedCode(text), text);
      },
    ));

  it('are codes in any other script where they stand alone, since they could pass for signs', () =>
    everyCase(
      [
        ['Arabic', 'ls \u0627 sh', 'ls ‹U+0627› sh'],
        ['Hebrew', 'ls \u05d5 sh', 'ls ‹U+05D5› sh'],
        ['Devanagari', 'rm \u0966/', 'rm ‹U+0966›/'],
        ['Thai', 'a\u0e51b', 'a‹U+0E51›b'],
        ['Cherokee', '\u13aa', '‹U+13AA›'],
      ] as const,
      ([script]) => script,
      ([, text, shown]) => assert.equal(exposedCode(text), shown),
    ));
});
