/** Letters of scripts that run from right to left: Hebrew, Arabic, and their like, also beyond the basic plane. */
const rightToLeft = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\ud802\ud803\ud83a\ud83b]/;
const latinFirst = /^[^\p{L}]*\p{Script=Latin}/u;

/** The most characters of a row’s text that runs from right to left: what fits a side bar of 240 px beside the age. */
const longest = 14;

/**
 * Text of any direction for the middle of a sentence or before a count: whatever its letters, it moves nothing around it.
 * Text without letters that run from right to left stays as it is.
 */
export function isolated(text: string): string {
  return rightToLeft.test(text) ? `\u2068${text}\u2069` : text;
}

/**
 * A name for a row. The editor cuts rows on their right side, which is where a text from right to left begins; so that
 * such a text is cut at its end first.
 *
 * @param name with its parts of any direction isolated
 */
export function rowLabel(name: string): string {
  return name.replace(/\u2068(.*?)\u2069/gsu, (whole, text: string) => {
    const letters = Array.from(text);
    if (latinFirst.test(text) || letters.length <= longest) return whole;
    return isolated(`${letters.slice(0, longest).join('').trimEnd()}…`);
  });
}
