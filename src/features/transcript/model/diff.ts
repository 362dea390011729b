import type { DiffLine } from '../../../shared/transcript';
import { atOnce } from '../../../core/basics/steps';
import { hunksBetween } from '../../../core/text/lines';

/** The lines that changed, and some around them. */
export interface Diff {
  added: number;
  removed: number;
  lines: DiffLine[];
}

/** Unchanged lines shown around a change. */
const around = 3;

/** Compares two texts line by line. */
export function diffOf(before: string, after: string): Diff {
  const { lines, ...counts } = counted(compared(linesOf(before), linesOf(after)));
  return { ...counts, lines: withGaps(lines) };
}

/** All lines of two texts, for approval: also a last line end that only one of them has. */
export function wholeDiffOf(before: string, after: string): Diff {
  const isLess = [before, after].every((text) => text === '' || text.endsWith('\n'));
  const linesIn = (text: string) => (isLess || text === '' ? linesOf(text) : text.split('\n'));
  return counted(compared(linesIn(before), linesIn(after)));
}

/** Lines with the numbers of those that change something. */
export function counted(lines: readonly DiffLine[]): Diff {
  const count = (kind: DiffLine['kind']) => lines.filter((line) => line.kind === kind).length;
  return { added: count('added'), removed: count('removed'), lines: [...lines] };
}

function compared(old: string[], now: string[]): DiffLine[] {
  const lines: DiffLine[] = [];
  const show = (kind: DiffLine['kind'], texts: readonly string[]) => {
    for (const text of texts) lines.push({ kind, text });
  };
  let line = 0;
  for (const { start, end, lines: added } of atOnce(hunksBetween(old, now))) {
    show('same', old.slice(line, start));
    show('removed', old.slice(start, end));
    show('added', added);
    line = end;
  }
  show('same', old.slice(line));
  return lines;
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/**
 * Leaves out unchanged lines that aren’t near a change.
 * @param words what to say of so many of them
 */
export function withGaps(
  lines: readonly DiffLine[],
  words: (lines: number) => string = () => '',
): DiffLine[] {
  const near = new Set<number>();
  for (const [index, { kind }] of lines.entries())
    if (kind !== 'same')
      for (let place = index - around; place <= index + around; place += 1) near.add(place);
  const shown: DiffLine[] = [];
  let from = 0;
  const leaveOut = (to: number) => {
    if (to > from) shown.push({ kind: 'gap', text: words(to - from) });
  };
  for (const [index, line] of lines.entries()) {
    if (!near.has(index)) continue;
    leaveOut(index);
    shown.push(line);
    from = index + 1;
  }
  leaveOut(lines.length);
  return shown;
}
