import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { releases } from '../real/support/releases';
import { projectFolder } from '../support/paths';

const guide = readFileSync(path.join(projectFolder, 'README.md'), 'utf8');
const rows = guide
  .split('\n## ')
  .find((section) => section.startsWith('Supported releases'))
  ?.split('\n')
  .filter((line) => /^\| (?!releases|-)/.test(line))
  .map((line) => line.split('|').map((cell) => cell.trim()));

/** The route of the settings that the guide names for each generation. */
const routes = { first: '/api/settings', current: '/api/v1/settings', agentServer: 'none' };

describe('table of supported releases', () => {
  it('has each release that is tested, with its settings', () => {
    assert.ok(rows);
    for (const { version, generation } of releases) {
      const row: string[] | undefined = rows.find(([, , tested = '']) =>
        tested.split(', ').includes(version),
      );
      assert.ok(row, version);
      assert.equal(row[3]?.replaceAll('`', ''), routes[generation], version);
    }
  });

  it('names no other release as tested', () => {
    const tested = rows?.flatMap(([, , cell = '']) => cell.split(', ')).filter((cell) => cell !== '');
    assert.deepEqual(tested?.toSorted(), releases.map(({ version }) => version).toSorted());
  });
});
