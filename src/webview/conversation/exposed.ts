/** What could hide in a text or turn its order: control, bidirectional and other invisible characters. */
const hidden = /(?![\n\t])\p{Cc}|(?![\u200c\u200d])\p{Cf}|[\u2028\u2029\u115f\u1160\u3164\uffa0]|\p{Cs}/gu;

/** A text with its invisible characters as visible codes, such as `‹U+202E›`: what is approved has to be seen. */
export function exposed(text: string): string {
  return text.replace(hidden, (character) => {
    const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0');
    return `‹U+${code}›`;
  });
}
