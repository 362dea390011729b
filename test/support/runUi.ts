import { readdir } from 'node:fs/promises';
import path from 'node:path';
import { parseArgs } from 'node:util';
import Mocha from 'mocha';
import { extensionId } from '../../src/ids';
import { testFiles } from './build';
import { installExtension } from './editor/codeServer';
import { installCodeServer } from './editor/install';
import { addTranslation, translation } from './l10n/locales';
import { pseudoLocale } from './l10n/pseudo';
import { runMain, tempFolder } from './lifetime';
import { packageExtension } from './vsix';
import TotalsReporter from './reporter';
import { setUi } from './ui';

const filesAtATime = 2;

/** The pseudo-locale is no part of the package. */
async function addPseudoLocale(extensionsFolder: string): Promise<void> {
  const name = (await readdir(extensionsFolder)).find((folder) => folder.startsWith(`${extensionId}-`));
  if (name === undefined) throw new Error('The extension was not installed.');
  const folder = path.join(extensionsFolder, name);
  await addTranslation(folder, pseudoLocale, translation(pseudoLocale));
}

/**
 * The packaged extension in a real workbench with a real extension host, in a real browser. This is code-server on
 * every machine, also where the host tests use desktop VS Code.
 */
async function main(): Promise<number> {
  const { values, positionals } = parseArgs({
    options: { grep: { type: 'string' } },
    allowPositionals: true,
  });
  const codeServer = await installCodeServer();
  const folder = await tempFolder();
  console.log('UI tests: packaging the extension and installing it in code-server.');
  const vsix = path.join(folder.path, 'extension.vsix');
  await packageExtension(vsix);
  const extensionsFolder = await installExtension(codeServer, vsix);
  await addPseudoLocale(extensionsFolder);
  setUi({ codeServer, extensionsFolder });

  const mocha = new Mocha({
    ui: 'bdd',
    timeout: 90_000,
    forbidOnly: true,
    // Each file has editors, services, and browsers of its own, and waits for them most of the time.
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
