import { plainText } from '../../../shared/plainText';
import { wellFormed } from '../../../shared/wellFormed';

/** More words than anybody searches for at once. */
const mostWords = 20;

/** Marks on letters and invisible characters, which don’t count; the marks of kana make other letters. */
const marks = /(?![\u3099\u309a])\p{Mn}|\p{Cf}/gu;

const isPlain = /^[\0-\x7f]*$/;

/** A text as it is compared: case and diacritics don’t count. */
export function folded(text: string): string {
  const lower = text.toLowerCase();
  return isPlain.test(text) ? lower : lower.normalize('NFKD').replace(marks, '').normalize('NFC');
}

/** The words of a query as they are compared. */
export const wordsOf = (query: string): readonly string[] =>
  [...new Set(folded(query).split(/\s+/u))].filter((word) => word !== '').slice(0, mostWords);

/** Whether a text has all words, in any order. */
export function hasAll(text: string, words: readonly string[]): boolean {
  const compared = folded(text);
  return words.every((word) => compared.includes(word));
}

/** The part of a text with the first of the words, as one line. */
export function excerpt(text: string, words: readonly string[]): string {
  for (const line of text.split('\n')) {
    const compared = folded(line);
    const places = words.map((word) => compared.indexOf(word)).filter((place) => place >= 0);
    if (places.length === 0) continue;
    const start = placeIn(line, Math.min(...places));
    const from = start > 60 ? start - 40 : 0;
    return plainText(`${from > 0 ? '…' : ''}${wellFormed(line.slice(from, from + 240))}`, 160);
  }
  return plainText(text, 160);
}

/** About where a place of the compared text is in the text itself: both may have different lengths. */
function placeIn(text: string, place: number): number {
  if (isPlain.test(text)) return place;
  let start = 0;
  let compared = 0;
  for (const character of text) {
    compared += folded(character).length;
    if (compared > place) break;
    start += character.length;
  }
  return start;
}
