/**
 * Characters that could hide in a text or change its order: control, bidirectional and other invisible ones. Except the
 * two joiners, which shape real words, and a variation selector after a pictogram, which sets its color.
 */
const hidden =
  /(?![\n\t])\p{Cc}|(?![\u200c\u200d]|(?<=\p{Extended_Pictographic})\ufe0f)[\p{Cf}\p{Default_Ignorable_Code_Point}]|[\u2028\u2029]|\p{Cs}/gu;

/** A text with its invisible characters as visible codes, such as `‹U+202E›`: what is approved has to be seen. */
export function exposed(text: string): string {
  return text.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `‹U+${code}›`;
  });
}
