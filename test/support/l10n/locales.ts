import { readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { packTranslations, readTranslations } from '../../../l10n/pack.mjs';
import { type NumberedTexts, numberOf } from '../../../src/shared/texts';
import { projectFolder } from '../paths';
import { pseudo, pseudoLocale } from './pseudo';
import { sourceFiles } from './sources';
import { extract } from './strings';

/** The texts of one language: the manifest's by key, the code's by their English. */
export interface Translation {
  manifest: Record<string, string>;
  bundle: Record<string, string>;
}

const manifestFile = (locale: string) => `package.nls.${locale}.json`;
const bundleFile = (locale: string) => `l10n/bundle.l10n.${locale}.json`;

const readWords = (folder: string, file: string) =>
  JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as Record<string, string>;

/** The English that everything is translated from. */
export function english(): Translation {
  const { strings } = extract(sourceFiles());
  return {
    manifest: readWords(projectFolder, 'package.nls.json'),
    bundle: Object.fromEntries(strings.map((text) => [text, text])),
  };
}

/** The languages that the extension is translated into. */
export function translatedLocales(folder = projectFolder): string[] {
  return readdirSync(folder)
    .map((name) => /^package\.nls\.([\w-]+)\.json$/.exec(name)?.[1])
    .filter((locale) => locale !== undefined && locale !== pseudoLocale)
    .map(String);
}

/** The texts of a language. Those of the pseudo-locale are generated. */
export function translation(locale: string, folder = projectFolder): Translation {
  if (locale !== pseudoLocale) {
    return {
      manifest: readWords(folder, manifestFile(locale)),
      bundle: readWords(folder, bundleFile(locale)),
    };
  }
  const { manifest, bundle } = english();
  const all = (words: Record<string, string>) =>
    Object.fromEntries(Object.entries(words).map(([key, text]) => [key, pseudo(text)]));
  return { manifest: all(manifest), bundle: all(bundle) };
}

/** Adds a language to an installed extension in this folder. */
export async function addTranslation(folder: string, locale: string, words: Translation): Promise<void> {
  await writeFile(path.join(folder, manifestFile(locale)), toJson(words.manifest));
  const others = await readTranslations(path.join(projectFolder, 'l10n'));
  const all = { ...others, [locale]: words.bundle };
  await packTranslations(path.join(folder, 'dist', 'l10n'), all, numberOf);
}

/** Translations as pages get them. @param texts by their English */
export const numbered = (texts: Record<string, string>): NumberedTexts =>
  Object.fromEntries(Object.entries(texts).map(([text, translated]) => [numberOf(text), translated]));

/** Formats a file of texts. */
export function toJson(words: Record<string, string>): string {
  return `${JSON.stringify(words, undefined, 2)}\n`;
}
