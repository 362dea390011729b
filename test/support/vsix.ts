import { createVSIX } from '@vscode/vsce';
import { cp, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withBuild } from './build';
import { tempFolder } from './lifetime';
import { projectFolder } from './paths';
import { packagedManifest, packagedReadme, readPublisherLinks, type PublisherLinks } from './publisherLinks';

/** The time of every file in the package, so that the same source gives the same bytes. */
const fixedTime = { SOURCE_DATE_EPOCH: String(Date.UTC(2025, 0, 1) / 1000), TZ: 'UTC' };

/** Builds the extension for production and packs it into the file `packagePath`, with the publisher's links. */
export async function packageExtension(
  packagePath: string,
  links: PublisherLinks = readPublisherLinks(),
): Promise<void> {
  const stage = await tempFolder();
  try {
    await withBuild(true, async () => {
      // Leaves out node_modules, because vsce would compare each of its many thousand files with the list.
      const names = (await readdir(projectFolder)).filter(
        (name) => name === '.vscodeignore' || !/^(\.|node_modules$)/.test(name),
      );
      await Promise.all(
        names.map((name) =>
          cp(path.join(projectFolder, name), path.join(stage.path, name), { recursive: true }),
        ),
      );
    });
    const rewrite = async (name: string, change: (text: string) => string) => {
      const text = await readFile(path.join(projectFolder, name), 'utf8');
      await writeFile(path.join(stage.path, name), change(text));
    };
    await rewrite('README.md', (text) => packagedReadme(text, links));
    await rewrite('package.json', (text) =>
      JSON.stringify(packagedManifest(JSON.parse(text) as Record<string, unknown>, links)),
    );
    for (const name of (await readdir(stage.path)).filter((one) => /^package\.nls\..*json$/.test(one)))
      await rewrite(name, (text) => JSON.stringify(JSON.parse(text)));
    await inFixedTime(() => createVSIX({ cwd: stage.path, packagePath, allowMissingRepository: true }));
  } finally {
    await stage.remove();
  }
}

async function inFixedTime(work: () => Promise<void>): Promise<void> {
  const before = Object.fromEntries(Object.keys(fixedTime).map((name) => [name, process.env[name]]));
  Object.assign(process.env, fixedTime);
  try {
    await work();
  } finally {
    for (const [name, value] of Object.entries(before)) {
      if (value === undefined) Reflect.deleteProperty(process.env, name);
      else process.env[name] = value;
    }
  }
}
