import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { atMost, figure } from '../support/figures';
import { packaged } from '../support/packaged';
import type { Section } from '../support/section';

/** Bytes are the same in every run. */
export const size: Section = {
  title: 'what users download and what activation reads',
  measure: async () => {
    const { vsix, extensionFolder } = await packaged();
    const inDist = (...names: string[]) => names.map((name) => path.join(extensionFolder, 'dist', name));
    return [
      figure('read at activation: dist/extension.js', 'kB', [kilobytes(inDist('extension.js'))], atMost(20)),
      figure('read once something is used: dist/compose.js', 'kB', [kilobytes(inDist('compose.js'))]),
      figure('read for network options: dist/undici.js', 'kB', [kilobytes(inDist('undici.js'))]),
      figure('settings form: script', 'kB', [kilobytes(withImports(...inDist('webview/settings.js')))]),
      figure(
        '  script and style',
        'kB',
        [
          kilobytes(
            withImports(...inDist('webview/settings.js', 'webview/base.css', 'webview/settings.css')),
          ),
        ],
        atMost(150),
      ),
      figure(
        'conversation: script and style',
        'kB',
        [
          kilobytes(
            withImports(...inDist('webview/conversation.js', 'webview/base.css', 'webview/conversation.css')),
          ),
        ],
        atMost(150),
      ),
      figure('VSIX', 'kB', [kilobytes([vsix])], atMost(700)),
    ];
  },
};

/** The files of a page, with those that its script shares with other pages. */
function withImports(...files: string[]): string[] {
  const all = new Set(files);
  for (const file of all)
    for (const [, name = ''] of readFileSync(file, 'utf8').matchAll(/from"\.\/(chunk-\w+\.js)"/g))
      all.add(path.join(path.dirname(file), name));
  return [...all];
}

const kilobytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;
