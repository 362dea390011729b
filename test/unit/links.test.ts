import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../support/paths';
import { packagedManifest, packagedReadme, readPublisherLinks } from '../support/publisherLinks';

const none = { repository: null, bugs: null, homepage: null, qna: null };
const own = {
  repository: 'https://github.com/acme/extension',
  bugs: 'https://acme.example.com/bugs',
  homepage: 'https://acme.example.com',
  qna: 'https://acme.example.com/questions',
};
const read = (name: string) => readFileSync(path.join(projectFolder, name), 'utf8');
const below = (folder: string, pattern: RegExp) =>
  readdirSync(path.join(projectFolder, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => pattern.test(name))
    .map((name) => path.join(folder, name));

/** Everything written for users or contributors. */
const files = [
  ...readdirSync(projectFolder).filter((name) => /^(package(\.nls.*)?\.json|.*\.md)$/.test(name)),
  ...below('docs', /\.md$/),
  ...below('l10n', /^bundle\.l10n\.[\w-]+\.json$/),
  ...below('media', /\.(svg|md)$/),
  ...below('src', /\.(ts|css)$/),
  ...below('.github', /\.(yml|md)$/),
  'test/support/typedoc.json',
];

/** Hosts of examples, this computer, the editor, and the specifications named in files. */
const neutral =
  /^(localhost|127\.0\.0\.1|host|([\w-]+\.)*example(\.com|\.org)?|code\.visualstudio\.com|www\.w3\.org|typedoc\.org)$/;

/** The addresses in a text that lead to a specific site. */
const linksIn = (text: string) =>
  [...text.matchAll(/https?:\/\/([\w.-]*\w)[^\s"'`)\]>]*/g)]
    .filter(([, host = '']) => !neutral.test(host))
    .map(([address]) => address);

/** The anchors of a Markdown text's headings. */
const anchorsOf = (markdown: string) =>
  [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );

/** The relative links of a Markdown file that lead nowhere. */
const brokenLinks = (name: string, markdown: string): string[] =>
  [...markdown.matchAll(/\]\((?!https?:|command:)([^)\s]*)\)/g)]
    .map(([, target = '']) => target)
    .filter((target) => {
      const [file = '', anchor] = target.split('#');
      const place = path.join(projectFolder, path.dirname(name), file);
      if (!existsSync(place)) return true;
      const text = file === '' ? markdown : readFileSync(place, 'utf8');
      return anchor !== undefined && !anchorsOf(text).includes(anchor);
    })
    .map((target) => `${name}: ${target}`);

describe('links', () => {
  it('lead to no specific site in any text; only publish.json sets them', () => {
    assert.ok(files.length > 200, `${files.length} files`);
    const found = files.flatMap((name) => linksIn(read(name)).map((address) => `${name}: ${address}`));
    assert.deepEqual(found, []);
  });

  it('of Markdown files lead to files and headings that exist', () => {
    const found = files
      .filter((name) => name.endsWith('.md'))
      .flatMap((name) => brokenLinks(name, read(name)));
    assert.deepEqual(found, []);
  });

  it('to missing files and headings are found', () => {
    const text =
      '# A day’s *work*\n\n[1](README.md) [2](no.md) [3](#a-days-work) [4](#b) [5](README.md#nothing)';
    assert.deepEqual(brokenLinks('x.md', text), ['x.md: no.md', 'x.md: #b', 'x.md: README.md#nothing']);
  });

  it('are detected in text', () => {
    assert.deepEqual(
      linksIn(
        '[a](https://github.com/acme/x) `http://localhost:3000` "https://agents.example.com" https://a.io.',
      ),
      ['https://github.com/acme/x', 'https://a.io.'],
    );
  });

  it('set by the publisher are valid', () => {
    assert.deepEqual(Object.keys(readPublisherLinks()), Object.keys(none));
  });

  it('are in the package only if set by the publisher', () => {
    const manifest = { name: 'x', scripts: { test: 'y' }, devDependencies: {}, overrides: {} };
    assert.deepEqual(packagedManifest(manifest, none), { name: 'x' });
    assert.deepEqual(packagedManifest(manifest, own), {
      name: 'x',
      repository: { type: 'git', url: own.repository },
      bugs: { url: own.bugs },
      homepage: own.homepage,
      qna: own.qna,
    });
  });

  it('aren’t in the packaged README’s sections about the source, which it leaves out', () => {
    const text =
      '# X\n\n## Test it\n\n[See](a.md)\n\n## Help\n\nHelp\n\n## Layout\n\nsrc\n\n[MIT License](LICENSE).\n';
    assert.equal(packagedReadme(text, own), '# X\n\n## Help\n\nHelp\n\n[MIT License](LICENSE).\n');
  });

  it('lead from the packaged README to repository files only if readers can open them', () => {
    const text = '# X\n\n![A tour](media/tour.webp)\n\nSee [the guide](docs/guide.md), [below](#x).\n';
    assert.equal(packagedReadme(text, own), text);
    for (const links of [none, { ...own, repository: 'https://git.acme.example.com/extension' }]) {
      assert.equal(packagedReadme(text, links), '# X\n\nSee the guide, [below](#x).\n');
    }
  });
});
