import { readdirSync } from 'node:fs';
import path from 'node:path';
import { extensionId } from '../../../src/ids';
import { launchChromium } from '../../support/chromium';
import { serverEnvironment } from '../../support/editor/codeServer';
import { installCodeServer } from '../../support/editor/install';
import { tempFolder } from '../../support/lifetime';
import { run } from '../../support/processes';
import { packageExtension } from '../../support/vsix';
import { lazily } from './lazily';
import {
  emptyExtension,
  fetchedRowsExtension,
  floorExtension,
  focusExtension,
  oneRowExtension,
  packTinyExtension,
} from './tinyExtension';

/** The extension as users get it, installed together with the small ones it's compared with. */
export interface Packaged {
  vsix: string;
  /** Contains all of them. */
  extensionsFolder: string;
  /** Our unpacked extension inside `extensionsFolder`. */
  extensionFolder: string;
}

/** One production build for all sections. */
export const packaged = lazily(async (): Promise<Packaged> => {
  const { path: folder } = await tempFolder();
  const vsix = path.join(folder, 'extension.vsix');
  await packageExtension(vsix);
  const all = [
    vsix,
    await packTinyExtension(emptyExtension, folder),
    await packTinyExtension(floorExtension(), folder),
    await packTinyExtension(oneRowExtension, folder),
    await packTinyExtension(fetchedRowsExtension, folder),
    await packTinyExtension(focusExtension, folder),
  ];
  const { node, serverMain } = await editor();
  const extensionsFolder = path.join(folder, 'ext');
  await run(
    node,
    [
      ...[serverMain, '--accept-server-license-terms', '--server-data-dir', folder],
      ...['--extensions-dir', extensionsFolder],
      ...all.flatMap((file) => ['--install-extension', file]),
    ],
    { env: serverEnvironment(folder) },
  );
  const name = readdirSync(extensionsFolder).find((entry) => entry.startsWith(`${extensionId}-`));
  if (name === undefined) throw new Error('The packaged extension was not installed.');
  return { vsix, extensionsFolder, extensionFolder: path.join(extensionsFolder, name) };
});

export const editor = lazily(() => installCodeServer());

export const browser = lazily(launchChromium);
