import { english, translation } from './locales';

/** The extension's texts in one language, looked up by their English. */
export class Words {
  private readonly translated: ReadonlyMap<string, string>;

  /** Without a locale, the texts are in English. */
  constructor(readonly locale?: string) {
    const from = english();
    const to = locale === undefined ? from : translation(locale);
    const pairs = (['manifest', 'bundle'] as const).flatMap((part) =>
      Object.entries(from[part]).map(([key, text]): [string, string] => [text, to[part][key] ?? text]),
    );
    this.translated = new Map(pairs);
  }

  /**
   * The text for an English string of the extension, with values in its placeholders. Throws if there is no such
   * string.
   */
  say(text: string, ...values: string[]): string {
    const words = this.translated.get(text);
    if (words === undefined) throw new Error(`The extension has no string “${text}”.`);
    return words.replace(/\{(\d)\}/g, (hole, index: string) => values[Number(index)] ?? hole);
  }

  /** A pattern that finds the text for an English string with any values in its placeholders. */
  around(text: string): RegExp {
    return withAnyValues(this.say(text), false);
  }

  /** The `texts` that were left in English, whole or with values in their placeholders. */
  leftInEnglish(texts: Iterable<string>): string[] {
    const fixed = new Set<string>();
    const patterns: RegExp[] = [];
    for (const [text, words] of this.translated) {
      if (text === words) continue;
      for (const line of text.split('\n').filter(Boolean)) {
        const shown = line.replace(/^\[([^\]]+)\]\(.*\)$/, '$1');
        if (!/\{\d\}/.test(shown)) fixed.add(shown);
        else if (shown.replace(/\{\d\}/g, '').length >= 12) patterns.push(withAnyValues(shown, true));
      }
    }
    return [...new Set(texts)].filter(
      (text) => fixed.has(text) || patterns.some((pattern) => pattern.test(text)),
    );
  }
}

function withAnyValues(text: string, whole: boolean): RegExp {
  const parts = text.split(/\{\d\}/).map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = parts.join('.+');
  return new RegExp(whole ? `^${pattern}$` : pattern);
}
