import { diffArrays } from 'diff';
import { commonEnds } from '../../shared/commonEnds';

/** Lines that replace others in a text. Line numbers start at 0. */
export interface Hunk {
  /** The first line that is replaced. */
  start: number;
  /** The line after the last; equal to `start` where lines are only added. */
  end: number;
  /** The replacement, with line ends. */
  lines: string[];
}

/** With more differences, two texts count as different throughout: finding them would take too long. */
const mostDifferences = 4_000;

/** The lines of a text, each with its own line end; together they are the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/** What turns `old` into `now`, in order, never touching each other. */
export function hunksBetween(old: readonly string[], now: readonly string[]): Hunk[] {
  const [start, end] = commonEnds(old, now);
  const [oldMiddle, middle] = [old.slice(start, old.length - end), now.slice(start, now.length - end)];
  const parts = diffArrays(oldMiddle, middle, { maxEditLength: mostDifferences });
  if (!parts) return [{ start, end: old.length - end, lines: middle }];
  const hunks: Hunk[] = [];
  let line = start;
  for (const { added, removed, value } of parts) {
    const last = hunks.at(-1);
    if (!added && !removed) {
      line += value.length;
      continue;
    }
    const hunk = last?.end === line ? last : { start: line, end: line, lines: [] };
    if (hunk !== last) hunks.push(hunk);
    if (added) hunk.lines = hunk.lines.concat(value);
    else line = hunk.end += value.length;
  }
  return hunks;
}

/** The text that hunks make of lines. */
export function withHunks(lines: readonly string[], hunks: readonly Hunk[]): string {
  return linesWith(lines, hunks, { start: 0, end: lines.length }).join('');
}

/** The lines that hunks make of the lines from `start` to before `end`. */
export function linesWith(
  lines: readonly string[],
  hunks: readonly Hunk[],
  { start, end }: Pick<Hunk, 'start' | 'end'>,
): string[] {
  const parts: string[][] = [];
  let line = start;
  for (const hunk of hunks) {
    parts.push(lines.slice(line, hunk.start), hunk.lines);
    line = hunk.end;
  }
  return [...parts, lines.slice(line, end)].flat();
}

/** Whether a text is what some of the hunks, or none of them, make of lines. */
export function isSelectionOf(lines: readonly string[], hunks: readonly Hunk[], text: string): boolean {
  let places = new Set([0]);
  let line = 0;
  const follow = (...choices: string[]) => {
    places = new Set(
      [...places].flatMap((at) =>
        choices.filter((choice) => text.startsWith(choice, at)).map((choice) => at + choice.length),
      ),
    );
  };
  for (const hunk of hunks) {
    follow(lines.slice(line, hunk.start).join(''));
    follow(lines.slice(hunk.start, hunk.end).join(''), hunk.lines.join(''));
    line = hunk.end;
  }
  follow(lines.slice(line).join(''));
  return places.has(text.length);
}
