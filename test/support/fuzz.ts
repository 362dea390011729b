import { randomInt } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { testFiles } from './build';
import { runMain, tempFolder, UserError } from './lifetime';
import { projectFolder } from './paths';
import { runNode } from './processes';

/** What Mocha’s JSON reporter writes, as far as it’s read here. */
interface Report {
  passes: { fullTitle: string }[];
  failures: { fullTitle: string; err: { message: string } }[];
}

/**
 * Runs the fuzz tests in rounds, each with a new seed, and prints how many cases each target had. Ends with the first
 * round that fails: its seed, and the smallest input that fails.
 *
 * `--minutes N` is the time after which no round begins; without it, there’s one. `--runs N` is the number of cases of a
 * target in a round. `--seed N` is the seed of the first round.
 */
runMain(async () => {
  const { values } = parseArgs({
    options: { minutes: { type: 'string' }, runs: { type: 'string' }, seed: { type: 'string' } },
  });
  const minutes = numberOf('minutes', values.minutes ?? '0');
  const runs = numberOf('runs', values.runs ?? (values.minutes === undefined ? '20000' : '2000'));
  const end = performance.now() + minutes * 60_000;
  const cases = new Map<string, number>();
  let seed = values.seed === undefined ? randomInt(2 ** 31) : numberOf('seed', values.seed);
  let failed: Report['failures'] = [];
  let rounds = 0;
  do {
    rounds += 1;
    console.log(`Round ${rounds}: --seed ${seed} --runs ${runs}`);
    const { passes, failures } = await round(seed, runs);
    failed = failures;
    for (const { fullTitle } of passes) {
      const [, target = fullTitle, own = `${runs}`] = /^(.*) \((\d+) cases\)$/.exec(fullTitle) ?? [];
      cases.set(target, (cases.get(target) ?? 0) + Number(own));
    }
    if (failed.length === 0) seed = randomInt(2 ** 31);
  } while (failed.length === 0 && performance.now() < end);

  for (const [target, count] of cases) console.log(`${String(count).padStart(10)}  ${target}`);
  for (const { fullTitle, err } of failed)
    console.log(`\nFailed with --seed ${seed}: ${fullTitle}\n${err.message}`);
  const total = [...cases.values()].reduce((sum, count) => sum + count, 0);
  console.log(
    `\n${total} cases of ${cases.size} targets in ${rounds} rounds, ${failed.length} targets failed.`,
  );
  return failed.length === 0 ? 0 : 1;
});

/** Runs all targets in a process of their own. */
async function round(seed: number, runs: number): Promise<Report> {
  const folder = await tempFolder();
  const output = path.join(folder.path, 'report.json');
  const mocha = path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const files = (await testFiles('test/unit')).filter((name) => name.endsWith('.fuzz.test.ts'));
  const setUp = path.join(projectFolder, 'test', 'support', 'fuzzSeed.ts');
  await runNode(
    [
      ...[mocha, '--no-config', '--require', 'tsx/cjs', '--require', setUp, '--timeout', '0'],
      ...['--reporter', 'json', '--reporter-option', `output=${output}`],
      ...files,
    ],
    { ...process.env, FUZZ_SEED: `${seed}`, FUZZ_RUNS: `${runs}` },
  );
  const report = JSON.parse(readFileSync(output, 'utf8')) as Report;
  await folder.remove();
  if (report.passes.length + report.failures.length === 0) throw new Error('No fuzz test ran.');
  return report;
}

function numberOf(option: string, text: string): number {
  const value = Number(text);
  if (text.trim() === '' || !(value >= 0))
    throw new UserError(`--${option} must be a number, not "${text}".`);
  return value;
}
