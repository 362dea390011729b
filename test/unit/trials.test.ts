import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../support/paths';
import { everyCase } from '../support/everyCase';

/** The rows of a document that name a test. */
const rowsOf = (document: string) =>
  [
    ...readFileSync(path.join(projectFolder, 'docs', document), 'utf8').matchAll(
      /^\| (\S.*?) +\| `([^`]+)` +\| `([^`]+)` +\|$/gm,
    ),
  ].map(([, what = '', file = '', title = '']) => ({ what, file, title }));

/** Whether a source has a test or suite of this title. */
function hasTest(source: string, title: string): boolean {
  const joined = source.replace(/\(\s+/g, '(');
  return ["'", '"', '`'].some((quote) =>
    ['it', 'describe', 'holds', 'once'].some((call) => joined.includes(`${call}(${quote}${title}`)),
  );
}

const lists: [name: string, document: string, least: number][] = [
  ['what outside trials found', 'trials.md', 140],
  ['the hazards of the releases', 'reliability.md', 45],
];

for (const [name, document, least] of lists) {
  const rows = rowsOf(document);
  describe(name, () => {
    it('is listed once each, in sentences', () => {
      assert.ok(rows.length >= least, `${rows.length} rows`);
      assert.equal(new Set(rows.map(({ what }) => what)).size, rows.length);
      for (const { what } of rows) assert.match(what, /^[A-Z\d“].*\.$/);
    });

    it('has its tests', () =>
      everyCase(
        rows,
        ({ what }) => what,
        ({ file, title }) => {
          const place = path.join(projectFolder, 'test', file);
          assert.ok(existsSync(place), `${file} is missing`);
          assert.ok(hasTest(readFileSync(place, 'utf8'), title), `${file} has no test “${title}”`);
        },
      ));
  });
}
