import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/**
 * Packs translations by language into `folder`: the English texts once, then each language's texts in the same order,
 * with null for missing ones. Repeating the English in each language would double the size. See
 * src/editor/translations.ts.
 * @param {string} folder
 * @param {Readonly<Record<string, Readonly<Record<string, string>>>>} byLanguage texts by their English
 */
export async function packTranslations(folder, byLanguage) {
  const english = [...new Set(Object.values(byLanguage).flatMap((texts) => Object.keys(texts)))];
  await mkdir(folder, { recursive: true });
  const pack = (/** @type {string} */ name, /** @type {readonly (string | null)[]} */ texts) =>
    writeFile(join(folder, `${name}.json.br`), brotliCompressSync(JSON.stringify(texts)));
  await pack('english', english);
  for (const [language, texts] of Object.entries(byLanguage)) {
    await pack(
      language,
      english.map((text) => texts[text] ?? null),
    );
  }
}

/**
 * Reads the translators' files in a folder, by language.
 * @param {string} folder
 * @returns {Promise<Record<string, Record<string, string>>>}
 */
export async function readTranslations(folder) {
  const files = (await readdir(folder)).map((name) => /^bundle\.l10n\.([\w-]+)\.json$/.exec(name) ?? []);
  const read = files.map(async ([name, language]) =>
    name === undefined ? [] : [[language, JSON.parse(await readFile(join(folder, name), 'utf8'))]],
  );
  return Object.fromEntries((await Promise.all(read)).flat());
}
