import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { behindEnglish } from './l10n/judge';
import { english, toJson, translatedLocales, translation } from './l10n/locales';
import { runMain } from './lifetime';
import { projectFolder } from './paths';

/**
 * Writes the code's strings for translators (the manifest's are in `package.nls.json`) and lists what each translation
 * lacks. With `--check`, which is used before publishing, a translation that's behind is a failure.
 */
runMain(async () => {
  const original = english();
  const { bundle } = original;
  const file = path.join(projectFolder, 'l10n', 'bundle.l10n.json');
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, toJson(bundle));
  console.log(`${Object.keys(bundle).length} strings in ${path.relative(projectFolder, file)}`);
  let gaps = 0;
  for (const locale of translatedLocales()) {
    for (const gap of behindEnglish(original, translation(locale))) {
      gaps += 1;
      console.log(`${locale}: ${gap}`);
    }
  }
  return gaps > 0 && process.argv.includes('--check') ? 1 : 0;
});
