/** Scripts whose words need joiners. */
const joining = [
  'Arabic',
  'Syriac',
  'Mongolian',
  'Nko',
  'Devanagari',
  'Bengali',
  'Gurmukhi',
  'Gujarati',
  'Oriya',
]
  .concat('Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan')
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

/** Characters that don’t show, but are needed: joiners in words and pictograms, and what sets a pictogram’s color. */
const needed = [
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
].join('|');

/** Signs, and notes of music, that are blank. */
const blank = String.raw`\u2800\ufffc\u{1d159}`;

/**
 * Characters that could hide in a text or change its order: control, bidirectional, invisible, private, and unassigned
 * ones.
 */
const hidden = String.raw`(?!${needed}|[\n\t])[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029${blank}]`;

/** Punctuation of Chinese, Japanese, and Korean, in words of these. */
const wide = '[，：！？（）]';
const east = String.raw`[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}、。]`;
const inUse = `(?<=${east})${wide}|${wide}(?=${east})`;

/** What looks like the signs of a shell: wide and small forms, and others’ semicolons, bars, slashes, hyphens, … */
const alike = String.raw`\uff01-\uff5e\uffe0-\uffee\ufe50-\ufe6b\u037e\u204f\u061b\u01c0\u2223\u23d0\u2758\u2039\u203a\u276e\u276f\u02c2\u02c3\u02cb\u1fef\u2035\u2044\u2215\u29f8\u2571\u2216\u29f5\u29f9\u2572\u2010-\u2012\u2212\u2024`;

/** Marks that cover or surround what they’re on, and those that are on no letter. */
const stray = String.raw`[\u0334-\u0338\u20d0-\u20ff]|(?<![\p{L}\p{M}])\p{M}`;

const hiddenCharacters = new RegExp(hidden, 'gu');
const oddCharacters = new RegExp(
  `${hidden}|(?![ ])\\p{Z}|(?!${inUse})[${alike}]|(?!${needed})(?:${stray})`,
  'gu',
);

/** A text with its invisible characters as visible codes, such as `‹U+202E›`: what is approved has to be seen. */
export const exposed = (text: string): string => text.replace(hiddenCharacters, codeOf);

/**
 * A command or path with its invisible characters as codes. So are unusual spaces, stray marks, and look-alikes of shell
 * syntax, because no character in it may pass for another.
 */
export const exposedCode = (text: string): string => text.replace(oddCharacters, codeOf);

function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `‹U+${code}›`;
}
