/** The pseudo-locale: English with accented letters, in brackets and longer, so that untranslated text stands out. */
export const pseudoLocale = 'qps-ploc';

const plain = 'AaCcEeGgIiKkLlNnOoRrSsTtUuYyZz';
const accented = 'ÅåÇçÉéĜĝÎîĶķĻļÑñÖöŔŕŠšŢţÛûÝýŽž';

/** Parts that stay unchanged: code, placeholders, icons, URLs, link targets, and bold marks. */
const kept = /(`[^`]*`|\{\w+\}|\$\([^)]*\)|\]\([^)]*\)|https?:\/\/[^\s)]+|\*\*)/;

/** A text in the pseudo-locale. A line that's a single link stays one, because the editor turns those into buttons. */
export function pseudo(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [, label, target] = /^\[([^\]]+)\](\([^)]*\))$/.exec(line) ?? [];
      return label === undefined || target === undefined ? bracketed(line) : `[${bracketed(label)}]${target}`;
    })
    .join('\n');
}

/** Leaves text without letters alone, such as a comma between two names. */
function bracketed(line: string): string {
  if (!/\p{L}/u.test(line.replace(/\{\w+\}/g, ''))) return line;
  const letters = line
    .split(kept)
    .map((part, index) => (index % 2 === 1 ? part : part.replace(/[a-z]/gi, accent)))
    .join('');
  return `‹${letters}${'·'.repeat(Math.ceil(line.length * 0.3))}›`;
}

function accent(letter: string): string {
  const index = plain.indexOf(letter);
  return index === -1 ? letter : (accented[index] ?? letter);
}
