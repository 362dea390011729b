import assert from 'node:assert/strict';
import { excerpt, folded, hasAll, wordsOf } from '../../../src/features/search/model/search';

describe('words of a search', () => {
  const cases: [text: string, query: string, isFound: boolean][] = [
    ['Rounding at the Checkout', 'checkout ROUNDING', true],
    ['Rounding at the Checkout', 'checkout missing', false],
    ['Crème brûlée', 'creme brulee', true],
    ['Creme brulee', 'CRÈME', true],
    ['İstanbul', 'istanbul', true],
    ['Straße', 'straße', true],
    ['Straße', 'STRASSE', true],
    ['STRASSE STRAẞE', 'straße', true],
    ['ΣΟΦΟΣ', 'σοφος', true],
    ['σοφός', 'ΣΟΦΌΣ', true],
    ['σοφόσ.', 'σοφός', true],
    ['𝐍𝐞𝐞𝐝𝐥𝐞 ℕ', 'needle n', true],
    ['ＮＥＥＤＬＥ', 'needle', true],
    ['ｶﾞｷﾞ', 'ガギ', true],
    ['각', '\u1100\u1161\u11a8', true],
    ['300 K', '300 k', true],
    ['שלום עולם', 'עולם', true],
    ['שָׁלוֹם', 'שלום', true],
    ['مَرْحَبًا بالعالم', 'مرحبا', true],
    ['注文の丸め誤差を直す', '丸め誤差', true],
    ['修复结账时的舍入错误', '舍入', true],
    ['가격', '가겨', false],
    ['かき', 'がき', false],
    ['ﬁle Ａ１', 'file a1', true],
    ['a.*b (c', '.* (c', true],
    ['x\u0301'.repeat(10_000), 'xx', true],
    ['the \u202enee\u200edle\u202c', 'needle', true],
    ['the needle', 'nee\u2066dle\u200b', true],
    ['', 'a', false],
  ];
  for (const [text, query, isFound] of cases)
    it(`are ${isFound ? '' : 'not '}found: ${query} in ${text.slice(0, 20)}`, () => {
      assert.equal(hasAll(text, wordsOf(query)), isFound);
    });

  it('are none without a letter, never repeated, and never too many', () => {
    assert.deepEqual(wordsOf('\u200e \u202e'), []);
    assert.deepEqual(wordsOf(' \n\t　'), []);
    assert.deepEqual(wordsOf('a A á b'), ['a', 'b']);
    assert.equal(wordsOf(Array.from({ length: 1_000 }, (_, at) => `w${at}`).join(' ')).length, 20);
  });

  it('are shown with what is around the first of them', () => {
    const long = `${'é'.repeat(300)} the needle ${'x'.repeat(300)}`;
    const shown = excerpt(`first line\n${long}`, wordsOf('needle'));
    assert.match(shown, /^….*the needle x+…$/);
    assert.ok(Array.from(shown).length <= 160);
    assert.equal(excerpt('one\ntwo words\nthree', wordsOf('three WORDS')), 'two words');
    assert.equal(excerpt('two words\nand words', wordsOf('two words')), 'two words');
    assert.equal(excerpt('none\nwords\nwords again', wordsOf('words')), 'words');
    assert.equal(excerpt('no such\u202e word', wordsOf('x')), 'no such word');
  });

  it('are shown where they are in the text, whatever their form for comparing is as long as', () => {
    assert.equal(excerpt(`${'ﬁ'.repeat(40)} needle`, wordsOf('needle')), `${'ﬁ'.repeat(40)} needle`);
    const decomposed = 'e\u0301';
    const shown = excerpt(`${decomposed.repeat(80)}needle`, wordsOf('needle'));
    assert.equal(shown, `…${decomposed.repeat(20)}needle`);
  });

  it('never cut a character in two', () => {
    for (let length = 55; length < 75; length += 1) {
      const shown = excerpt(`${'😀'.repeat(length)}needle`, ['needle']);
      assert.doesNotMatch(shown, /\p{Cs}/u);
    }
  });

  it('compare the same after folding twice', () => {
    for (const [text] of cases) assert.equal(folded(folded(text)), folded(text));
  });
});
