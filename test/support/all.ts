import { closeSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { installRelease } from '../real/support/install';
import { inEveryRun } from '../real/support/releases';
import { findChromium } from './chromium';
import { findEditor } from './editor';
import { editorAges, installCodeServer } from './editor/install';
import { describeError, runMain, tempFolder, UserError, type TempFolder } from './lifetime';
import { outFolder } from './paths';
import { runNode } from './processes';
import {
  addTotals,
  heaviest,
  noTotals,
  readTotals,
  totalsLine,
  totalsOfEnded,
  totalsVariable,
  type Totals,
} from './reporter';
import { mainSuites, otherSuites, type Suite } from './suites';
import { prepareUi } from './uiSetup';

/** How a suite ended. */
interface Ended {
  name: string;
  totals: Totals;
  seconds: number;
}

/** How a run has gone so far. */
interface Progress {
  /** Milliseconds since the epoch. */
  started: number;
  ended: Ended[];
}

/** A run that is to be of use ends, however busy the computer is. What has no time left fails. */
const limitMs = 80 * 60_000;

/** Where `npm test` leaves how its suites ended, for `npm run test:all -- --rest`. */
const progressFile = path.join(outFolder, 'tested.json');

/**
 * Installs whatever the suites need and this machine lacks, so that a failed installation shows before any suite runs.
 */
async function prepare(all: boolean): Promise<void> {
  console.log('Preparing a browser and an editor for the tests.');
  await findChromium();
  for (const age of all ? editorAges : (['newest'] as const)) await findEditor(age);
  await installCodeServer();
  // Windows of several suites follow, which share this package.
  if (all) await prepareUi();
}

/** Installs real servers. Returns why this machine can't have them, which isn't a failure; undefined if it has them. */
async function prepareServers(): Promise<string | undefined> {
  console.log('Preparing real servers.');
  try {
    for (const release of inEveryRun) await installRelease(release);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Runs a suite, and what runs beside it, whose output follows. */
async function runSuites(suite: Suite, results: TempFolder, remainingMs: number): Promise<Ended[]> {
  if (!suite.beside) return [await runSuite(suite, results, remainingMs)];
  const [output, file] = [path.join(results.path, 'output.txt'), path.join(results.path, 'beside.json')];
  const open = openSync(output, 'w');
  const ended = await Promise.all([
    runSuite(suite, results, remainingMs),
    runSuite(suite.beside, results, remainingMs, { file, output: open }),
  ]);
  closeSync(open);
  console.log(`\n── ${suite.beside.name} tests, which ran at the same time ──`);
  process.stdout.write(readFileSync(output));
  return ended;
}

async function runSuite(
  { name, args, env }: Suite,
  results: TempFolder,
  remainingMs: number,
  { file, output } = {
    file: path.join(results.path, 'totals.json'),
    output: undefined as number | undefined,
  },
): Promise<Ended> {
  if (remainingMs <= 0)
    return { name, totals: { ...noTotals, failed: 1, failures: ['not run: no time left'] }, seconds: 0 };
  if (output === undefined) console.log(`\n── ${name} tests ──`);
  rmSync(file, { force: true });
  const started = performance.now();
  const code = await runNode(args, { ...process.env, ...env, [totalsVariable]: file }, remainingMs, output);
  const seconds = (performance.now() - started) / 1000;
  const counted = readTotals(file);
  const totals = totalsOfEnded(code, counted);
  if (totals !== counted) console.error(`The ${name} tests ended early (${code}); this counts as a failure.`);
  return { name, totals, seconds };
}

function summarize(ended: readonly Ended[]): void {
  console.log('\nSummary');
  for (const { name, totals, seconds } of ended) {
    const [minutes, rest] = [Math.floor(seconds / 60), Math.round(seconds % 60)];
    console.log(`  ${name}: ${totalsLine(totals)}, in ${minutes} min ${rest} s`);
    console.log(`    slowest files: ${heaviest(totals)}`);
    for (const failure of totals.failures) console.log(`    failed: ${failure.replaceAll('\n', '\n    ')}`);
  }
}

/** How the last `npm test` has gone. Throws a UserError if there was none. */
function readProgress(): Progress {
  try {
    return JSON.parse(readFileSync(progressFile, 'utf8')) as Progress;
  } catch {
    throw new UserError('--rest completes a run of npm test, and there was none. Run that first.');
  }
}

/** Runs the suites, even after failures, and ends with the totals of all. */
async function main(): Promise<number> {
  const { values } = parseArgs({ options: { all: { type: 'boolean' }, rest: { type: 'boolean' } } });
  const [isMain, isRest] = [values.all !== true, values.rest === true];
  let progress: Progress = { started: Date.now(), ended: [] };
  let noServers: string | undefined;
  try {
    if (isRest) progress = readProgress();
    rmSync(progressFile, { force: true });
    await prepare(!isMain);
    if (!isMain) noServers = await prepareServers();
  } catch (error) {
    console.error(describeError(error));
    console.error('The tests did not run.');
    console.log(
      totalsLine(addTotals(...progress.ended.map(({ totals }) => totals), { ...noTotals, failed: 1 })),
    );
    return 1;
  }
  const suites = [...(isRest ? [] : mainSuites()), ...(isMain ? [] : await otherSuites())];
  const { started, ended } = progress;
  const results = await tempFolder();
  for (const suite of suites) {
    if (suite.needsServers && noServers !== undefined) continue;
    ended.push(...(await runSuites(suite, results, started + limitMs - Date.now())));
  }
  if (isMain) {
    mkdirSync(outFolder, { recursive: true });
    writeFileSync(progressFile, JSON.stringify(progress));
  }
  summarize(ended);
  if (noServers !== undefined) console.log(`  real servers: not tested here. ${noServers}`);
  const sum = addTotals(...ended.map(({ totals }) => totals));
  console.log(totalsLine(sum));
  return sum.failed === 0 ? 0 : 1;
}

runMain(main);
