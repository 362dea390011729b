import type { Steps } from '../basics/steps';
import { Comparison } from './comparison';
import type { Hunk } from './hunk';

/** The lines of a text, each with its own line end; together they are the text. */
export function linesOf(text: string): string[] {
  return text.match(/[^\n]*\n|[^\n]+/g) ?? [];
}

/**
 * What turns `old` into `now`, in order, never touching each other. Finding it takes bounded time: where that isn’t
 * enough, lines count as different throughout.
 * @param equal is called for each comparison
 */
export function hunksBetween(
  old: readonly string[],
  now: readonly string[],
  equal: (a: string, b: string) => boolean = Object.is,
): Steps<Hunk[]> {
  return new Comparison(old, now, equal).hunks();
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
