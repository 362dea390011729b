import { readFileSync, writeFileSync } from 'node:fs';
import { stripVTControlCharacters } from 'node:util';
import Mocha from 'mocha';

/** How many tests of a suite passed, failed and were skipped. */
export interface Totals {
  passed: number;
  failed: number;
  skipped: number;
  /** `failureText` of those that failed. */
  failures: readonly string[];
  /** The milliseconds that tests and hooks of each file took. */
  times: Readonly<Record<string, number>>;
}

/** The environment variable that names the file for a suite's totals, as JSON. */
export const totalsVariable = 'TEST_TOTALS_FILE';

export const noTotals: Totals = { passed: 0, failed: 0, skipped: 0, failures: [], times: {} };

export function addTotals(...all: Totals[]): Totals {
  return all.reduce(
    (sum, one) => ({
      passed: sum.passed + one.passed,
      failed: sum.failed + one.failed,
      skipped: sum.skipped + one.skipped,
      failures: [...sum.failures, ...one.failures],
      times: addTimes(sum.times, one.times),
    }),
    noTotals,
  );
}

function addTimes(times: Totals['times'], more: Totals['times']): Totals['times'] {
  const sum: Record<string, number> = { ...times };
  for (const [file, took] of Object.entries(more)) sum[file] = (sum[file] ?? 0) + took;
  return sum;
}

/** Names the files that took longest, so that what makes a run slow is seen. */
export function heaviest({ times }: Totals, count = 5): string {
  const sorted = Object.entries(times).sort(([, one], [, other]) => other - one);
  return sorted
    .slice(0, count)
    .map(([file, took]) => `${file} ${(took / 1000).toFixed(1)} s`)
    .join(', ');
}

/** `N passed, N failed`, the closing line of a run. */
export function totalsLine({ passed, failed, skipped }: Totals): string {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}

/** The totals that a suite left in `file`; undefined if it never got that far. */
export function readTotals(file: string): Totals | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Totals;
  } catch {
    return undefined;
  }
}

/**
 * The totals of a suite that ended with `code`. If it ran no test or failed without a failed test, it has one failure.
 */
export function totalsOfEnded(code: number | string, totals = noTotals): Totals {
  const ran = totals.passed + totals.failed + totals.skipped > 0;
  return totals.failed === 0 && (code !== 0 || !ran) ? { ...totals, failed: 1 } : totals;
}

/** Writes totals to `file`, or to the one that the parent process asked for. Does nothing without either. */
export function reportTotals(totals: Totals, file = process.env[totalsVariable]): void {
  if (file) writeFileSync(file, JSON.stringify(totals));
}

/**
 * A failed test for a summary that may be all that's left of a run: its title, then lines with its error and location.
 */
export function failureText(title: string, error: unknown): string {
  // A parallel run passes errors as plain objects with the same fields.
  const { stack: text = String(error) } = Object(error) as { stack?: string };
  const stack = stripVTControlCharacters(text).split('\n');
  const isFrame = (line: string) => /^ +at /.test(line);
  const message = stack.filter((line) => line.trim() !== '' && !isFrame(line)).slice(0, 12);
  const frames = stack.filter((line) => isFrame(line) && !line.includes('node_modules')).slice(0, 3);
  return [title, ...[...message, ...frames].map((line) => `  ${line.trim().slice(0, 300)}`)].join('\n');
}

/**
 * Adds the milliseconds of a test or hook to those of its file, which is named by its path in `test`, or in the folder
 * of compiled host tests.
 */
export function addTime(
  times: Record<string, number>,
  { file, duration }: { file?: string | undefined; duration?: number | undefined },
): void {
  // A skipped test has no duration, and a hook outside of all suites no file.
  if (file === undefined || duration === undefined) return;
  const name = file.replaceAll('\\', '/').replace(/^.*\/(?:test|out\/[\w-]+)\//, '');
  times[name] = (times[name] ?? 0) + duration;
}

/**
 * Mocha's `spec` reporter, which also reports the totals, and each failure right away. A failing hook counts as a
 * failed test.
 */
export default class TotalsReporter extends Mocha.reporters.Spec {
  constructor(runner: Mocha.Runner, options?: Mocha.MochaOptions) {
    super(runner, options);
    const {
      EVENT_TEST_PASS,
      EVENT_TEST_FAIL,
      EVENT_TEST_PENDING,
      EVENT_RUN_END,
      EVENT_TEST_END,
      EVENT_HOOK_END,
    } = Mocha.Runner.constants;
    const totals = { ...noTotals };
    const failures: string[] = [];
    const times: Record<string, number> = {};
    const time = (one: Mocha.Runnable) => addTime(times, one);
    runner.on(EVENT_TEST_END, time);
    runner.on(EVENT_HOOK_END, time);
    runner.on(EVENT_TEST_PASS, () => totals.passed++);
    runner.on(EVENT_TEST_FAIL, (test: Mocha.Runnable, error: unknown) => {
      totals.failed++;
      failures.push(failureText(test.titlePath().join(': '), error));
      // Shows failures right away, because a long run lists them only at its end.
      console.log(error instanceof Error ? error.stack : error);
    });
    runner.on(EVENT_TEST_PENDING, () => totals.skipped++);
    const file = (options?.reporterOptions as { totalsFile?: string } | undefined)?.totalsFile;
    runner.on(EVENT_RUN_END, () => reportTotals({ ...totals, failures, times }, file));
  }
}
