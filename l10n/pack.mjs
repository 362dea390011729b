import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';

/**
 * Packs translations by language into `folder`: a number for each English text, of three bytes, then each language's
 * texts in the same order, with null for missing ones. The English itself is in the code. See
 * src/editor/translations.ts.
 * @param {string} folder
 * @param {Readonly<Record<string, Readonly<Record<string, string>>>>} byLanguage texts by their English
 * @param {(english: string) => number} numberOf that of src/shared/texts.ts
 */
export async function packTranslations(folder, byLanguage, numberOf) {
  const english = [...new Set(Object.values(byLanguage).flatMap((texts) => Object.keys(texts)))];
  const numbers = new Map(english.map((text) => [numberOf(text), text]));
  const twin = english.find((text) => numbers.get(numberOf(text)) !== text);
  if (twin !== undefined)
    throw new Error(
      `Reword one of two texts, which have the same number: ${twin} / ${numbers.get(numberOf(twin))}`,
    );
  const bytes = Buffer.alloc(english.length * 3);
  english.forEach((text, at) => bytes.writeUIntBE(numberOf(text), at * 3, 3));
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'numbers'), bytes);
  for (const [language, texts] of Object.entries(byLanguage)) {
    const packed = JSON.stringify(english.map((text) => texts[text] ?? null));
    await writeFile(join(folder, `${language}.json.br`), brotliCompressSync(packed));
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
