import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { cached } from './cache';
import { describeError, onEnd, UserError } from './lifetime';
import { npmInstall, packageFolder, step } from './npm';
import { findOnPath, run } from './processes';
import { canInstallSystemPackages, installSystemPackages, missing, starts } from './systemPackages';

/** First those without windows of their own, which take a sixth less time to open a page of the editor. */
const names = [
  ...['chromium-headless-shell', 'chrome-headless-shell'],
  ...['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'],
];

const fixedPlaces = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A browser for the tests, and the environment variables it needs in addition to the usual ones. */
interface InstalledBrowser {
  program: string;
  env?: Record<string, string>;
}

const why = 'the browser that the tests drive';
/** Without fonts, a browser shows no text. */
const debianPackages = ['chromium-headless-shell', 'fonts-dejavu-core'];
const npmBrowser = { name: '@sparticuz/chromium', version: '153.0.0' };

/**
 * Finds a Chromium-like browser: the one that the environment variable `CHROMIUM_PATH` names, or else an installed one.
 * If there is none, installs one with apt-get as root, or else from npm into the cache folder.
 */
export async function findChromium(): Promise<InstalledBrowser> {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) {
    if (!existsSync(chosen)) throw new UserError(`CHROMIUM_PATH is "${chosen}", but there is no such file.`);
    return { program: chosen };
  }
  const found = installed();
  if (found) return { program: found };
  if (canInstallSystemPackages()) {
    // Not every release has these packages.
    await installSystemPackages(debianPackages, why).catch((error: unknown) =>
      console.log(describeError(error)),
    );
    const program = installed();
    if (program) return { program };
  }
  if (process.platform === 'linux' && process.arch === 'x64') {
    const browser = await fromNpm();
    if (starts(browser.program, browser.env)) return browser;
  }
  throw missing(
    'The tests need Chromium or Chrome. Install one, or set CHROMIUM_PATH to its executable.',
    debianPackages,
  );
}

/** The browser from npm comes with the libraries and fonts that it needs. */
async function fromNpm(): Promise<InstalledBrowser> {
  const folder = await cached(`chromium-${npmBrowser.version}`, npmBrowser, (building) =>
    step(`${npmBrowser.name} ${npmBrowser.version} from npm (${why})`, async () => {
      const place = await packageFolder(building);
      await npmInstall(process.execPath, place, `${npmBrowser.name}@${npmBrowser.version}`);
      // It unpacks into the temporary folder.
      await run(process.execPath, ['--input-type=module', '-e', unpack], {
        cwd: place,
        env: { ...process.env, TMPDIR: place },
      });
      await writeFile(path.join(place, 'fonts', 'fonts.conf'), fontConfiguration);
    }),
  );
  return {
    program: path.join(folder, 'chromium'),
    env: {
      LD_LIBRARY_PATH: path.join(folder, 'al2023', 'lib'),
      FONTCONFIG_PATH: path.join(folder, 'fonts'),
    },
  };
}

const unpack = `
  import { inflate } from '${npmBrowser.name}';
  for (const part of ['chromium.br', 'fonts.tar.br', 'swiftshader.tar.br', 'al2023.tar.br'])
    await inflate('node_modules/${npmBrowser.name}/bin/' + part);`;

/**
 * The package's own configuration names the folders where a cloud function has fonts. Without a font, any page with a
 * form control crashes the browser.
 */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const installed = (): string | undefined => firstOnPath() ?? fixedPlaces.find((place) => existsSync(place));

function firstOnPath(): string | undefined {
  for (const name of names) {
    const found = findOnPath(name);
    if (found) return found;
  }
  return undefined;
}

/** Starts a headless browser that makes no requests of its own and ends with this script at the latest. */
export async function launchChromium(): Promise<Browser> {
  const { program, env } = await findChromium();
  const browser = await chromium.launch({
    executablePath: program,
    ...(env && { env: { ...process.env, ...env } }),
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
    // The script's own cleanup closes it. Playwright would end the process before the cleanup is done.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const close = onEnd(() => browser.close());
  browser.once('disconnected', () => void close());
  return browser;
}
