import { mkdir, readdir, symlink } from 'node:fs/promises';
import path from 'node:path';
import { extensionId } from '../../src/ids';
import { findChromium } from './chromium';
import { installExtension } from './editor/codeServer';
import { installCodeServer, type InstalledCodeServer } from './editor/install';
import { addTranslation, translation } from './l10n/locales';
import { pseudoLocale } from './l10n/pseudo';
import { tempFolder } from './lifetime';
import { packageExtension } from './vsix';

/** Shared by all suites that open windows with the packaged extension. */
interface UiSetup {
  codeServer: InstalledCodeServer;
  /** Where the packaged extension is installed. */
  extensionsFolder: string;
  /** The built-in extensions of the editor that the tests' windows have. */
  builtInFolder: string;
}

/**
 * The built-in extensions that the tests rely on: git, settings, themes, and a few languages. With all hundred, a
 * window takes a seventh longer to start, for grammars that no test looks at.
 */
const builtIns = [
  ...[
    'configuration-editing',
    'diff',
    'git',
    'git-base',
    'javascript',
    'json',
    'json-language-features',
    'log',
  ],
  ...['markdown-basics', 'markdown-language-features', 'media-preview', 'merge-conflict'],
  ...['theme-defaults', 'theme-modern-icons', 'theme-seti', 'typescript-basics'],
];

/** The environment variable with the `UiSetup` as JSON, because test files run in their own processes. */
const setupVariable = 'UI_TEST_SETUP';

/** Packages the extension and installs it in code-server. Once is enough for all suites of a run. */
export async function prepareUi(): Promise<void> {
  if (process.env[setupVariable] !== undefined) return;
  // The test files run in their own processes, and two can't install the browser at once.
  await findChromium();
  const codeServer = await installCodeServer();
  const folder = await tempFolder();
  console.log('Packaging the extension and installing it in code-server.');
  const vsix = path.join(folder.path, 'extension.vsix');
  await packageExtension(vsix);
  const extensionsFolder = await installExtension(codeServer, vsix);
  await addPseudoLocale(extensionsFolder);
  const builtInFolder = path.join(folder.path, 'built-in');
  await mkdir(builtInFolder);
  for (const name of builtIns)
    await symlink(path.join(codeServer.builtIns, name), path.join(builtInFolder, name), 'junction');
  process.env[setupVariable] = JSON.stringify({
    codeServer,
    extensionsFolder,
    builtInFolder,
  } satisfies UiSetup);
}

/** The setup that `prepareUi` made. Throws if there is none. */
export function uiSetup(): UiSetup {
  const setup = process.env[setupVariable];
  if (setup === undefined) throw new Error('Run UI tests with "npm run test:ui".');
  return JSON.parse(setup) as UiSetup;
}

/** The package doesn't contain the pseudo-locale. */
async function addPseudoLocale(extensionsFolder: string): Promise<void> {
  const name = (await readdir(extensionsFolder)).find((folder) => folder.startsWith(`${extensionId}-`));
  if (name === undefined) throw new Error('The extension wasn’t installed.');
  const folder = path.join(extensionsFolder, name);
  await addTranslation(folder, pseudoLocale, translation(pseudoLocale));
}
