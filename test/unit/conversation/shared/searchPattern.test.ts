import assert from 'node:assert/strict';
import fc from 'fast-check';
import { searchPattern } from '../../../../src/features/conversation/shared/searchPattern';

describe('what a search in a transcript finds', () => {
  const found = (text: string, ...search: Parameters<typeof searchPattern>) =>
    [...text.matchAll(searchPattern(...search) ?? /^\b$/g)].map(([match]) => match);

  it('is nothing for a query without words', () => {
    for (const query of ['', ' ', '\n']) assert.equal(searchPattern(query, {}), undefined);
  });

  it('is whole words in any script, also next to punctuation', () => {
    const whole = { wholeWord: true };
    assert.deepEqual(found('größe Größen (GRÖSSE) größe2 größe_a größe', 'größe', whole), ['größe', 'größe']);
    assert.deepEqual(found('see (a+b), a+bc', 'a+b', whole), ['a+b']);
    assert.deepEqual(found('слово, слова', 'слово', whole), ['слово']);
  });

  it('is any query taken literally', () => {
    const query = fc.string({ unit: 'grapheme', minLength: 1, maxLength: 20 });
    fc.assert(
      fc.property(query, query, (wanted, around) => {
        fc.pre(wanted.trim() !== '');
        const pattern = searchPattern(wanted, { matchCase: true });
        assert.ok(pattern && `${around} ${wanted} ${around}`.search(pattern) >= 0);
      }),
    );
  });
});
