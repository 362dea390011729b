import { cp, mkdir, open, readdir, readFile, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { build } from 'esbuild';
import { onEnd, tempFolder, type TempFolder } from './lifetime';
import { editorCacheFolder, projectFolder } from './paths';
import { run } from './processes';
import { isAlive } from './processList';

/** Builds the extension into `dist/`, then lets `use` read it before another run can build again. */
export function withBuild<T>(production: boolean, use: () => Promise<T>): Promise<T> {
  return aloneInDist(async () => {
    const args = ['esbuild.mjs', ...(production ? ['--production'] : [])];
    await run(process.execPath, args, { cwd: projectFolder });
    return use();
  });
}

/** Runs work that writes and reads `dist/` while no other run does. */
async function aloneInDist<T>(work: () => Promise<T>): Promise<T> {
  const unlock = await lockBuild();
  try {
    return await work();
  } finally {
    await unlock();
  }
}

/** Two runs in the same folder would overwrite each other's build, so the second waits. */
async function lockBuild(): Promise<() => Promise<void>> {
  await mkdir(editorCacheFolder, { recursive: true });
  const file = path.join(editorCacheFolder, 'build.lock');
  for (;;) {
    try {
      const handle = await open(file, 'wx');
      await handle.writeFile(String(process.pid));
      await handle.close();
      return onEnd(() => rm(file, { force: true }));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
      const owner = Number(await readFile(file, 'utf8').catch(() => ''));
      if (owner > 0 && !isAlive(owner)) await rm(file, { force: true });
      await delay(100);
    }
  }
}

/** Builds the extension and copies the files that the editor reads to a folder that later builds don't touch. */
export async function stageExtension(): Promise<TempFolder> {
  const stage = await tempFolder();
  await withBuild(false, async () => {
    const parts = (await readdir(projectFolder)).filter((name) =>
      /^(package(\.nls.*)?\.json|dist|media|README\.md|LICENSE)$/.test(name),
    );
    await Promise.all(
      parts.map((part) =>
        cp(path.join(projectFolder, part), path.join(stage.path, part), { recursive: true }),
      ),
    );
  });
  return stage;
}

/** All `*.test.ts` below a folder of the project, sorted. */
export async function testFiles(folder: string): Promise<string[]> {
  const names = await readdir(path.join(projectFolder, folder), { recursive: true });
  return names
    .filter((name) => name.endsWith('.test.ts'))
    .sort()
    .map((name) => path.join(projectFolder, folder, name));
}

/** Compiles the preload script with which a Node process watches its requests (see requestGuard.ts). */
export async function bundleGuard(outfile: string): Promise<void> {
  await build({
    entryPoints: [path.join(projectFolder, 'test', 'support', 'requestGuardPreload.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
  });
}

/** Compiles the host tests and their entry `index.js` into `folder`. Packages are still read from node_modules. */
export async function bundleHostTests(folder: string): Promise<void> {
  const source = path.join(projectFolder, 'test', 'host');
  await build({
    entryPoints: [path.join(source, 'index.ts'), ...(await testFiles('test/host'))],
    outbase: source,
    outdir: folder,
    bundle: true,
    format: 'cjs',
    platform: 'node',
    target: 'node22',
    packages: 'external',
    external: ['vscode'],
    sourcemap: 'inline',
    logLevel: 'warning',
  });
}
