import { chmodSync, mkdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** The repository's files at its base commit. */
export const sampleFiles: Readonly<Record<string, string>> = {
  'README.md': '# Shop\n\nRun `npm ci` and `npm test`.\n',
  'package.json': '"version": "4.1.0"',
  'docs/setup.md': '# Setup\n\n1. Install Python 3.12.\n2. Run `pip install -e .`.\n3. Run `pytest`.\n',
  'scripts/release': '#!/bin/sh\nset -eu\ngit tag "$1"\n',
  'src/slug.py': 'import re\n\n\ndef slug(text):\n    return re.sub("[^a-z]+", "-", text.lower())\n',
  'src/cart.py': 'def total(items):\n    return sum(item.price for item in items)\n',
  'tests/test_slug.py':
    'from src.slug import slug\n\n\ndef test_blanks():\n    assert slug("A b") == "a-b"\n',
};

/**
 * Creates a repository as if it had been cloned, along with the work of the agent’s commands: a commit that renames a
 * file, a script made executable, and a new binary file.
 */
export function createSample(folder: string, git: (...args: string[]) => unknown): void {
  const write = (name: string, content: string | Uint8Array) => {
    mkdirSync(path.dirname(path.join(folder, name)), { recursive: true });
    writeFileSync(path.join(folder, name), content);
  };
  mkdirSync(folder, { recursive: true });
  git('init', '--quiet', '--initial-branch=main');
  for (const [name, content] of Object.entries(sampleFiles)) write(name, content);
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Set up the shop');
  git('update-ref', 'refs/remotes/origin/main', 'HEAD');
  git('symbolic-ref', 'refs/remotes/origin/HEAD', 'refs/remotes/origin/main');
  git('checkout', '--quiet', '-b', 'keep-digits');
  git('mv', 'docs/setup.md', 'docs/install.md');
  git('commit', '--quiet', '--message', 'Rename the setup page');
  chmodSync(path.join(folder, 'scripts/release'), 0o755);
  write(
    'tests/data/slugs.bin',
    Uint8Array.from({ length: 512 }, (_, index) => index % 256),
  );
}
