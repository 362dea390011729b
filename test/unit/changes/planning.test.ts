import assert from 'node:assert/strict';
import type {
  ChangedFile,
  FileMode,
  FileVersion,
} from '../../../src/features/sandboxChanges/model/changeSet';
import type { Local } from '../../../src/features/changes/model/plan';
import { largestApplied } from '../../../src/features/changes/model/notApplied';
import { planChanges } from '../../../src/features/changes/model/planning';

const version = (oid: string, mode: FileMode = '100644', size: number | null = 1): FileVersion => ({
  oid,
  mode,
  size,
});
const file = (path: string, before: FileVersion | null, after: FileVersion | null): ChangedFile => ({
  path,
  kind: 'modified',
  before,
  after,
});
/** Contents are their own hashes. */
const content = ({ oid }: FileVersion) =>
  oid === 'gone' ? Promise.reject(new Error('gone')) : Promise.resolve(Buffer.from(oid));

const planOf = async (files: ChangedFile[], here: Record<string, Local> = {}, windows = false) => {
  const read = (path: string) => Promise.resolve(here[path] ?? null);
  const { changes, refused, same } = await planChanges(
    { files },
    content,
    { read, windows },
    () => undefined,
  );
  return { changes, same, why: Object.fromEntries(refused.map(({ path, why }) => [path, why])) };
};
const local = (text: string, executable: boolean | null = false): Local => ({
  content: Buffer.from(text),
  executable,
});

describe('a plan to apply changes', () => {
  it('names what can’t be applied, and why', async () => {
    const added = version('new');
    const { changes, why } = await planOf([
      file('../out', null, added),
      file('.GIT/config', null, added),
      file('link', null, version('target', '120000')),
      file('was a link', version('target', '120000'), added),
      file('was a module', version('commit', '160000', null), added),
      file('from', null, added),
      { ...file('into', version('a'), version('a')), oldPath: 'From' },
      file('module', null, version('commit', '160000', null)),
      file('large', null, version('x', '100644', largestApplied + 1)),
      file('Case', null, added),
      file('case', null, added),
      file('folder', null, added),
      file('folder/file', null, added),
      file('unread', null, version('gone')),
      { ...file('\\377', null, added), unreadableName: true },
      { ...file('to', version('a'), version('a')), oldPath: '../from' },
    ]);
    assert.deepEqual(changes, []);
    assert.deepEqual(why, {
      '../out': 'outside',
      '.GIT/config': 'git',
      link: 'link',
      'was a link': 'link',
      'was a module': 'submodule',
      from: 'collision',
      into: 'collision',
      module: 'submodule',
      large: 'tooLarge',
      Case: 'collision',
      case: 'collision',
      folder: 'collision',
      'folder/file': 'collision',
      unread: 'unread',
      '\\377': 'unreadableName',
      to: 'outside',
    });
  });

  it('names files that are too large together', async () => {
    const many = Array.from({ length: 12 }, (_, index) =>
      file(`${index}`, null, version('x', '100644', largestApplied)),
    );
    const { changes, why } = await planOf(many);
    assert.equal(changes.length, 10);
    assert.deepEqual(why, { 10: 'tooMuch', 11: 'tooMuch' });
  });

  it('is nothing without files', async () => {
    assert.deepEqual(await planOf([]), { changes: [], why: {}, same: 0 });
  });

  it('deletes a file in whose place the agent has a folder with a name that can’t be read', async () => {
    const files = [
      file('dir', version('x'), null),
      { ...file('dir/\\377', null, version('new')), unreadableName: true as const },
    ];
    const { changes, why } = await planOf(files, { dir: local('x') });
    assert.deepEqual(
      [changes.map(({ path, after }) => [path, after]), why],
      [[['dir', null]], { 'dir/\\377': 'unreadableName' }],
    );
  });

  it('takes files that are just small enough, alone and together', async () => {
    const many = Array.from({ length: 10 }, (_, index) =>
      file(`${index}`, null, version('x', '100644', largestApplied)),
    );
    const unknown = file('unknown', null, version('x', '100644', null));
    const { changes, why } = await planOf([...many, unknown]);
    assert.deepEqual([changes.length, why], [11, {}]);
    const both = file(
      'a',
      version('a', '100644', largestApplied),
      version('b', '100644', largestApplied + 1),
    );
    assert.deepEqual((await planOf([both], { a: local('a') })).why, { a: 'tooLarge' });
  });

  it('reads both sides of a file, in both places of one that moved', async () => {
    const read: string[] = [];
    const contents: string[] = [];
    const moved = { ...file('to', version('base'), version('agent')), oldPath: 'from' };
    await planChanges(
      { files: [moved, file('a', null, version('new')), file('.git', null, version('evil'))] },
      (side) => {
        contents.push(side.oid);
        return content(side);
      },
      { read: (path) => (read.push(path), Promise.resolve(null)), windows: false },
      () => undefined,
    );
    assert.deepEqual(read.toSorted(), ['a', 'from', 'to']);
    assert.deepEqual(contents.toSorted(), ['agent', 'base', 'new']);
  });

  it('reports its progress', async () => {
    const told: number[][] = [];
    const files = ['a', 'b', '../c'].map((path) => file(path, null, version('x')));
    const target = { read: () => Promise.resolve(null), windows: false };
    const plan = await planChanges({ files }, content, target, (done, of) => told.push([done, of]));
    assert.deepEqual(told, [
      [1, 2],
      [2, 2],
    ]);
    assert.deepEqual(
      plan.changes.map(({ path }) => path),
      ['a', 'b'],
    );
  });

  it('treats names as Windows does only on Windows', async () => {
    const files = [file('nul', null, version('x'))];
    assert.deepEqual((await planOf(files, {}, true)).why, { nul: 'windows' });
    assert.deepEqual((await planOf(files)).why, {});
  });

  it('moves a file with its edits on both sides, and deletes one that differs in line ends only', async () => {
    const moved = { ...file('to', version('1\n2\n3\n'), version('1\n2\nthree\n')), oldPath: 'from' };
    const { changes } = await planOf([moved, file('gone', version('1\n2\n'), null)], {
      from: local('one\n2\n3\n', true),
      gone: local('1\r\n2\r\n'),
    });
    assert.deepEqual(
      changes.map(({ path, from, after, conflicts, executable, wasExecutable }) => [
        [path, from, after && Buffer.from(after).toString()],
        [conflicts, executable, wasExecutable],
      ]),
      [
        [
          ['to', 'from', 'one\n2\nthree\n'],
          [0, null, true],
        ],
        [
          ['gone', 'gone', null],
          [0, null, false],
        ],
      ],
    );
  });

  it('never deletes a binary file that only seems to differ in line ends', async () => {
    const { why } = await planOf([file('x', version('a\0\n'), null)], { x: local('a\0\r\n') });
    assert.deepEqual(why, { x: 'changedHere' });
  });

  it('never loses what was changed here', async () => {
    const { changes, why } = await planOf(
      [
        file('deleted', version('base'), null),
        file('gone', version('base'), version('agent')),
        file('binary', version('base'), version('a\0b')),
        file('there', null, version('a\0b')),
        { ...file('to', version('base'), version('base')), oldPath: 'from' },
        file('blocked', version('base'), version('agent')),
      ],
      {
        deleted: local('mine'),
        binary: local('mine'),
        there: local('mine'),
        from: local('base'),
        to: local('mine'),
        blocked: { blocked: 'linkHere' },
      },
    );
    assert.deepEqual(changes, []);
    assert.deepEqual(why, {
      deleted: 'changedHere',
      gone: 'goneHere',
      binary: 'binary',
      there: 'existsHere',
      to: 'existsHere',
      blocked: 'linkHere',
    });
  });

  it('is made for files as they are once all contents were fetched', async () => {
    const here: Record<string, Local> = { quick: local('base'), slow: local('base') };
    const files = ['quick', 'slow'].map((path) => file(path, version('base'), version('agent')));
    files.push(file('last', null, version('late')));
    const { changes, refused } = await planChanges(
      { files },
      async ({ oid }) => {
        if (oid === 'late') {
          await new Promise((resolve) => setImmediate(resolve));
          Object.assign(here, { quick: local('agent'), slow: local('mine\0') });
        }
        return Buffer.from(oid);
      },
      { read: (path) => Promise.resolve(here[path] ?? null), windows: false },
      () => undefined,
    );
    assert.deepEqual(
      [changes.map(({ path }) => path), refused.map(({ path, why }) => [path, why])],
      [['last'], [['slow', 'binary']]],
    );
  });

  it('leaves files alone that are as the agent has them', async () => {
    const files = [
      file('a', version('base'), version('agent')),
      file('mode', version('x'), version('x', '100755')),
      file('deleted', version('base'), null),
      { ...file('to', version('base'), version('agent')), oldPath: 'from' },
    ];
    const here = { a: local('agent'), mode: local('x', true), to: local('agent') };
    assert.deepEqual(await planOf(files, here), { changes: [], why: {}, same: 4 });
  });

  it('sets a mode that only the agent changed, also where modes aren’t known', async () => {
    const files = [file('mode', version('x'), version('x', '100755'))];
    for (const executable of [false, null]) {
      const [change] = (await planOf(files, { mode: local('mine', executable) })).changes;
      assert.equal(change?.executable, true);
      assert.equal(Buffer.from(change.after ?? []).toString(), 'mine');
    }
  });

  it('stops when it is canceled', async () => {
    const target = { read: () => Promise.resolve(null), windows: false };
    const files = [file('a', null, version('a'))];
    await assert.rejects(planChanges({ files }, content, target, () => undefined, AbortSignal.abort()));
    const controller = new AbortController();
    const canceled = () => {
      controller.abort(new Error('enough'));
      return Promise.reject(new Error('enough'));
    };
    await assert.rejects(
      planChanges({ files }, canceled, target, () => undefined, controller.signal),
      /enough/,
    );
  });
});
