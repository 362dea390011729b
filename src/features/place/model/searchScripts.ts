import { quoted } from '../../../shared/shellScript';
import { exits } from './fileScripts';
import { heavy } from './listing';
import { scratch } from './scratch';

/** A line that contains the text. */
export interface FoundLine {
  /** Relative to the folder that was searched. */
  path: string;
  /** The first line is 1. */
  line: number;
  text: string;
}

/** Largest answer in bytes; a longer one is cut. */
const largestSearch = 4_000_000;
/** Most lines of one file. */
const mostOfFile = 200;
/** Most characters of a line. */
const longestLine = 400;

const files = `find . \\( ${[...heavy, `${scratch}-*`].map((name) => `-name ${quoted(name)}`).join(' -o ')} \\) -prune -o -type f`;
/** Enters the folder, and sets how long a search may take: whoever cancels it only stops waiting. */
const begin = (root: string) => `cd ${quoted(root)} 2>/dev/null || exit ${exits.missing}
limit=; if command -v timeout > /dev/null && timeout 20 true 2>/dev/null; then limit='timeout 20'; fi`;

/** The forms of a text that grep tells apart: it ignores the case of plain letters only, and compares bytes. */
function formsOf(text: string): string[] {
  const small = text.toLowerCase();
  const capitals = small.replace(/(?<![\p{L}\p{M}])\p{L}/gu, (letter) => letter.toUpperCase());
  const cases = [text, small, text.toUpperCase(), capitals];
  return [...new Set(cases.flatMap((one) => [one.normalize(), one.normalize('NFD')]))];
}

/** The lines of all files that aren’t binary: path, NUL or colon, number, colon, line. */
export const linesScript = (root: string, text: string) => `${begin(root)}
options=; for one in --null -I; do if echo x | grep $one -q x 2>/dev/null; then options="$options $one"; fi; done
$limit ${files} -exec grep -n -H -i -F -m ${mostOfFile} $options ${formsOf(text)
  .map((one) => `-e ${quoted(one)}`)
  .join(' ')} {} + 2>/dev/null | head -c ${largestSearch}
exit 0`;

/** The paths of all files, each followed by NUL. */
export const namesScript = (root: string) => `${begin(root)}
$limit ${files} -exec sh -c 'printf "%s\\0" "$@"' names {} + 2>/dev/null | head -c ${largestSearch}
exit 0`;

/**
 * Reads the answer of `linesScript`; a last line that was cut is left out.
 * @param mask takes secrets out of a line, before it’s shortened
 */
export function foundLines(answer: Uint8Array, mask = (line: string) => line): FoundLine[] {
  const found: FoundLine[] = [];
  const text = Buffer.from(answer).toString('utf8');
  const form = /\.\/([^\0]*?)(?:\0|:)(\d+):([^\n]*)\n/gy;
  for (let match = form.exec(text); match; match = form.exec(text)) {
    const [, path = '', line, content = ''] = match;
    found.push({ path, line: Number(line), text: mask(content).slice(0, longestLine) });
  }
  return found;
}

/** Reads the answer of `namesScript`: the paths that contain a text, ignoring case. */
export function foundNames(answer: Uint8Array, text: string): string[] {
  const plain = (name: string) => name.normalize().toLowerCase();
  const wanted = plain(text);
  return Buffer.from(answer)
    .toString('utf8')
    .split('\0')
    .slice(0, -1)
    .map((path) => path.replace(/^\.\//, ''))
    .filter((path) => plain(path).includes(wanted));
}
