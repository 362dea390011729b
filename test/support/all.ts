import path from 'node:path';
import { findChromium } from './chromium';
import { findEditor } from './editor';
import { editorAges, installCodeServer } from './editor/install';
import { describeError, runMain, tempFolder } from './lifetime';
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

/** The suites in the order in which they run, each a program for Node. */
const suites: Record<string, string[]> = {
  unit: [
    path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js'),
    ...[
      '--config',
      path.join(projectFolder, 'test', 'unit', '.mocharc.json'),
      '--reporter',
      support('reporter.ts'),
    ],
  ],
  host: ['--require', 'tsx/cjs', support('runHost.ts')],
  'host of the oldest editor': ['--require', 'tsx/cjs', support('runHost.ts'), '--editor', 'oldest'],
  ui: ['--require', 'tsx/cjs', support('runUi.ts')],
};

/** Installs what the suites need and this machine lacks, so that a run fails at once or not at all. */
async function prepare(): Promise<void> {
  console.log('Preparing: a browser and an editor for the tests.');
  await findChromium();
  for (const age of editorAges) await findEditor(age);
  await installCodeServer();
}

/** Runs every suite, whatever became of those before, and closes with the totals over all of them. */
async function main(): Promise<number> {
  try {
    await prepare();
  } catch (error) {
    console.error(describeError(error));
    console.error('The tests did not run.');
    console.log(totalsLine({ ...noTotals, failed: 1 }));
    return 1;
  }
  const results = await tempFolder();
  const done: [string, Totals][] = [];
  for (const [name, args] of Object.entries(suites)) {
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
  for (const [name, totals] of done) console.log(`  ${name}: ${totalsLine(totals)}`);
  console.log(totalsLine(sum));
  return sum.failed === 0 ? 0 : 1;
}

runMain(main);
