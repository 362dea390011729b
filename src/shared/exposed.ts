/** Characters of these scripts, in a class: the codes of scripts have four letters. */
export const classOfScripts = (codes: string) => codes.replace(/.{4}/g, '\\p{sc=$&}');

/** Scripts whose words need joiners. */
const joining = classOfScripts('ArabSyrcMongNkooDevaBengGuruGujrOryaTamlTeluKndaMlymSinhKhmrMymrTibt');

/** Characters that don’t show, but are needed: joiners in words and pictograms, and what sets a pictogram’s color. */
export const neededJoiners = [
  String.raw`(?<=[${joining}])[\u200c\u200d](?=[${joining}])`,
  String.raw`(?<=[\p{Extended_Pictographic}\p{Emoji_Modifier}\ufe0f])\u200d(?=\p{Extended_Pictographic})`,
  String.raw`(?<=\p{Extended_Pictographic})\ufe0f`,
].join('|');

/** Signs, and notes of music, that are blank. */
const blank = String.raw`\u2800\ufffc\u{1d159}`;

/**
 * Characters that could hide in a text or change its order: control, bidirectional, invisible, private, and unassigned
 * ones; and marks on so many others that they cover the lines around them.
 */
export const hiddenPattern = String.raw`(?!${neededJoiners}|[\n\t])[\p{C}\p{Default_Ignorable_Code_Point}\u2028\u2029${blank}]|(?<=\p{M}{4})\p{M}`;

const hiddenCharacters = new RegExp(hiddenPattern, 'gu');

/** A text with its invisible characters as visible codes, such as `‹U+202E›`: what is approved has to be seen. */
export const exposed = (text: string): string => text.replace(hiddenCharacters, codeOf);

/** The visible code of a character. */
export function codeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
  return `‹U+${code}›`;
}
