import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTranslation } from '../../../src/editor/translations';
import { byEnglish, numberOf } from '../../../src/shared/texts';
import { packTranslations } from '../../../l10n/pack.mjs';

describe('a packed translation', () => {
  let folder: string;
  const texts = path.join('dist', 'l10n');
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'translations-'));
    const byLanguage = {
      de: { Yes: 'Ja', 'Start {0}': '{0} starten' },
      ja: { No: 'いいえ', Yes: 'はい' },
    };
    await packTranslations(path.join(folder, texts), byLanguage, numberOf);
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has each text under its English, and only what is translated', () => {
    const inLanguage = (language: string) => {
      const found = byEnglish(readTranslation(folder, language) ?? {});
      return ['Yes', 'No', 'Start {0}', 'toString', ''].map((text) => found[text]);
    };
    assert.deepEqual(inLanguage('de'), ['Ja', undefined, '{0} starten', undefined, undefined]);
    assert.deepEqual(inLanguage('ja'), ['はい', 'いいえ', undefined, undefined, undefined]);
  });

  it('isn’t made of texts that would have the same number', async () => {
    const twins = { de: { Yes: 'Ja', No: 'Nein' } };
    await assert.rejects(
      packTranslations(path.join(folder, texts), twins, () => 7),
      /Reword.*Yes.*No|Reword.*No.*Yes/,
    );
  });

  it('is missing in other languages', () => {
    assert.equal(readTranslation(folder, 'en'), undefined);
  });

  it('is English if its file can’t be read', () => {
    writeFileSync(path.join(folder, texts, 'fr.json.br'), 'not packed');
    assert.equal(readTranslation(folder, 'fr'), undefined);
  });
});
