import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { Locator, Page, PageScreenshotOptions } from 'playwright-core';
import { screenshotFolder } from './paths';

/** Whether tests take pictures for people to look at. No test compares them, and in four themes they take minutes. */
export const takesPictures = process.env['AW_TEST_PICTURES'] !== undefined;

type Options = Omit<PageScreenshotOptions, 'path' | 'clip'>;

/** Takes a picture for people to look at, if somebody wants to. */
export async function takePicture(of: Page | Locator, name: string, options?: Options): Promise<void> {
  if (takesPictures) await savePicture(of, name, options);
}

/** Saves a picture to `.screenshots/<name>.png`. */
export async function savePicture(of: Page | Locator, name: string, options?: Options): Promise<void> {
  mkdirSync(screenshotFolder, { recursive: true });
  const file = path.join(screenshotFolder, `${name.replaceAll(/[^\w.-]+/g, '-')}.png`);
  await of.screenshot({ ...options, path: file });
}
