import { classOfScripts, codeOf, hiddenPattern, neededJoiners } from './exposed';

/** Punctuation of Chinese, Japanese, and Korean, in words of these. */
const wide = '[，：！？（）]';
const eastern = classOfScripts('HaniHiraKanaHang');
const east = `[${eastern}、。]`;
const inUse = `(?<=${east})${wide}|${wide}(?=${east})`;

/** What looks like the signs of a shell: wide and small forms, and others’ semicolons, bars, slashes, hyphens, quotes, … */
const alike = String.raw`\u00b4\u00b8\u01c0-\u01c3\u02b9-\u02ff\u037e\u055a\u055d\u0589\u05c0\u05c3\u061b\u066d\u0701-\u0704\u0f3a-\u0f3d\u1400\u16eb-\u16ed\u1735\u1803\u1809\u1fbd-\u1fc0\u1fef\u1ffd\u1ffe\u2010-\u2012\u2016\u201a\u201b\u2024\u2025\u2032-\u2037\u2039\u203a\u2041-\u2044\u204e-\u205e\u207d\u207e\u208d\u208e\u2212\u2215-\u2217\u2223\u2225\u2236\u223c\u23d0\u2500-\u257f\u2758\u2768-\u2775\u2795\u2796\u27cb-\u27cd\u27e6-\u27ef\u29f5\u29f8\u29f9\u2e40\u2f02\u2f03\u3033\u30a0\u3161\u3163\u31d3\u31d4\ua4fe\ua4ff\ua60e\ua778\ua789-\ua78c\ufe10-\ufe19\ufe30-\ufe6b\uff01-\uff5e\uffe0-\uffee\u{10a50}\u{1d114}\u{1d200}-\u{1d245}`;

/** Strokes of Chinese and Japanese beside none of their words: before a plain one like a hyphen, or like a bar or slash. */
const strokes = `(?<!${east})(?:[\u1173\u4e00\u30fc](?=[-\\w])|[\u4e28\u4e36\u30ce\u4e3f](?!${east}))`;

/** Letters in the shapes of plain ones: of mathematics, of phonetics, in circles, joined, and numerals. */
const shaped = String.raw`\u0132\u0133\u017f\u01c7-\u01cc\u01f1-\u01f3\u0250-\u02af\u1d00-\u1d7f\u2102-\u2113\u2115\u2119-\u211d\u2124\u2128-\u2139\u2145-\u2149\u2160-\u2188\u249c-\u24e9\ua730\ua731\ufb00-\ufb06\u{1ccd6}-\u{1ccf9}\u{1d400}-\u{1d7ff}\u{1f100}-\u{1f189}\u{1fbf0}-\u{1fbf9}`;

/** Marks that cover or surround what they’re on, and those that are on no letter. */
const stray = String.raw`[\u0334-\u0338\u20d0-\u20ff]|(?<![\p{L}\p{M}])\p{M}|(?<!\p{sc=Hebr})[\u05f3\u05f4]`;

/** A letter or digit of a script that doesn’t stand in words with plain letters. */
const other = `(?![${eastern}${classOfScripts('LatnGrekCyrlBopoZyyyZinh')}])[\\p{L}\\p{M}\\p{N}]`;

/** Words of these. */
const others = new RegExp(`(?:${other})+`, 'gu');
const otherBefore = new RegExp(`${other}[^\\p{L}\\n]{0,3}$`, 'u');
const otherAfter = new RegExp(`^[^\\p{L}\\n]{0,3}${other}`, 'u');

/** One or two of these, among plain letters or with no other word of theirs around, as codes: they’d pass for signs. */
const unsigned = (text: string): string =>
  text.replace(others, (word, at: number) => {
    const end = at + word.length;
    const [before, after] = [text.slice(Math.max(0, at - 5), at), text.slice(end, end + 5)];
    if (Array.from(word).length > 2) return word;
    const isAmong = /[A-Za-z]$/.test(before) || /^[A-Za-z]/.test(after);
    return isAmong || !(otherBefore.test(before) || otherAfter.test(after))
      ? word.replace(/./gu, codeOf)
      : word;
  });

const oddCharacters = new RegExp(
  `${hiddenPattern}|(?![ ])\\p{Z}|(?!${inUse})[${alike}]|[${shaped}]|${strokes}|(?!${neededJoiners})(?:${stray})`,
  'gu',
);

/** Letters of other scripts that look like plain ones, by their scripts. */
const twins = new RegExp(
  '[' +
    'аеорсухіјѕԁһӏѵԛԝүАВЕНІЈКМОРЅТСХУҮӀԌԚԜ' +
    'αγικνορυχϲϳΑΒΕΖΗΙΚΜΝΟΡΤΥΧϹ' +
    'օոսցհքզղյձՏՍՕԼ' +
    classOfScripts('CherLisuCopt') +
    ']',
  'gu',
);
const codes = /‹U\+[\dA-F]+›/g;
const words = /(?:‹U\+[\dA-F]+›|[\p{L}\p{M}\p{N}_])+/gu;
const plainLetter = /[A-Za-z]/;
const foreignLetter = /(?![A-Za-z])\p{L}/u;

/**
 * The text with letters that pass for plain ones as codes: those in a word with plain ones, and words of nothing else that
 * aren’t among words of their own script. Other characters are codes by now.
 */
function untwinned(text: string): string {
  if (text.search(twins) < 0) return text;
  const parts = text.split(/(\s+)/);
  const others = parts.map((part) => part.replace(codes, '').replace(twins, ''));
  return parts
    .map((part, index) => {
      if (part.search(twins) < 0) return part;
      const isPlain = plainLetter.test(others[index] ?? '');
      const isAmong = [index - 2, index + 2].some((near) => foreignLetter.test(others[near] ?? ''));
      return part.replace(words, (word) => {
        const rest = word.replace(codes, '').replace(twins, '');
        const isAlone = !foreignLetter.test(rest) && (isPlain || !isAmong);
        return plainLetter.test(rest) || isAlone ? word.replace(twins, codeOf) : word;
      });
    })
    .join('');
}

/** Letters that are written from right to left, and joiners. */
const rightToLeft = String.raw`\u200c\u200d\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc\u{10800}-\u{10fff}\u{1e800}-\u{1efff}`;

/** A word of these that would change places with what follows: another one, or a number. */
const swapping = new RegExp(
  `(?<![${rightToLeft}])[${rightToLeft}]+(?![${rightToLeft}])(?=[^\\p{L}\\p{N}\n]*[${rightToLeft}\\p{N}])`,
  'gu',
);

/**
 * A command or path with its invisible characters as codes. So are unusual spaces, stray marks, and look-alikes of plain
 * letters and of shell syntax, because no character in it may pass for another. Words stand in their order, from left to
 * right.
 */
export const exposedCode = (text: string): string =>
  untwinned(unsigned(text.replace(oddCharacters, codeOf))).replace(swapping, '$&\u200e');

/** A path in one line, with what `exposedCode` shows as codes, and line ends. */
export const exposedPath = (path: string): string => exposedCode(path).replace(/[\n\t]/g, codeOf);
