/** Translated texts by a number for the English of each, which the code has already. */
export type NumberedTexts = Readonly<Record<number, string>>;

/** A number of 24 bits for an English text. The build makes sure that no two of them share one (l10n/pack.mjs). */
export function numberOf(text: string): number {
  // FNV-1a, folded.
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return (hash ^ (hash >>> 24)) & 0xffffff;
}

/** The texts by their English, as `l10n.config` takes them. */
export function byEnglish(texts: NumberedTexts): Record<string, string> {
  return new Proxy<Record<string, string>>(
    {},
    { get: (_none, english) => (typeof english === 'string' ? texts[numberOf(english)] : undefined) },
  );
}
