import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { startGitHost } from '../real/support/gitHost';
import { installRelease } from '../real/support/install';
import { ScriptedModel } from '../real/support/model';
import { releases, type Release } from '../real/support/releases';
import { startRealService } from '../real/support/service';
import { setReal } from '../real/support/suite';
import { testFiles } from './build';
import { runMain, tempFolder, UserError } from './lifetime';
import TotalsReporter, {
  addTotals,
  noTotals,
  readTotals,
  reportTotals,
  totalsLine,
  totalsOfEnded,
  type Totals,
} from './reporter';

/** The client against public releases of the service, each installed from the package index and run on this computer. */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' }, version: { type: 'string', multiple: true } },
    allowPositionals: true,
  });
  const chosen = (values.version ?? releases.map(({ version }) => version)).map(releaseOf);
  const files =
    positionals.length > 0 ? positionals.map((file) => path.resolve(file)) : await testFiles('test/real');
  let totals = noTotals;
  for (const release of chosen) totals = addTotals(totals, await test(release, files, values.grep));
  reportTotals(totals);
  console.log(`\nReal servers: ${totalsLine(totals)}`);
  return totals.failed === 0 ? 0 : 1;
}

function releaseOf(version: string): Release {
  const release = releases.find((one) => one.version === version);
  if (release) return release;
  throw new UserError(`--version can be ${releases.map((one) => one.version).join(', ')}.`);
}

async function test(release: Release, files: readonly string[], grep: string | undefined): Promise<Totals> {
  const python = await installRelease(release);
  const gitHost = await startGitHost();
  const { model, url } = await ScriptedModel.start();
  console.log(`\nTests with a real server: ${release.requirement}. It takes a minute or two to start.`);
  const service = await startRealService(release, python, gitHost.authority);
  setReal({ release, service, model, modelUrl: url, gitHost });

  const results = await tempFolder();
  const totalsFile = path.join(results.path, 'totals.json');
  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 90_000,
    forbidOnly: true,
    reporter: TotalsReporter as unknown as Mocha.ReporterConstructor,
    reporterOptions: { totalsFile },
    ...(grep !== undefined && { grep }),
  });
  for (const file of files) mocha.addFile(file);
  const failures = await new Promise<number>((resolve) => mocha.run(resolve));
  // The next release’s tests are read anew.
  mocha.unloadFiles();
  await service.stop();
  return totalsOfEnded(failures === 0 ? 0 : 1, readTotals(totalsFile));
}

runMain(main);
