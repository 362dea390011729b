import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
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

/** What git leaves out. */
const generated = text('.gitignore').split(/\r?\n/);

/** What a text for people names, and the project does not have. */
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

describe('what the marketplaces show', () => {
  it('has an icon in pixels, square and large enough', () => {
    assert.match(manifest.icon, /\.png$/);
    const png = readFileSync(file(manifest.icon));
    assert.equal(png.toString('latin1', 1, 4), 'PNG');
    const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)];
    assert.equal(width, height);
    assert.ok(width >= 128, `${width} pixels`);
  });

  it('says what it is, where it comes from and what it costs', () => {
    for (const key of [
      'displayName',
      'description',
      'publisher',
      'license',
      'repository',
      'bugs',
      'homepage',
      'qna',
    ]) {
      assert.ok(manifest[key], key);
    }
    assert.equal(manifest['pricing'], 'Free');
    assert.deepEqual(Object.keys(manifest['galleryBanner'] as object), ['color', 'theme']);
    assert.ok(manifest.categories.length > 0);
    // The marketplace takes 30 at most.
    assert.ok(manifest.keywords.length > 4 && manifest.keywords.length <= 30);
  });

  it('has pictures that are there, small enough to load, and no vector image, which the marketplace refuses', () => {
    const pictures = [...text('README.md').matchAll(/!\[([^\]]*)\]\(([^)]+)\)/g)];
    assert.ok(pictures.length >= 3);
    for (const [, words, target = ''] of pictures) {
      assert.ok(words, `${target} has no words for those who cannot see it`);
      assert.match(target, /\.(png|webp)$/);
      assert.ok(existsSync(file(target)), target);
      assert.ok(statSync(file(target)).size <= 300_000, target);
    }
  });

  for (const name of ['README.md', 'CONTRIBUTING.md', 'CHANGELOG.md', 'docs/troubleshooting.md']) {
    it(`names in ${name} only scripts, commands and files that there are`, () => {
      assert.deepEqual(strangersOf(name, text(name)), []);
    });
  }

  it('is found wanting where it names what there is not', () => {
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

  it('has an entry for this version in the changelog', () => {
    const [first] = /^## .*$/m.exec(text('CHANGELOG.md')) ?? [];
    assert.match(
      first ?? '',
      new RegExp(`^## \\[${manifest.version.replaceAll('.', '\\.')}\\] - (unreleased|\\d{4}-\\d\\d-\\d\\d)$`),
    );
  });
});
