import assert from 'node:assert/strict';
import * as l10n from '@vscode/l10n';
import { asSentence, nameList, quotedNames, sentences } from '../../../src/shared/joined';

describe('joined text', () => {
  afterEach(() => l10n.config({ contents: {} }));

  it('follows English without a translation, and omits empty parts', () => {
    assert.equal(sentences('It failed.', '', 'Try again.'), 'It failed. Try again.');
    assert.equal(nameList(['a', 'b', 'c']), 'a, b, c');
    assert.equal(nameList([]), '');
    assert.equal(nameList(['a', '', 'b']), 'a, b');
    assert.equal(sentences('{1}', '{0}'), '{1} {0}');
  });

  it('quotes names, and counts those that are too many', () => {
    assert.equal(quotedNames(['a', 'b']), '“a”, “b”');
    assert.equal(quotedNames(['a', 'b', 'c', 'd'], 3), '“a”, “b”, “c” and 1 more');
  });

  it('follows the language of the window', () => {
    l10n.config({ contents: { '{0} {1}': '{0}{1}', '{0}, {1}': '{0}、{1}' } });
    assert.equal(
      sentences('失敗しました。', 'もう一度お試しください。'),
      '失敗しました。もう一度お試しください。',
    );
    assert.equal(
      sentences('サービスの応答: “no”', '変更はありません。'),
      'サービスの応答: “no” 変更はありません。',
    );
    assert.equal(sentences('“。” fehlt.', 'Nein。', 'Ja'), '“。” fehlt. Nein。Ja');
    assert.equal(nameList(['a', 'b', 'c']), 'a、b、c');
  });

  it('ends a sentence once in any language', () => {
    assert.equal(asSentence('No room left'), 'No room left.');
    assert.equal(asSentence('No. 5 is gone'), 'No. 5 is gone.');
    for (const text of ['No room left.', 'Why?', 'Wait…', '没有空间了。', '失敗しました！', '続けますか？']) {
      assert.equal(asSentence(text), text);
    }
  });
});
