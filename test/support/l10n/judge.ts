import type { Translation } from './locales';
import { placeholders } from './strings';

/** Problems with the texts that a translation has, one sentence each. */
export function judgeTranslation(from: Translation, to: Translation): string[] {
  return [...judge('the manifest', from.manifest, to.manifest), ...judge('the code', from.bundle, to.bundle)];
}

/** Where a translation is behind: the editor shows English for missing texts, and never uses leftover ones. */
export function behindEnglish(from: Translation, to: Translation): string[] {
  return [
    ...compareKeys('the manifest', from.manifest, to.manifest),
    ...compareKeys('the code', from.bundle, to.bundle),
  ];
}

function compareKeys(of: string, from: Record<string, string>, to: Record<string, string>): string[] {
  return [
    ...Object.keys(from)
      .filter((key) => !(key in to))
      .map((key) => `${of}: “${key}” is not translated`),
    ...Object.keys(to)
      .filter((key) => !(key in from))
      .map((key) => `${of}: “${key}” is translated but not used`),
  ];
}

function judge(of: string, from: Record<string, string>, to: Record<string, string>): string[] {
  const problems: string[] = [];
  for (const [key, text] of Object.entries(from)) {
    const translated = to[key];
    if (translated === undefined) continue;
    if (translated.trim() === '') problems.push(`${of}: “${key}” has an empty translation`);
    else {
      for (const [what, read] of Object.entries(invariants)) {
        if (read(text) !== read(translated))
          problems.push(`${of}: “${key}” has other ${what} than in English`);
      }
    }
  }
  return problems;
}

const all = (text: string, pattern: RegExp) =>
  [...text.matchAll(pattern)]
    .map(([whole]) => whole)
    .sort()
    .join(' ');

/** What a translation must have in common with its original. */
const invariants: Record<string, (text: string) => string> = {
  placeholders: (text) => placeholders(text).join(),
  'links to commands': (text) => all(text, /\]\([^)]*\)/g),
  'code marks': (text) => all(text, /`[^`]*`/g),
  icons: (text) => all(text, /\$\([\w~-]+\)/g),
  'line breaks': (text) => all(text, /\n/g),
  ellipses: (text) => String(text.includes('…')),
};
