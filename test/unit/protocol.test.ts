import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../support/paths';

const folder = path.join(projectFolder, 'docs', 'protocol');

/** The headings of each page, by its name without an extension. */
const pages = new Map(
  readdirSync(folder)
    .filter((name) => name.endsWith('.md') && name !== 'README.md')
    .map((name) => [
      name.slice(0, -3),
      [...readFileSync(path.join(folder, name), 'utf8').matchAll(/^#+ (.+)$/gm)].map(
        ([, heading = '']) => heading,
      ),
    ]),
);

/** The text of the comments of a source, each line break with what begins the next line as one blank. */
const commentsOf = (source: string): string =>
  [...source.matchAll(/\/\*[^]*?\*\/|(?:(?:^|\s)\/\/.*\n?\s*)+/g)]
    .map(([comment]) => comment.replace(/\s+(?:\*(?!\/)|\/\/)?\s*/g, ' '))
    .join('\n');

const citation = /docs\/protocol\/([\w-]+)\.md, “([^”]+)”/g;

/** What is wrong with the citations of a text's comments. */
function problemsOf(source: string): string[] {
  const comments = commentsOf(source);
  const problems = [...comments.matchAll(citation)]
    .filter(([, page = '', heading = '']) => pages.get(page)?.includes(heading) !== true)
    .map(([cited]) => cited);
  const rest = comments.replace(citation, '');
  // A page that is named in another form, by whatever separator, and files that the project doesn't have.
  const other = new RegExp(
    `\\b(?:specification|service-(?:interface|in-practice)|${[...pages.keys()].join('|')})(?:\\.md)?: ?["“\`][^"”\`]*["”\`]`,
    'g',
  );
  problems.push(...[...rest.matchAll(other)].map(([cited]) => cited));
  const unknown = /\b(?:live-conversations|agent-server\.md|service-interface|service-in-practice)\b/g;
  problems.push(...[...rest.replace(other, '').matchAll(unknown)].map(([cited]) => cited));
  for (const [file] of rest.matchAll(/(?<![\w/.])docs\/[\w/-]+(?:\.md)?|\.\.\/shared\/\S+/g))
    if (!existsSync(path.join(projectFolder, file))) problems.push(file);
  return problems;
}

describe('docs/protocol', () => {
  const sources = ['src', 'test'].flatMap((root) =>
    readdirSync(path.join(projectFolder, root), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|mjs|css)$/.test(name))
      .map((name) => path.join(root, name)),
  );
  const read = (name: string) => readFileSync(path.join(projectFolder, name), 'utf8');

  it('has every page and heading that a comment cites, and comments cite nothing else', () => {
    assert.ok(sources.length > 500, `${sources.length} files`);
    // This file has samples of what is wrong.
    const others = sources.filter((name) => path.basename(name) !== 'protocol.test.ts');
    const found = others.flatMap((name) => problemsOf(read(name)).map((problem) => `${name}: ${problem}`));
    assert.deepEqual(found, []);
  });

  it('is cited by the client, across line breaks as well', () => {
    const cited = sources
      .filter((name) => name.startsWith(path.join('src', 'api')))
      .flatMap((name) => [...commentsOf(read(name)).matchAll(citation)]);
    assert.ok(cited.length >= 25, `${cited.length} citations`);
  });

  for (const [wrong, problem] of [
    ['// As docs/protocol/service.md, “Nothing” says.', 'docs/protocol/service.md, “Nothing”'],
    ['/* docs/protocol/nothing.md, “Hazards” */', 'docs/protocol/nothing.md, “Hazards”'],
    [
      '/**\n * Deletes (docs/protocol/service.md, “Nothing\n   * here”).\n */',
      'docs/protocol/service.md, “Nothing here”',
    ],
    ['x(); // specification: "Settings"', 'specification: "Settings"'],
    ['/** Reads (generations: “G3”). */', 'generations: “G3”'],
    ['// Unlike live-conversations says.', 'live-conversations'],
    ['// See docs/nothing.md.', 'docs/nothing.md'],
  ] as const) {
    it(`refuses “${problem}”`, () => assert.deepEqual(problemsOf(`a();\n${wrong}\nb();\n`), [problem]));
  }

  it('accepts what exists, and words that only look like citations', () => {
    const right = [
      '/**\n * Reads the settings (docs/protocol/service.md,\n * “Settings”), by the specification.\n */',
      "const place = `a`; // Not a page. See docs/performance.md and docs/protocol/service.md, “MCPConfig”.\nconst url = 'http://x';",
    ];
    for (const source of right) assert.deepEqual(problemsOf(source), []);
  });

  it('begins each page with its hazards, before anything else that changes or reads', () => {
    for (const [page, headings] of pages) assert.equal(headings[1], 'Hazards', page);
  });
});
