import { availableParallelism } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { testFiles } from './build';
import { runMain } from './lifetime';
import { projectFolder } from './paths';
import { testMs } from './patience';
import TotalsReporter from './reporter';
import { prepareUi } from './uiSetup';

/** What takes longest, to begin with: a long file that begins last keeps one core busy alone. */
const longest = [
  'changes',
  'startConversation',
  'locale/editor',
  'views/views',
  'startWithChanges',
  'watching',
].map((name) => path.join(projectFolder, 'test', 'ui', `${name}.test.ts`));

/** No more than there are cores: with three files, two cores were busy all the time, and each test waited for its turn. */
const filesAtATime = Math.min(3, availableParallelism());

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
    // Each file has its own editors, services, and browsers.
    parallel: true,
    jobs: filesAtATime,
    require: ['tsx/cjs'],
    reporter: TotalsReporter as unknown as Mocha.ReporterConstructor,
    ...(values.grep !== undefined && { grep: values.grep }),
  });
  const files =
    positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : await testFiles('test/ui');
  const first = longest.filter((file) => files.includes(file));
  for (const file of new Set([...first, ...files])) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  return failures === 0 ? 0 : 1;
}

runMain(main);
