import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../support/paths';

const file = (name: string) => path.join(projectFolder, name);
const text = (name: string) => readFileSync(file(name), 'utf8');

const manifest = JSON.parse(text('package.json')) as Record<string, unknown> & {
  version: string;
  icon: string;
  categories: string[];
  keywords: string[];
  scripts: Record<string, string>;
};

/** Files that git ignores. */
const generated = text('.gitignore').split(/\r?\n/);

/** Names in a text that the project doesn’t have. */
function strangersOf(name: string, words: string): string[] {
  const all = (pattern: RegExp) => [...words.matchAll(pattern)].map(([, found = '']) => found);
  const titles = new Set(Object.values(JSON.parse(text('package.nls.json')) as Record<string, string>));
  const beside = path.dirname(name);
  return [
    ...all(/npm run (?:-s )?([\w:]+)/g)
      .filter((script) => !(script in manifest.scripts))
      .map((script) => `npm run ${script}`),
    ...all(/\*\*Agent Workspace: ([^*]+)\*\*/g).filter((title) => !titles.has(title)),
    ...all(/\]\((?!https?:|#)([^)#]+)/g).filter((target) => !existsSync(file(path.join(beside, target)))),
    ...all(/`((?:src|test|docs|media|\.github)\/[\w./-]+)`/g)
      .filter((target) => !existsSync(file(target)))
      .filter((target) => !generated.includes(target)),
    ...all(/`(agentWorkspace\.[\w.]+)`/g).filter((id) => !text('package.json').includes(`"${id}"`)),
  ];
}

describe('marketplace listing', () => {
  it('has a large, square bitmap icon', () => {
    assert.match(manifest.icon, /\.png$/);
    const png = readFileSync(file(manifest.icon));
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.equal(width, height);
    assert.ok(width >= 128, `${width} pixels`);
  });

  it('states the purpose and the costs', () => {
    for (const key of ['displayName', 'description', 'publisher', 'license']) assert.ok(manifest[key], key);
    assert.equal(manifest['pricing'], 'Free');
    assert.deepEqual(Object.keys(manifest['galleryBanner'] as object), ['color', 'theme']);
    assert.ok(manifest.categories.length > 0);
    // The marketplace accepts at most 30.
    assert.ok(manifest.keywords.length > 4 && manifest.keywords.length <= 30);
  });

  it('has existing, small pictures and no vector images, which the marketplace refuses', () => {
    const pictures = [...text('README.md').matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    assert.ok(pictures.length >= 3);
    for (const [, words, target = ''] of pictures) {
      assert.ok(words, `${target} has no words for those who cannot see it`);
      assert.match(target, /\.(png|webp)$/);
      assert.ok(existsSync(file(target)), target);
      assert.ok(statSync(file(target)).size <= 300_000, target);
    }
  });

  for (const name of [
    'README.md',
    'CONTRIBUTING.md',
    'CHANGELOG.md',
    'SECURITY.md',
    'docs/troubleshooting.md',
  ]) {
    it(`names only existing scripts, commands, and files in ${name}`, () => {
      assert.deepEqual(strangersOf(name, text(name)), []);
    });
  }

  it('names only existing scripts, commands, and files in every other page', () => {
    const pages = ['docs', '.github'].flatMap((folder) =>
      readdirSync(file(folder), { recursive: true, encoding: 'utf8' })
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name.replaceAll('\\', '/')}`),
    );
    assert.ok(pages.length > 25, `${pages.length} pages`);
    assert.deepEqual(
      pages.flatMap((name) => strangersOf(name, text(name))),
      [],
    );
  });

  it('is reported when it names missing items', () => {
    const wrong =
      'npm run chekc, **Agent Workspace: Conect…**, [more](docs/more.md), `src/nothing.ts`, `agentWorkspace.nothing`';
    assert.deepEqual(strangersOf('README.md', wrong), [
      'npm run chekc',
      'Conect…',
      'docs/more.md',
      'src/nothing.ts',
      'agentWorkspace.nothing',
    ]);
  });

  it('has a changelog entry for this version', () => {
    const [first] = /^## .*$/m.exec(text('CHANGELOG.md')) ?? [];
    assert.match(
      first ?? '',
      new RegExp(`^## \\[${manifest.version.replaceAll('.', '\\.')}\\] - (unreleased|\\d{4}-\\d\\d-\\d\\d)$`),
    );
  });
});
