import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve, sep } from 'node:path';

const root = resolve(__dirname, '../..');
const src = join(root, 'src');
const files = readdirSync(src, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.ts'));

/** What each folder of src may import, beside itself. */
const mayImport: Record<string, readonly string[]> = {
  shared: [],
  ids: [],
  api: ['shared'],
  state: ['api', 'shared'],
  platform: ['api', 'shared', 'ids'],
  views: ['state', 'platform', 'api', 'shared', 'ids'],
  commands: ['state', 'platform', 'api', 'shared', 'ids'],
  tools: ['state', 'platform', 'api', 'shared', 'ids'],
  settingsPanel: ['state', 'platform', 'api', 'shared', 'ids'],
  webview: ['shared'],
  lazily: [],
  compose: [
    'lazily',
    'shell',
    'commands',
    'tools',
    'views',
    'settingsPanel',
    'state',
    'platform',
    'api',
    'shared',
    'ids',
  ],
  shell: ['compose', 'lazily', 'views', 'platform', 'ids'],
  extension: ['shell'],
};

const layerOf = (path: string) => (path.split(sep)[0] ?? '').replace(/\.ts$/, '');
const importsOf = (text: string) =>
  [...text.matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g)].map((match) => match[1] ?? '');

describe('layout of src', () => {
  for (const file of files) {
    const text = readFileSync(join(src, file), 'utf8');
    const layer = layerOf(file);

    it(`${file} imports only what its folder may`, () => {
      const allowed = mayImport[layer];
      assert.ok(allowed, `src/${layer} is not a known part of the layout`);
      for (const target of importsOf(text)) {
        if (target.startsWith('.')) {
          const path = relative(src, resolve(dirname(join(src, file)), target));
          assert.ok([layer, ...allowed].includes(layerOf(path)), `${file} imports ${path}`);
        } else if (['shared', 'ids', 'webview'].includes(layer)) {
          assert.doesNotMatch(target, /^(vscode$|node:|undici)/, `${file} runs in a browser too`);
        } else if (['api', 'state'].includes(layer)) {
          assert.notEqual(target, 'vscode', `${file} must not know the editor`);
        }
      }
    });

    it(`${file} has 300 lines or fewer`, () => assert.ok(text.trimEnd().split('\n').length <= 300));
  }
});
