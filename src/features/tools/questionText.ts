import * as l10n from '@vscode/l10n';
import { exposed } from '../../shared/exposed';
import { markdownText } from '../../shared/markdownText';
import type { Question } from './tool';

/** Blanks beyond which text would be out of sight, in a line and between lines. */
const outOfSight = /[^\S\n]{60,}|\n(?:[^\S\n]*\n){9,}/g;

/** Columns of a line that are in sight: the editor doesn't break the lines of a code block. */
const inSight = 100;

/** Marks where a long line was cut. */
const goesOn = '↪ ';

/**
 * A question as Markdown that shows all of it, in plain text. Quoted text is in a code block that nothing in it can end:
 * the editor's own `appendCodeblock` doesn't see backticks that are indented, and what follows the block then could be
 * taken for a comment or the definition of a link, which aren't shown.
 */
export function questionText({ lines, quoted }: Question): string {
  const paragraphs = lines.map((line) => markdownText(exposed(line).trim()));
  return [...paragraphs, ...(quoted === undefined ? [] : [block(quoted)])].join('\n\n');
}

function block(text: string): string {
  const lines = exposed(text.replace(/\r\n?/g, '\n')).replace(outOfSight, gapWords).split('\n');
  const shown = lines.map((line) => rowsOf(line).join(`\n${goesOn}`)).join('\n');
  const longest = Math.max(0, ...Array.from(shown.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(Math.max(3, longest + 1));
  return `${fence}text\n${shown}\n${fence}\n`;
}

/** A line or two instead of blanks, so that what's behind them is in sight. */
function gapWords(gap: string): string {
  const emptyLines = gap.split('\n').length - 2;
  return emptyLines > 0
    ? `\n‹${l10n.t('{0} empty lines', emptyLines)}›\n`
    : `‹${l10n.t('{0} spaces', gap.length)}›\n`;
}

/** A line in rows that are in sight, broken between words where that's possible. */
function rowsOf(line: string): string[] {
  if (line.length * 4 <= inSight) return [line];
  const rows: string[] = [];
  let row = '';
  let [columns, wordAt] = [0, 0];
  for (const character of line) {
    if (columns + widthOf(character) > inSight) {
      const end = wordAt > row.length / 2 ? wordAt : row.length;
      rows.push(row.slice(0, end));
      row = row.slice(end);
      [columns, wordAt] = [widthOf(row), 0];
    }
    row += character;
    columns += widthOf(character);
    if (/\s/.test(character)) wordAt = row.length;
  }
  return [...rows, row];
}

/** Columns of a text, at most: characters of many scripts take two, and a tab up to four. */
const widthOf = (text: string): number =>
  Array.from(text).reduce((sum, one) => sum + (one === '\t' ? 4 : one < '\u1100' ? 1 : 2), 0);
