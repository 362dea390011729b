import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { projectFolder } from '../support/paths';
import { everyCase } from '../support/everyCase';

/** The rows of docs/trials.md that name a test. */
const rows = [
  ...readFileSync(path.join(projectFolder, 'docs', 'trials.md'), 'utf8').matchAll(
    /^\| (\S.*?) +\| `([^`]+)` +\| `([^`]+)` +\|$/gm,
  ),
].map(([, wrong = '', file = '', title = '']) => ({ wrong, file, title }));

/** Whether a source has a test or suite of this title. */
const hasTest = (source: string, title: string) =>
  ["'", '"', '`'].some((quote) =>
    ['it', 'describe', 'holds'].some((call) => source.includes(`${call}(${quote}${title}`)),
  );

describe('what outside trials found', () => {
  it('is listed once each, in sentences', () => {
    assert.ok(rows.length > 140, `${rows.length} rows`);
    assert.equal(new Set(rows.map(({ wrong }) => wrong)).size, rows.length);
    for (const { wrong } of rows) assert.match(wrong, /^[A-Z“].*\.$/);
  });

  it('has its tests', () =>
    everyCase(
      rows,
      ({ wrong }) => wrong,
      ({ file, title }) => {
        const place = path.join(projectFolder, 'test', file);
        assert.ok(existsSync(place), `${file} is missing`);
        assert.ok(hasTest(readFileSync(place, 'utf8'), title), `${file} has no test “${title}”`);
      },
    ));
});
