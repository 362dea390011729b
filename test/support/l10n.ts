import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { english, toJson } from './l10n/locales';
import { runMain } from './lifetime';
import { projectFolder } from './paths';

/** Writes what is to be translated of the code; that of the manifest is `package.nls.json`. */
runMain(async () => {
  const { bundle } = english();
  const file = path.join(projectFolder, 'l10n', 'bundle.l10n.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, toJson(bundle));
  console.log(`${Object.keys(bundle).length} strings in ${path.relative(projectFolder, file)}`);
  return 0;
});
