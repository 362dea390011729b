import { readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import type { NumberedTexts } from '../shared/texts';

/**
 * Translations of the code's texts, from files of the extension; undefined if the language has none.
 *
 * They are packed when the extension is built, see l10n/pack.mjs: the editor's own files repeat the English in each.
 * @param extensionPath the folder of the extension
 * @param language as `vscode.env.language`
 */
export function readTranslation(extensionPath: string, language: string): NumberedTexts | undefined {
  const read = (name: string) => readFileSync(path.join(extensionPath, 'dist', 'l10n', name));
  try {
    const texts = JSON.parse(brotliDecompressSync(read(`${language}.json.br`)).toString()) as unknown[];
    const numbers = read('numbers');
    return Object.fromEntries(
      texts.flatMap((text, at) => (typeof text === 'string' ? [[numbers.readUIntBE(at * 3, 3), text]] : [])),
    );
  } catch {
    return undefined;
  }
}
