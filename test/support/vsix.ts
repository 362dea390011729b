import { createVSIX } from '@vscode/vsce';
import { withBuild } from './build';
import { projectFolder } from './paths';

/** Builds for production and packs the extension into the file `packagePath`. */
export async function packageExtension(packagePath: string): Promise<void> {
  await withBuild(true, () =>
    createVSIX({
      cwd: projectFolder,
      packagePath,
      dependencies: false,
      // There is no public repository that relative links of the README could point to.
      allowMissingRepository: true,
      rewriteRelativeLinks: false,
    }),
  );
}
