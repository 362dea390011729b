import { createVSIX } from '@vscode/vsce';
import { aloneInDist } from './build';
import { projectFolder } from './paths';

/** The time of every file in the package, so that the same source makes the same bytes. */
const fixedTime = { SOURCE_DATE_EPOCH: String(Date.UTC(2025, 0, 1) / 1000), TZ: 'UTC' };

/** Packs the extension into the file `packagePath`; the manifest's `vscode:prepublish` builds it for production. */
export async function packageExtension(packagePath: string): Promise<void> {
  const former = Object.fromEntries(Object.keys(fixedTime).map((name) => [name, process.env[name]]));
  await aloneInDist(async () => {
    Object.assign(process.env, fixedTime);
    try {
      await createVSIX({ cwd: projectFolder, packagePath });
    } finally {
      for (const [name, value] of Object.entries(former)) {
        if (value === undefined) Reflect.deleteProperty(process.env, name);
        else process.env[name] = value;
      }
    }
  });
}
