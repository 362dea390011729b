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
    const [main] = inDist('extension.js');
    return [
      figure('dist/extension.js', 'kB', [kilobytes([main!])]),
      figure('  with the chunks it needs at once', 'kB', [kilobytes(eagerFiles(main!))], atMost(150)),
      figure('settings form: script', 'kB', [kilobytes(inDist('webview/settings.js'))]),
      figure(
        '  script and style',
        'kB',
        [kilobytes(inDist('webview/settings.js', 'webview/settings.css'))],
        atMost(250),
      ),
      figure(
        'conversation: script and style',
        'kB',
        [kilobytes(inDist('webview/conversation.js', 'webview/conversation.css'))],
        atMost(150),
      ),
      figure('VSIX', 'kB', [kilobytes([vsix])], atMost(450)),
    ];
  },
};

const kilobytes = (files: readonly string[]): number =>
  files.reduce((sum, file) => sum + statSync(file).size, 0) / 1000;

/** A file and everything it requires while loading, but not what it imports later. */
function eagerFiles(file: string, found = new Set<string>()): string[] {
  if (!found.has(file)) {
    found.add(file);
    for (const [, chunk] of readFileSync(file, 'utf8').matchAll(
      /(?<!=>(?:[\w$]+\()?)\brequire\("(\.\/[^"]+)"\)/g,
    )) {
      eagerFiles(path.join(path.dirname(file), chunk!), found);
    }
  }
  return [...found];
}
