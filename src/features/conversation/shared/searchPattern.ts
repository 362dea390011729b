/** How a search in a transcript compares; by default in whichever case, and within words, too. */
export interface SearchOptions {
  matchCase?: boolean | undefined;
  wholeWord?: boolean | undefined;
}

const letter = String.raw`[\p{L}\p{N}\p{M}_]`;

/** Finds a query, taken literally and without the spaces around it; undefined for an empty one. */
export function searchPattern(query: string, { matchCase, wholeWord }: SearchOptions): RegExp | undefined {
  const literal = query.trim().replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);
  if (literal === '') return undefined;
  // Not in lower case: that may be longer than the text itself.
  const flags = matchCase ? 'gu' : 'giu';
  return new RegExp(wholeWord ? `(?<!${letter})${literal}(?!${letter})` : literal, flags);
}
