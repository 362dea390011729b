import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { testFiles } from './build';
import { runMain } from './lifetime';
import { testMs } from './patience';
import TotalsReporter from './reporter';
import { prepareUi } from './uiSetup';

/** More than two cores can do at once: each file mostly waits for its windows. */
const filesAtATime = 3;

/**
 * Tests the packaged extension in a real workbench with a real extension host, in a real browser. That's code-server on
 * every machine, even where the host tests use desktop VS Code.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' } },
    allowPositionals: true,
  });
  await prepareUi();

  const mocha = new Mocha({
    ui: 'bdd',
    timeout: testMs,
    forbidOnly: true,
    // Each file has its own editors, services, and browsers, and mostly waits for them.
    parallel: true,
    jobs: filesAtATime,
    require: ['tsx/cjs'],
    reporter: TotalsReporter as unknown as Mocha.ReporterConstructor,
    ...(values.grep !== undefined && { grep: values.grep }),
  });
  const files =
    positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : await testFiles('test/ui');
  for (const file of files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  return failures === 0 ? 0 : 1;
}

runMain(main);
