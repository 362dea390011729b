import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../support/paths';
import { everyCase } from '../support/everyCase';

interface Row {
  what: string;
  tests: { file: string; title: string }[];
}

/** The rows of a text that name tests: a file, followed by how titles of its tests begin. */
const rowsOf = (text: string): Row[] =>
  [...text.matchAll(/^\| (\S.*?) +\| (`\S+\.ts` .*?) *\|$/gm)].map(([, what = '', cell = '']) => {
    const tests: Row['tests'] = [];
    let file = '';
    for (const [, name = ''] of cell.matchAll(/`([^`]+)`/g))
      if (name.endsWith('.ts')) file = name;
      else tests.push({ file, title: name });
    return { what, tests };
  });

/** Whether a source has a test or suite whose title begins with this. */
function hasTest(source: string, title: string): boolean {
  const joined = source.replace(/\(\s+/g, '(');
  return ["'", '"', '`'].some((quote) =>
    ['it', 'describe', 'holds', 'once', 'fuzz'].some((call) => joined.includes(`${call}(${quote}${title}`)),
  );
}

describe('docs/reliability.md', () => {
  const [, ...parts] = readFileSync(path.join(projectFolder, 'docs', 'reliability.md'), 'utf8').split(
    '\n## ',
  );
  const rows = parts.flatMap(rowsOf);

  it('lists kinds of faults and hazards once each, in sentences', () => {
    assert.ok(rows.length >= 150, `${rows.length} rows`);
    assert.equal(new Set(rows.map(({ what }) => what)).size, rows.length);
    for (const { what } of rows) assert.match(what, /^[A-Z\d“`].*\.$/);
  });

  it('names a test in each row of its tables', () => {
    const lines = parts
      .flatMap((part) => part.split('\n'))
      .filter((line) => line.startsWith('| ') && !/^\| (?:What holds|Hazard|-)/.test(line));
    assert.equal(rows.length, lines.length);
  });

  it('names tests that exist', () =>
    everyCase(
      rows,
      ({ what }) => what,
      ({ tests }) => {
        assert.ok(tests.length > 0);
        for (const { file, title } of tests) {
          const place = path.join(projectFolder, 'test', file);
          assert.ok(existsSync(place), `${file} is missing`);
          assert.ok(hasTest(readFileSync(place, 'utf8'), title), `${file} has no test “${title}”`);
        }
      },
    ));
});

describe('property tests', () => {
  it('have a new seed in every run', () => {
    const folder = path.join(projectFolder, 'test');
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
      /^unit.*\.test\.ts$/.test(name),
    );
    // A fixed one finds nothing where the next one may.
    const fixed = files.filter((name) =>
      /\bseed(?:: | = )-?\d/.test(readFileSync(path.join(folder, name), 'utf8')),
    );
    assert.deepEqual(fixed, []);
  });
});
