import assert from 'node:assert/strict';
import type { ChangedFile, FileMode } from '../../../src/features/sandboxChanges/model/changeSet';
import { planFile, type FileSides } from '../../../src/features/changes/model/plan';
import { atOnce } from './steps';

const bytes = (text: string) => Buffer.from(text, 'latin1');
const local = (text: string, executable: boolean | null = false) => ({ content: bytes(text), executable });
const version = (mode: FileMode) => ({ oid: 'a', mode, size: 1 });

/** A file whose mode and path the agent may have changed. */
const file = (
  from: FileMode | null = '100644',
  to: FileMode | null = '100644',
  oldPath?: string,
): ChangedFile => ({
  path: 'a',
  kind: 'modified',
  before: from && version(from),
  after: to && version(to),
  ...(oldPath !== undefined && { oldPath }),
});
const sides = (
  base: string | null,
  agent: string | null,
  here: FileSides['here'],
  target: FileSides['target'] = null,
): FileSides => ({
  base: base === null ? null : bytes(base),
  agent: agent === null ? null : bytes(agent),
  here,
  target,
});

/** What is done, in words. */
function told(changed: ChangedFile, of: FileSides): string {
  const plan = atOnce(planFile(changed, of));
  if (plan.kind === 'refused') return plan.why;
  if (plan.kind === 'same') return 'same';
  const text = (content: Uint8Array | null) => content && Buffer.from(content).toString('latin1');
  const { from, before, after, conflicts, executable, wasExecutable } = plan;
  return JSON.stringify([from, text(before), text(after), conflicts, executable, wasExecutable]);
}
const change = (...parts: unknown[]) => JSON.stringify(parts);
const renamed = file('100644', '100644', 'old');

describe('the way of a file into the folder', () => {
  const rows: [what: string, changed: ChangedFile, of: FileSides, expected: string][] = [
    ['is new', file(null), sides(null, 'x', null), change(null, null, 'x', 0, null, null)],
    [
      'is new, and may be run',
      file(null, '100755'),
      sides(null, 'x', null),
      change(null, null, 'x', 0, true, null),
    ],
    [
      'is deleted',
      file('100644', null),
      sides('x', null, local('x')),
      change('a', 'x', null, 0, null, false),
    ],
    ['is deleted on both sides', file('100644', null), sides('x', null, null), 'same'],
    ['is changed by the agent', file(), sides('x', 'y', local('x')), change('a', 'x', 'y', 0, null, false)],
    [
      'is binary, and changed by the agent',
      file(),
      sides('\0', '\0y', local('\0')),
      change('a', '\0', '\0y', 0, null, false),
    ],
    ['is changed alike', file(), sides('x', 'y', local('y')), 'same'],
    [
      'has more here than the agent changed',
      file(),
      sides('1\n2\n3\n', 'one\n2\n3\n', local('one\n2\nthree\n')),
      'same',
    ],
    [
      'is added on both sides',
      file(null),
      sides(null, 'x\n', local('y\n')),
      change('a', 'y\n', '<<<<<<< local\ny\n=======\nx\n>>>>>>> agent\n', 1, null, false),
    ],
    [
      'is made one to run',
      file('100644', '100755'),
      sides('x', 'x', local('x')),
      change('a', 'x', 'x', 0, true, false),
    ],
    [
      'is made one to run, and changed here',
      file('100644', '100755'),
      sides('\0', '\0', local('\0mine')),
      change('a', '\0mine', '\0mine', 0, true, false),
    ],
    [
      'isn’t to be run any more',
      file('100755', '100644'),
      sides('x', 'y', local('x', true)),
      change('a', 'x', 'y', 0, false, true),
    ],
    [
      'isn’t to be run any more, and isn’t here',
      file('100755', '100644'),
      sides('x', 'x', local('x', false)),
      'same',
    ],
    [
      'has its mode already',
      file('100644', '100755'),
      sides('x', 'y', local('x', true)),
      change('a', 'x', 'y', 0, null, true),
    ],
    [
      'merges to what is here, and is to be run',
      file('100644', '100755'),
      sides('1\n2\n3\n', 'one\n2\n3\n', local('one\n2\nthree\n')),
      change('a', 'one\n2\nthree\n', 'one\n2\nthree\n', 0, true, false),
    ],
    ['moves', renamed, sides('x', 'x', local('x')), change('old', 'x', 'x', 0, null, false)],
    [
      'moves with what was changed here',
      renamed,
      sides('\0', '\0', local('\0mine')),
      change('old', '\0mine', '\0mine', 0, null, false),
    ],
    ['has moved here, too', renamed, sides('x', 'y', null, local('y')), 'same'],
    ['would move to where another is', renamed, sides('x', 'y', local('x'), local('y')), 'existsHere'],
    ['would move to where something else is', renamed, sides('x', 'y', null, local('z')), 'existsHere'],
    ['would move, and isn’t here', renamed, sides('x', 'y', null), 'goneHere'],
    ['would move to a link', renamed, sides('x', 'y', local('x'), { blocked: 'linkHere' }), 'linkHere'],
    [
      'is deleted, and differs in bytes that aren’t UTF-8',
      file('100644', null),
      sides('\xff\n', null, local('\xfe\r\n')),
      'changedHere',
    ],
    [
      'is deleted, and differs in line ends',
      file('100644', null),
      sides('a\xff\nb\n', null, local('a\xff\r\nb\r\n')),
      change('a', 'a\xff\r\nb\r\n', null, 0, null, false),
    ],
    ['is deleted, and was added here', file('100644', null), sides(null, null, local('x')), 'changedHere'],
  ];
  for (const [what, changed, of, expected] of rows)
    it(`is found where it ${what}`, () => {
      assert.equal(told(changed, of), expected);
    });
});
