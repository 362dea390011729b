import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';
import { onEnd, UserError } from './lifetime';
import { findOnPath } from './processes';

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

/** The path of a Chromium-like browser: the environment variable `CHROMIUM_PATH`, else an installed one. */
export function findChromium(): string {
  const chosen = process.env['CHROMIUM_PATH'];
  if (chosen) {
    if (!existsSync(chosen)) throw new UserError(`CHROMIUM_PATH is "${chosen}", and there is no such file.`);
    return chosen;
  }
  const found = fixedPlaces.find((place) => existsSync(place)) ?? firstOnPath();
  if (!found) {
    throw new UserError(
      'The tests need Chromium or Chrome. Install it (Debian: apt-get install chromium), or set CHROMIUM_PATH to its program.',
    );
  }
  return found;
}

function firstOnPath(): string | undefined {
  for (const name of names) {
    const found = findOnPath(name);
    if (found) return found;
  }
  return undefined;
}

/** Starts a headless browser that makes no requests of its own and ends with this script at the latest. */
export async function launchChromium(): Promise<Browser> {
  const browser = await chromium.launch({
    executablePath: findChromium(),
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
