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
): Promise<string> {
  const folder = path.join(editorCacheFolder, name);
  const expected = JSON.stringify(marker);
  const isComplete = async () =>
    (await readFile(path.join(folder, markerName), 'utf8').catch(() => '')) === expected;
  if (await isComplete()) return folder;
  await mkdir(editorCacheFolder, { recursive: true });
  await removeAbandoned();
  // Built elsewhere and moved into place when complete, so that an interrupted run leaves nothing half done.
  const building = uniqueFolder(editorCacheFolder, `installing-${process.pid}`);
  await build(building.path);
  await writeFile(path.join(building.path, markerName), expected);
  await removeFolder(folder);
  await rename(building.path, folder).catch(async (error: unknown) => {
    // Another run may have finished first; its result is just as good.
    if (!(await isComplete())) throw error;
  });
  await building.remove();
  return folder;
}

/** Removes the unfinished installations of interrupted runs. */
async function removeAbandoned(): Promise<void> {
  for (const name of await readdir(editorCacheFolder)) {
    const pid = /^installing-(\d+)-/.exec(name)?.[1];
    if (pid !== undefined && !isAlive(Number(pid))) await removeFolder(path.join(editorCacheFolder, name));
  }
}
