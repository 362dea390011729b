/** The pseudo-locale: English with other letters, in brackets and longer, so that what was not translated stands out. */
export const pseudoLocale = 'qps-ploc';

const plain = 'AaCcEeGgIiKkLlNnOoRrSsTtUuYyZz';
const accented = 'ÅåÇçÉéĜĝÎîĶķĻļÑñÖöŔŕŠšŢţÛûÝýŽž';

/** What stays as it is: code, placeholders, icons, addresses, and where a link leads. */
const kept = /(`[^`]*`|\{\w+\}|\$\([^)]*\)|\]\([^)]*\)|https?:\/\/[^\s)]+|\*\*)/;

/** A text in the pseudo-locale. A line that is a link as a whole stays one: the editor makes buttons of those. */
export function pseudo(text: string): string {
  return text
    .split('\n')
    .map((line) => {
      const [, label, target] = /^\[([^\]]+)\](\([^)]*\))$/.exec(line) ?? [];
      return label === undefined || target === undefined ? bracketed(line) : `[${bracketed(label)}]${target}`;
    })
    .join('\n');
}

/** What has no letters, a comma between two names, is left as it is. */
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
