/** Halves of pairs of code units, which are no characters by themselves, and have no bytes in UTF-8. */
export const loneSurrogates = /\p{Cs}/gu;

/** The text with a mark in place of each half of a character, as whoever gets it would have at best. */
export const wellFormed = (text: string): string => text.replace(loneSurrogates, '\ufffd');

/** The beginning of a text, `most` code units at most; no half of a character. */
export const beginning = (text: string, most: number): string =>
  text.slice(0, most).replace(/[\ud800-\udbff]$/, text.length > most ? '' : '$&');
