import * as esbuild from 'esbuild';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { packTranslations, readTranslations } from './l10n/pack.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** As an ES module: one name for its function in all files. What it reads files with, nothing here uses. */
const translating = { '@vscode/l10n': '@vscode/l10n/dist/browser.js' };

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'inline',
  outdir: 'dist',
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
  alias: translating,
};

/**
 * For each file that imports all of `vscode`, esbuild copies its hundreds of members, which takes longer than the rest
 * of the activation. It doesn't copy what an object inherits.
 * @type {esbuild.Plugin}
 */
const editorUncopied = {
  name: 'editor-uncopied',
  setup(build) {
    build.onResolve({ filter: /^vscode$/ }, ({ namespace }) =>
      namespace === 'editor' ? { path: 'vscode', external: true } : { path: 'vscode', namespace: 'editor' },
    );
    build.onLoad({ filter: /.*/, namespace: 'editor' }, () => ({
      contents: "module.exports = Object.create(require('vscode'));",
    }));
  },
};

/** How the code numbers its texts, so that translations have the same numbers. */
async function numbering() {
  const texts = { entryPoints: ['src/shared/texts.ts'], write: false, format: 'esm' };
  const { outputFiles } = await esbuild.build(/** @type {esbuild.BuildOptions} */ (texts));
  const code = Buffer.from(outputFiles?.[0]?.contents ?? []).toString('base64');
  return (await import(`data:text/javascript;base64,${code}`)).numberOf;
}

/** The part of undici that Node bundles for its own `fetch` (docs/decisions/undici.md). */
const networkModule = 'undici/index-fetch.js';

/**
 * A file that the extension host reads when it's first needed. esbuild splits only ES modules, which the editor doesn't
 * read, so we name the seams: an `import()` of what is external reads another file, and any other runs its module on
 * first use. What two of these files share is bundled twice, so it must not keep state (`test/unit/layout.test.ts`).
 * @param {string} name
 * @param {string} entry
 * @param {esbuild.BuildOptions} [seams]
 * @returns {esbuild.BuildOptions}
 */
const hostFile = (name, entry, seams) => ({
  ...common,
  entryPoints: [{ in: entry, out: name }],
  format: 'cjs',
  platform: 'node',
  target: 'node22',
  // As require(): import() finds only those exports of CommonJS that are written in certain ways.
  supported: { 'dynamic-import': false },
  plugins: [editorUncopied],
  ...seams,
});

/** @type {esbuild.BuildOptions} */
const pages = {
  ...common,
  entryPoints: [
    // Each page has it, so it isn't bundled with any.
    { in: 'src/core/kit/base.css', out: 'base' },
    ...(await readdir('src/features'))
      .map((feature) => ({ in: `src/features/${feature}/page/main.ts`, out: feature }))
      .filter((page) => existsSync(page.in)),
  ],
  outdir: 'dist/webview',
  // What several pages use is a file of its own: each has lit and zod.
  format: 'esm',
  splitting: true,
  platform: 'browser',
  target: 'chrome140',
  tsconfig: 'src/tsconfig.pages.json',
  loader: { '.ttf': 'file' },
};

/**
 * Name, version, license and license text of every package with code in a bundle.
 * @param {(esbuild.Metafile | undefined)[]} metafiles
 */
async function noticesOf(metafiles) {
  const inputs = metafiles.flatMap((metafile) =>
    Object.values(metafile?.outputs ?? {}).flatMap(({ inputs }) => Object.keys(inputs)),
  );
  const folders = inputs.flatMap((input) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(input)?.[1] ?? []);
  const notices = [...new Set(folders)].sort().map(async (folder) => {
    const { name, version, license, repository } = JSON.parse(
      await readFile(join(folder, 'package.json'), 'utf8'),
    );
    const files = (await readdir(folder)).filter((file) => /^(licen[cs]e|notice)/i.test(file)).sort();
    const texts = await Promise.all(files.map((file) => readFile(join(folder, file), 'utf8')));
    if (texts.length === 0)
      texts.push(`The package comes without its license text. ${repository?.url ?? repository}`);
    return [`${name} ${version} (${license})`, ...texts.map((text) => text.trim())].join('\n\n');
  });
  return `${(await Promise.all(notices)).join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}

await rm('dist', { recursive: true, force: true });
await packTranslations('dist/l10n', await readTranslations('l10n'), await numbering());
const all = [
  hostFile('extension', 'src/extension.ts', { external: ['./compose'] }),
  hostFile('compose', 'src/compose.ts', {
    external: ['./undici'],
    alias: { ...translating, [networkModule]: './undici' },
  }),
  hostFile('undici', networkModule),
  pages,
];
if (watch) {
  for (const options of all) await (await esbuild.context(options)).watch();
} else {
  const results = await Promise.all(all.map((options) => esbuild.build(options)));
  await writeFile('dist/THIRD-PARTY-NOTICES.txt', await noticesOf(results.map(({ metafile }) => metafile)));
}
