import { commonEnds } from '../../shared/commonEnds';
import type { DiffLine } from '../../shared/transcript';

/** The lines that changed, and some around them. */
export interface Diff {
  added: number;
  removed: number;
  lines: DiffLine[];
}

/** Unchanged lines shown around a change. */
const around = 3;
/** Cells of the table that finds what is common; beyond that, the whole middle counts as changed. */
const largestTable = 1_000_000;

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
  const [start, end] = commonEnds(old, now);
  const middle = changes(old.slice(start, old.length - end), now.slice(start, now.length - end));
  const same = (texts: string[]): DiffLine[] => texts.map((text) => ({ kind: 'same', text }));
  return [...same(old.slice(0, start)), ...middle, ...same(old.slice(old.length - end))];
}

function linesOf(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines;
}

/** By the longest common subsequence. */
function changes(old: string[], now: string[]): DiffLine[] {
  const width = now.length + 1;
  const isSmall = (old.length + 1) * width <= largestTable;
  const lengths = new Uint32Array(isSmall ? (old.length + 1) * width : 0);
  const at = (row: number, column: number) => lengths[row * width + column] ?? 0;
  if (isSmall)
    for (let row = old.length - 1; row >= 0; row -= 1)
      for (let column = now.length - 1; column >= 0; column -= 1)
        lengths[row * width + column] =
          old[row] === now[column]
            ? at(row + 1, column + 1) + 1
            : Math.max(at(row + 1, column), at(row, column + 1));
  const lines: DiffLine[] = [];
  let [row, column] = [0, 0];
  while (row < old.length || column < now.length) {
    const [removed, added] = [old[row], now[column]];
    if (isSmall && removed !== undefined && removed === added) {
      lines.push({ kind: 'same', text: removed });
      row += 1;
      column += 1;
    } else if (removed !== undefined && (added === undefined || at(row + 1, column) >= at(row, column + 1))) {
      lines.push({ kind: 'removed', text: removed });
      row += 1;
    } else {
      lines.push({ kind: 'added', text: added ?? '' });
      column += 1;
    }
  }
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
