import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';

/**
 * Translations of the code's texts by their English, from files of the extension; undefined if the language has none.
 *
 * They are packed when the extension is built, see l10n/pack.mjs: the editor's own files repeat the English in each.
 * @param extensionPath the folder of the extension
 * @param language as `vscode.env.language`
 */
export function readTranslation(extensionPath: string, language: string): Record<string, string> | undefined {
  const read = (name: string) => readTexts(path.join(extensionPath, 'dist', 'l10n', `${name}.json.br`));
  const texts = read(language);
  const english = texts && read('english');
  if (!english) return undefined;
  return Object.fromEntries(
    english.flatMap((text, at) => {
      const translated = texts[at];
      return text === null || typeof translated !== 'string' ? [] : [[text, translated]];
    }),
  );
}

function readTexts(file: string): (string | null)[] | undefined {
  try {
    return JSON.parse(brotliDecompressSync(readFileSync(file)).toString()) as (string | null)[];
  } catch {
    return undefined;
  }
}
