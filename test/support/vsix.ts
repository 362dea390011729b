import { createVSIX } from '@vscode/vsce';
import { aloneInDist } from './build';
import { projectFolder } from './paths';

/** Packs the extension into the file `packagePath`; the manifest's `vscode:prepublish` builds it for production. */
export async function packageExtension(packagePath: string): Promise<void> {
  await aloneInDist(() => createVSIX({ cwd: projectFolder, packagePath }));
}
