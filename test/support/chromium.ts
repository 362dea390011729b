import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Browser } from 'playwright-core';
import { cached } from './cache';
import { onEnd, UserError } from './lifetime';
import { npmInstall, packageFolder, step } from './npm';
import { findOnPath, run } from './processes';
import { canInstallSystemPackages, installSystemPackages, missing, starts } from './systemPackages';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable', 'chrome', 'msedge'];

const fixedPlaces = [
  '/usr/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
];

/** A browser for the tests, and what its environment must say beside the usual. */
interface InstalledBrowser {
  program: string;
  env?: Record<string, string>;
}

const why = 'the browser that the tests drive';
/** A browser on a machine without fonts shows no text. */
const debianPackages = ['chromium', 'fonts-dejavu-core'];
const npmBrowser = { name: '@sparticuz/chromium', version: '153.0.0' };

/**
 * A Chromium-like browser: what the environment variable `CHROMIUM_PATH` names, else an installed one. Where there is
 * none it is installed: with apt-get as root, else from npm into the cache folder.
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
    await installSystemPackages(debianPackages, why);
    const program = installed();
    if (program) return { program };
  }
  if (process.platform === 'linux' && process.arch === 'x64') {
    const browser = await fromNpm();
    if (starts(browser.program, browser.env)) return browser;
  }
  throw missing(
    'The tests need Chromium or Chrome. Install it, or set CHROMIUM_PATH to its program.',
    debianPackages,
  );
}

/** The browser from npm brings the libraries and fonts that it needs. */
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

/** Its own names the places where a cloud function would have the fonts. A page with a control and no font ends the browser. */
const fontConfiguration = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

const installed = (): string | undefined => fixedPlaces.find((place) => existsSync(place)) ?? firstOnPath();

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
    // The script's own clean-up closes it; playwright would end the process before that is done.
    handleSIGINT: false,
    handleSIGTERM: false,
    handleSIGHUP: false,
  });
  const close = onEnd(() => browser.close());
  browser.once('disconnected', () => void close());
  return browser;
}
