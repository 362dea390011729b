import type { Figure } from './figures';

/** The figures of a section as aligned columns. */
export function table(title: string, figures: readonly Figure[]): string {
  const rows = figures.map(({ name, unit, runs, min, median, max, goal, met }) => [
    name,
    ...[min, median, max].map((value) => `${number(value)}${unit && ` ${unit}`}`),
    String(runs),
    goal ? `≤ ${number(goal.atMost)}${unit && ` ${unit}`}${goal.of === 'max' ? ' always' : ''}` : '',
    met === undefined ? '' : met ? 'met' : 'not met',
  ]);
  const head = ['', 'minimum', 'median', 'maximum', 'runs', 'goal', ''];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]) =>
    row
      .map((cell, column) =>
        column === 0 || column > 4 ? cell.padEnd(widths[column] ?? 0) : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd();
  return [`\n── ${title} ──`, line(head), ...rows.map(line)].join('\n');
}

/** About three significant digits. */
function number(value: number): string {
  const digits = Math.abs(value) >= 100 ? 0 : Math.abs(value) >= 10 ? 1 : 2;
  return value.toFixed(Number.isInteger(value) ? 0 : digits);
}
