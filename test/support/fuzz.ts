import path from 'node:path';
import { parseArgs } from 'node:util';
import { testFiles } from './build';
import { runMain } from './lifetime';
import { projectFolder } from './paths';
import { runNode } from './processes';

/** Runs the fuzz tests with more cases than the unit suite does: `--runs N` for each property, 20,000 by default. */
runMain(async () => {
  const { values } = parseArgs({ options: { runs: { type: 'string', default: '20000' } } });
  const mocha = path.join(projectFolder, 'node_modules', 'mocha', 'bin', 'mocha.js');
  const options = ['--require', 'tsx/cjs', '--timeout', '0', '--no-config'];
  const env = { ...process.env, FUZZ_RUNS: values.runs };
  return Number(await runNode([mocha, ...options, ...(await testFiles('test/unit/fuzz'))], env));
});
