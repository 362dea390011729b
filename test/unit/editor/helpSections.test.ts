import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { helpSection } from '../../../src/editor/helpSections';
import { projectFolder } from '../../support/paths';
import { everyCase } from '../../support/everyCase';

const guide = readFileSync(path.join(projectFolder, 'docs/troubleshooting.md'), 'utf8');
const sections = new Map(
  guide
    .split(/^## /m)
    .slice(1)
    .map((section) => {
      const [heading = '', ...lines] = section.split('\n');
      return [anchor(heading), lines.join('\n').trim()];
    }),
);

/** The editor’s anchor of a heading. */
function anchor(heading: string): string {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N} -]/gu, '')
    .replaceAll(' ', '-');
}

describe('troubleshooting guide', () => {
  it('has a section for every reason of an error', () =>
    everyCase(
      Object.entries(helpSection),
      ([reason]) => reason,
      ([, section]) =>
        assert.ok((sections.get(section) ?? '').length > 80, `docs/troubleshooting.md lacks #${section}`),
    ));

  it('has no unused sections and no broken links', () => {
    assert.deepEqual(new Set(Object.values(helpSection)), new Set(sections.keys()));
    for (const [, target] of guide.matchAll(/\]\(#([^)]+)\)/g)) assert.ok(sections.has(target ?? ''), target);
  });

  it('names commands as in the Command Palette', () => {
    const words = JSON.parse(readFileSync(path.join(projectFolder, 'package.nls.json'), 'utf8')) as Record<
      string,
      string
    >;
    const titles = new Set(Object.values(words));
    const named = [...guide.matchAll(/\*\*(?:Agent Workspace: )?([A-Z][A-Za-z ]+…?)\*\*/g)].map(
      ([, name]) => name,
    );
    const commands = named.filter((name) => /…$|^(Show Logs|Refresh)$/.test(name ?? ''));
    assert.ok(commands.length > 4);
    for (const name of commands) assert.ok(titles.has(name ?? ''), name);
  });
});
