import { randomInt } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { testFiles } from './build';
import { cached } from './cache';
import { runMain, uniqueFolder, UserError } from './lifetime';
import { readReport, summary } from './mutation/report';
import { sampleOf } from './mutation/sample';
import { npmInstall, packageFolder, step } from './npm';
import { outFolder, projectFolder } from './paths';
import { runNode } from './processes';

/** StrykerJS's Mocha runner works with Mocha 11 at most, so it gets its own. */
const packages = ['@stryker-mutator/core@9.6.1', '@stryker-mutator/mocha-runner@9.6.1', 'mocha@11.8.0'];

/** Fast tests of code that uses most of the other folders. */
const users = ['conversation', 'conversations', 'sandboxes', 'settings', 'tools'].map(
  (name) => `test/unit/${name}`,
);

/** The tests of code, without those of the project, such as its package and its texts. */
const allTests = 'test/unit/!(faults|fuzz|service|support)/**/*.test.ts';

/**
 * `npm run mutation -- src/shared src/api/http/ids.ts` shows how well unit tests guard these files: those of the same
 * folder and of its main users, or those named by `--tests`. Each small change, such as a negated condition, should
 * make one of them fail. Prints the changes that no test notices, except those explained in `mutation/answers.json`;
 * fails if there are any.
 *
 * `npm run mutation -- --sample 10` changes ten random lines of each room of src instead, and runs all unit tests of
 * rooms; with folders, ten of each, and it runs the tests above. It prints its seed; `--seed` repeats it.
 *
 * `npm run mutation -- --host --sample 2` does this with the code that needs an editor, and runs the host tests.
 */
runMain(async () => {
  const { values, positionals } = parseArgs({
    options: {
      tests: { type: 'string', multiple: true },
      host: { type: 'boolean', default: false },
      constants: { type: 'boolean', default: false },
      sample: { type: 'string' },
      seed: { type: 'string', default: String(randomInt(2 ** 31)) },
    },
    allowPositionals: true,
  });
  const guard = values.host ? 'host' : 'unit';
  const sample =
    values.sample === undefined
      ? undefined
      : await sampleOf(guard, Number(values.sample), Number(values.seed), positionals);
  if (sample) console.log(`${sample.length} lines, with --seed ${values.seed}`);
  if (!sample && positionals.length === 0) throw new UserError('Name files or folders in src.');
  const files = sample ?? positionals.map(globOf);
  const near = values.host
    ? await testFiles('test/host')
    : positionals.length === 0
      ? [allTests]
      : [...positionals.map(testsOf), ...users].map(testGlobOf);
  const tests = values.tests?.map(testGlobOf) ?? near;
  // StrykerJS keeps a processor busy for minutes, but tests in an editor fail if that takes too long.
  const { PRIORITY_LOW, PRIORITY_BELOW_NORMAL } = os.constants.priority;
  os.setPriority(values.host ? PRIORITY_BELOW_NORMAL : PRIORITY_LOW);
  const report = path.join(uniqueFolder(outFolder, 'mutation').path, 'report.json');
  const code = await runNode([await install(), 'run', path.join(__dirname, 'mutation', 'config.mjs')], {
    ...process.env,
    // Fewer cases than usual, since most changes show in the first ones.
    SETTINGS_MODEL_RUNS: '200',
    TRANSCRIPT_MODEL_RUNS: '200',
    FUZZ_RUNS: '100',
    MUTATION_GUARD: guard,
    MUTATION_FILES: files.join('\n'),
    MUTATION_TESTS: tests.join('\n'),
    MUTATION_REPORT: report,
    MUTATION_CONSTANTS: String(values.constants),
  });
  if (code !== 0) return 1;
  const { lines, open } = summary(readReport(readFileSync(report, 'utf8')), answers(), sample !== undefined);
  console.log(lines.join('\n'));
  return open === 0 ? 0 : 1;
});

/** Installs StrykerJS. Returns the path of its program. */
async function install(): Promise<string> {
  const folder = await cached('mutation', packages, (building) =>
    step('StrykerJS', async () => npmInstall(process.execPath, await packageFolder(building), ...packages)),
  );
  return path.join(folder, 'node_modules', '@stryker-mutator', 'core', 'bin', 'stryker.js');
}

/** The files of a folder, or the file. */
function globOf(name: string): string {
  return isFolder(name) ? `${name}/**/*.ts` : name;
}

function testGlobOf(name: string): string {
  return isFolder(name) ? `${name}/**/*.test.ts` : name;
}

function isFolder(name: string): boolean {
  return statSync(path.join(projectFolder, name), { throwIfNoEntry: false })?.isDirectory() === true;
}

/** The nearest folder of unit tests for a place in src. */
function testsOf(name: string): string {
  const folder = name.replace(/^src\/(?:features\/)?/, 'test/unit/').replace(/\.ts$/, '');
  return isFolder(folder) ? folder : testsOf(path.dirname(folder));
}

/** Why no test can notice a change, by file and change. */
function answers(): Record<string, Record<string, string>> {
  const file = path.join(__dirname, 'mutation', 'answers.json');
  return JSON.parse(readFileSync(file, 'utf8')) as Record<string, Record<string, string>>;
}
