import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { readTranslation } from '../../../src/editor/translations';
import { packTranslations } from '../../../l10n/pack.mjs';

describe('a packed translation', () => {
  let folder: string;
  const texts = path.join('dist', 'l10n');
  before(async () => {
    folder = mkdtempSync(path.join(tmpdir(), 'translations-'));
    await packTranslations(path.join(folder, texts), {
      de: { Yes: 'Ja', 'Start {0}': '{0} starten' },
      ja: { No: 'いいえ', Yes: 'はい' },
    });
  });
  after(() => rmSync(folder, { recursive: true }));

  it('has each text under its English, and only what is translated', () => {
    assert.deepEqual(readTranslation(folder, 'de'), { Yes: 'Ja', 'Start {0}': '{0} starten' });
    assert.deepEqual(readTranslation(folder, 'ja'), { Yes: 'はい', No: 'いいえ' });
  });

  it('is missing in other languages', () => {
    assert.equal(readTranslation(folder, 'en'), undefined);
  });

  it('is English if its file can’t be read', () => {
    writeFileSync(path.join(folder, texts, 'fr.json.br'), 'not packed');
    assert.equal(readTranslation(folder, 'fr'), undefined);
  });
});
