import path from 'node:path';
import { installRelease } from '../real/support/install';
import { inEveryRun } from '../real/support/releases';
import { findChromium } from './chromium';
import { findEditor } from './editor';
import { editorAges, installCodeServer } from './editor/install';
import { describeError, runMain, tempFolder, UserError } from './lifetime';
import { projectFolder } from './paths';
import { runNode } from './processes';
import {
  addTotals,
  noTotals,
  readTotals,
  totalsLine,
  totalsOfEnded,
  totalsVariable,
  type Totals,
} from './reporter';

const support = (script: string): string => path.join(__dirname, script);

const realServers = 'real servers';

/** The suites in the order they run, each as arguments for Node. */
const suites: Record<string, string[]> = {
  unit: [
    path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    ...['--config', path.join(projectFolder, 'test', 'unit', '.mocharc.cjs')],
  ],
  host: ['--require', 'tsx/cjs', support('runHost.ts')],
  'host of the oldest editor': [
    '--require',
    'tsx/cjs',
    support('runHost.ts'),
    '--editor',
    'oldest',
    '--profile',
    'observed',
  ],
  ui: ['--require', 'tsx/cjs', support('runUi.ts')],
  [realServers]: [
    '--require',
    'tsx/cjs',
    support('runReal.ts'),
    ...inEveryRun.flatMap(({ version }) => ['--version', version]),
  ],
};

/**
 * Installs whatever the suites need and this machine lacks, so that a failed installation shows before any suite runs.
 */
async function prepare(): Promise<void> {
  console.log('Preparing a browser, an editor, and real servers for the tests.');
  await findChromium();
  for (const age of editorAges) await findEditor(age);
  await installCodeServer();
}

/** Installs real servers. Returns why this machine can't have them, which isn't a failure; undefined if it has them. */
async function prepareServers(): Promise<string | undefined> {
  try {
    for (const release of inEveryRun) await installRelease(release);
    return undefined;
  } catch (error) {
    if (error instanceof UserError) return error.message;
    throw error;
  }
}

/** Runs every suite, even after failures, and ends with the totals of all. */
async function main(): Promise<number> {
  let noServers: string | undefined;
  try {
    await prepare();
    noServers = await prepareServers();
  } catch (error) {
    console.error(describeError(error));
    console.error('The tests did not run.');
    console.log(totalsLine({ ...noTotals, failed: 1 }));
    return 1;
  }
  const results = await tempFolder();
  const done: [string, Totals][] = [];
  for (const [name, args] of Object.entries(suites)) {
    if (name === realServers && noServers !== undefined) continue;
    console.log(`\n── ${name} tests ──`);
    const file = path.join(results.path, `${name}.json`);
    const code = await runNode(args, { ...process.env, [totalsVariable]: file });
    const counted = readTotals(file);
    const totals = totalsOfEnded(code, counted);
    if (totals !== counted)
      console.error(`The ${name} tests ended early (${code}); this counts as a failure.`);
    done.push([name, totals]);
  }
  const sum = addTotals(...done.map(([, totals]) => totals));
  console.log('\nSummary');
  for (const [name, totals] of done) {
    console.log(`  ${name}: ${totalsLine(totals)}`);
    for (const failure of totals.failures) console.log(`    failed: ${failure.replaceAll('\n', '\n    ')}`);
  }
  if (noServers !== undefined) console.log(`  ${realServers}: not tested here. ${noServers}`);
  console.log(totalsLine(sum));
  return sum.failed === 0 ? 0 : 1;
}

runMain(main);
