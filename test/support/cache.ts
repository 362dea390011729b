import { mkdir, readdir, readFile, rename, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { removeFolder, uniqueFolder } from './lifetime';
import { editorCacheFolder } from './paths';
import { isAlive } from './processList';

const markerName = 'installed.json';

/**
 * Returns the folder `name` of the cache, which `build` fills if it isn't there yet. `marker` identifies the content: a
 * folder with another marker is built again.
 */
export async function cached(
  name: string,
  marker: unknown,
  build: (folder: string) => Promise<void>,
  cache = editorCacheFolder,
): Promise<string> {
  const folder = path.join(cache, name);
  const expected = JSON.stringify(marker);
  const isComplete = async (at: string) =>
    (await readFile(path.join(at, markerName), 'utf8').catch(() => '')) === expected;
  if (await isComplete(folder)) return folder;
  await mkdir(cache, { recursive: true });
  await removeAbandoned(cache);
  // Built elsewhere and moved into place when complete, so that an interrupted run leaves nothing half done.
  const building = uniqueFolder(cache, `installing-${process.pid}`);
  await build(building.path);
  await writeFile(path.join(building.path, markerName), expected);
  await rename(building.path, folder).catch(async () => {
    // Another run may have finished first: its result is just as good, and already in use.
    if (await isComplete(folder)) return;
    const old = `${building.path}-old`;
    await rename(folder, old);
    const isTaken = await isComplete(old);
    await rename(isTaken ? old : building.path, folder);
    await removeFolder(old);
  });
  await building.remove();
  return folder;
}

/** Removes the unfinished installations of interrupted runs. */
async function removeAbandoned(cache: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const pid = /^installing-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(path.join(cache, name));
  }
}
