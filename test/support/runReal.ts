import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { startGitHost } from '../real/support/gitHost';
import { installRelease } from '../real/support/install';
import { ScriptedModel } from '../real/support/model';
import { releaseOf, releases, type Release } from '../real/support/releases';
import { startRealService } from '../real/support/service';
import { setReal } from '../real/support/suite';
import { testFiles } from './build';
import { runMain, tempFolder, type TempFolder } from './lifetime';
import { startProcess } from './processes';
import TotalsReporter, {
  addTotals,
  readTotals,
  reportTotals,
  totalsLine,
  totalsOfEnded,
  totalsVariable,
  type Totals,
} from './reporter';
import { prepareUi } from './uiSetup';

/**
 * How many releases to test at once, each in its own process: starting a sandbox keeps one core busy, but much of the
 * rest waits.
 */
const atATime = 3;

/** Tests the client and the packaged extension with public releases of the service, which run on this computer. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' }, version: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  const chosen = values.version?.map(releaseOf) ?? releases;
  const [only, ...others] = chosen;
  if (others.length === 0) return testOne(only, positionals, values.grep);
  const more = [...positionals, ...(values.grep === undefined ? [] : ['--grep', values.grep])];
  const totals = await testAll(chosen, more);
  reportTotals(totals);
  console.log(`\nReal servers: ${totalsLine(totals)}`);
  return totals.failed === 0 ? 0 : 1;
}

async function testOne(release: Release, positionals: string[], grep: string | undefined): Promise<number> {
  const installed = await installRelease(release);
  const gitHost = await startGitHost();
  const { model, url } = await ScriptedModel.start();
  console.log(`\nTests with a real server: ${release.requirement}. It takes a minute or two to start.`);
  const service = await startRealService(release, installed, gitHost.authority);
  setReal({ release, service, model, modelUrl: url, gitHost });

  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 90_000,
    forbidOnly: true,
    reporter: TotalsReporter as unknown as Mocha.ReporterConstructor,
    ...(grep !== undefined && { grep }),
  });
  const files =
    positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : await testFiles('test/real');
  for (const file of files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  await service.stop();
  return failures === 0 ? 0 : 1;
}

/** Tests releases side by side, and prints their output one after another. */
async function testAll(chosen: readonly Release[], more: readonly string[]): Promise<Totals> {
  for (const release of chosen) await installRelease(release);
  await prepareUi();
  const results = await tempFolder();
  const runs: Run[] = [];
  for (const release of chosen) {
    const before = untilAtMost(
      atATime - 1,
      runs.map(({ ended }) => ended),
    );
    runs.push(runAfter(before, release, more, results));
  }
  const all: Totals[] = [];
  for (const { ended, show } of runs) {
    show();
    all.push(await ended);
  }
  return addTotals(...all);
}

/** Resolves once at most `count` of these are left to end. */
function untilAtMost(count: number, all: readonly Promise<unknown>[]): Promise<void> {
  return new Promise((resolve) => {
    let left = all.length;
    const check = () => left <= count && resolve();
    for (const one of all) {
      void one.then(() => {
        left -= 1;
        check();
      });
    }
    check();
  });
}

/** The tests of one release, in their own process. */
interface Run {
  readonly ended: Promise<Totals>;
  /** Prints the output so far, and from now on every new line. */
  readonly show: () => void;
}

function runAfter(
  before: Promise<unknown> | undefined,
  { version }: Release,
  more: readonly string[],
  results: TempFolder,
): Run {
  const held: string[] = [];
  let print = (line: string): void => void held.push(line);
  const run = async (): Promise<Totals> => {
    await before;
    const file = path.join(results.path, `${version}.json`);
    const started = startProcess(
      process.execPath,
      ['--require', 'tsx/cjs', __filename, '--version', version, ...more],
      { env: { ...process.env, [totalsVariable]: file }, onLine: (line) => print(line) },
    );
    return totalsOfEnded(await started.ended, readTotals(file));
  };
  return {
    ended: run(),
    show: () => {
      for (const line of held) console.log(line);
      print = (line) => console.log(line);
    },
  };
}

runMain(main);
