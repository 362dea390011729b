import * as esbuild from 'esbuild';
import { existsSync } from 'node:fs';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire, isBuiltin } from 'node:module';
import { basename, dirname, join, resolve } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { rollup } from '@rollup/wasm-node';
import { minify } from 'terser';
import { packTranslations, readTranslations } from './l10n/pack.mjs';

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {esbuild.BuildOptions} */
const common = {
  bundle: true,
  minify: production,
  sourcemap: production ? false : 'inline',
  logLevel: 'warning',
  legalComments: 'none',
  metafile: true,
};

/**
 * The editor loads CommonJS, but esbuild splits only ES modules into chunks, so Rollup converts the chunks. Code behind
 * `import()` becomes a chunk that's read on first use. What several chunks share goes into the one that's always loaded
 * first, because reading another file costs as much as a lot of code in one.
 * @type {esbuild.Plugin}
 */
const writeAsCommonJs = {
  name: 'write-as-commonjs',
  setup(build) {
    const [source = ''] = /** @type {string[]} */ (build.initialOptions.entryPoints);
    build.onEnd(async ({ outputFiles = [] }) => {
      const texts = new Map(outputFiles.map(({ path, text }) => [path, text]));
      const bundle = await rollup({
        input: resolve('dist', `${basename(source, '.ts')}.js`),
        preserveEntrySignatures: 'allow-extension',
        external: (id) => id === 'vscode' || id === './compose.js' || isBuiltin(id),
        plugins: [
          {
            name: 'from-memory',
            resolveId: (id, importer) => (importer === undefined ? id : resolve(dirname(importer), id)),
            load: (path) => ({ code: texts.get(path) ?? '', map: texts.get(`${path}.map`) }),
          },
        ],
      });
      const { output } = await bundle.generate({
        dir: 'dist',
        format: 'cjs',
        entryFileNames: '[name].js',
        chunkFileNames: '[name].js',
        // import() of CommonJS detects exports by how they're written, which minifying changes.
        dynamicImportInCjs: false,
        hoistTransitiveImports: false,
        generatedCode: 'es2015',
        // Copying the hundreds of members of `import * as vscode` would take most of the activation time.
        interop: (id) => (id === 'vscode' ? 'esModule' : 'default'),
        sourcemap: production ? false : 'inline',
      });
      await mkdir('dist', { recursive: true });
      for (const file of output) {
        if (file.type !== 'chunk') continue;
        const written = production
          ? (await esbuild.transform(file.code, { minify: true, format: 'cjs' })).code
          : file.code;
        await writeFile(join('dist', file.fileName), written);
      }
    });
  },
};

/**
 * The editor reads a single file at activation, since each further file costs as much as all the work done in it. The
 * little code that it shares with the rest is bundled twice, so none of that code may keep state in its module.
 * @type {esbuild.Plugin}
 */
const composeApart = {
  name: 'compose-apart',
  setup(build) {
    build.onResolve({ filter: /^\.\/compose$/ }, () => ({ path: './compose.js', external: true }));
  },
};

/**
 * We use fetch, WebSocket and two dispatchers, a third of undici, but its index imports everything. HTTP/2, SOCKS and
 * form data in responses are never used. The parser ships twice, for processors with and without vector instructions.
 * The second runs everywhere; we compress it here because a zip hardly shrinks base64 text.
 * @type {esbuild.Plugin}
 */
const undiciInPart = {
  name: 'undici-in-part',
  setup(build) {
    build.onResolve({ filter: /^undici$/ }, ({ path }) => ({ path, namespace: 'undici-in-part' }));
    build.onLoad({ filter: /.*/, namespace: 'undici-in-part' }, () => ({
      resolveDir: import.meta.dirname,
      // Named exports, because Node finds no default export in a chunk rewritten as CommonJS. ProxyAgent opens its
      // tunnel with a method that undici's index adds to all dispatchers.
      contents: `
        import connect from 'undici/lib/api/api-connect';
        import Agent from 'undici/lib/dispatcher/agent';
        import Dispatcher from 'undici/lib/dispatcher/dispatcher';
        import ProxyAgent from 'undici/lib/dispatcher/proxy-agent';
        import web from 'undici/lib/web/fetch';
        import socket from 'undici/lib/web/websocket/websocket';
        Dispatcher.prototype.connect = connect;
        export const { fetch } = web;
        export const { WebSocket } = socket;
        export { Agent, ProxyAgent };`,
    }));
    build.onResolve({ filter: /(?:client-h2\.js|socks5-proxy-agent|formdata-parser)$/ }, ({ path }) => ({
      path,
      namespace: 'left-out',
    }));
    build.onLoad({ filter: /.*/, namespace: 'left-out' }, () => ({ contents: 'module.exports = {};' }));
    build.onResolve({ filter: /llhttp(?:_simd)?-wasm\.js$/ }, () => ({
      path: 'undici/lib/llhttp/llhttp-wasm.js',
      namespace: 'packed',
    }));
    build.onLoad({ filter: /.*/, namespace: 'packed' }, ({ path }) => {
      const packed = brotliCompressSync(createRequire(import.meta.url)(path)).toString('base64');
      return {
        contents: `module.exports = require('node:zlib').brotliDecompressSync(Buffer.from('${packed}', 'base64'));`,
      };
    });
  },
};

/**
 * zod's catch() reaches a helper through `core.util`, which makes esbuild keep every helper. Through `util`, esbuild
 * drops the unused ones.
 * @type {esbuild.Plugin}
 */
const zodHelpersInPart = {
  name: 'zod-helpers-in-part',
  setup(build) {
    build.onLoad({ filter: /zod\/v4\/mini\/schemas\.js$/ }, async ({ path }) => ({
      contents: (await readFile(path, 'utf8')).replaceAll('core.util.', 'util.'),
    }));
  },
};

/** @type {esbuild.BuildOptions} */
const composed = {
  ...common,
  entryPoints: ['src/compose.ts'],
  outdir: 'dist',
  format: 'esm',
  splitting: true,
  platform: 'node',
  target: 'node22',
  external: ['vscode'],
  write: false,
  sourcemap: production ? false : 'external',
  plugins: [writeAsCommonJs, undiciInPart, zodHelpersInPart],
};

/** @type {esbuild.BuildOptions} */
const activation = {
  ...composed,
  entryPoints: ['src/extension.ts'],
  plugins: [writeAsCommonJs, composeApart],
};

/** @type {esbuild.BuildOptions} */
const webview = {
  ...common,
  entryPoints: (await readdir('src/webview'))
    .filter((page) => existsSync(`src/webview/${page}/main.ts`))
    .map((page) => ({ in: `src/webview/${page}/main.ts`, out: page })),
  outdir: 'dist/webview',
  format: 'iife',
  platform: 'browser',
  target: 'chrome140',
  tsconfig: 'src/webview/tsconfig.json',
  loader: { '.ttf': 'file' },
};

/**
 * Renames the variables of minified scripts. Terser's names compress better, which makes the package 2% smaller.
 * @param {string} folder
 */
async function renameVariables(folder) {
  const names = (await readdir(folder, { recursive: true })).filter((name) => name.endsWith('.js'));
  for (const file of names.map((name) => join(folder, name))) {
    const { code = '' } = await minify(await readFile(file, 'utf8'), { toplevel: true, compress: false });
    await writeFile(file, code);
  }
}

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
await packTranslations('dist/l10n', await readTranslations('l10n'));
const all = [activation, composed, webview];
if (watch) {
  for (const options of all) await (await esbuild.context(options)).watch();
} else {
  const results = await Promise.all(all.map((options) => esbuild.build(options)));
  if (production) await renameVariables('dist');
  await writeFile('dist/THIRD-PARTY-NOTICES.txt', await noticesOf(results.map(({ metafile }) => metafile)));
}
