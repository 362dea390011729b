import assert from 'node:assert/strict';
import type { ChangedFile, FileVersion } from '../../../src/features/sandboxChanges/model/changeSet';
import type { AllChanges } from '../../../src/features/changes/model/readChanges';
import { changedIn } from '../../../src/features/compare/model/changed';
import { comparedDifference } from '../../../src/features/compare/model/difference';
import { isSameRepository } from '../../../src/features/compare/model/sameRepository';
import { aConversation } from '../../support/builders/records';

const never = new AbortController().signal;
const version = (text: string): FileVersion => ({ oid: `o${text}`, mode: '100644', size: text.length });
const file = (path: string, before: string | null, after: string | null): ChangedFile => ({
  path,
  kind: before === null ? 'added' : after === null ? 'deleted' : 'modified',
  before: before === null ? null : version(before),
  after: after === null ? null : version(after),
});

function changes(files: ChangedFile[], { name = 'shop', base = 'b1', isWhole = true } = {}): AllChanges {
  const repository = { root: `/work/${name}`, name, remote: null, base, head: null };
  const set = { repository, files, complete: true };
  const source = {
    list: () => Promise.resolve(set),
    content: ({ oid }: FileVersion) => Promise.resolve(new TextEncoder().encode(oid.slice(1))),
  };
  return { repositories: [{ source, changes: set }], limit: undefined, isWhole, unread: [], branches: [] };
}

/** Each file as old → new. */
const told = (old: AllChanges, now: AllChanges) =>
  comparedDifference(old, now).files.map(({ old: one, now: other }) =>
    [one, other].map((part) => part && `${part.of} ${part.file[part.side]?.oid}`),
  );

describe('the difference between two attempts', () => {
  it('is what each left of the files that either of them changed', () => {
    const old = changes([
      file('a', '1', '2'),
      file('b', '1', '2'),
      file('same', '1', '5'),
      file('gone', '1', null),
    ]);
    const now = changes([
      file('a', '1', '3'),
      file('c', null, '4'),
      file('d', '1', '6'),
      file('same', '1', '5'),
      file('gone', '1', null),
    ]);
    assert.deepEqual(told(old, now), [
      ['old o2', 'now o3'],
      // Only the old attempt changed it: the new one has what it began with.
      ['old o2', 'old o1'],
      [undefined, 'now o4'],
      ['now o1', 'now o6'],
    ]);
    assert.deepEqual(comparedDifference(old, old).files, []);
  });

  it('is also a mode, and a content that can’t be told apart', () => {
    const [plain, unknown] = [file('a', '1', '2'), file('b', '1', '2')];
    const executable = { ...plain, after: { ...version('2'), mode: '100755' as const } };
    unknown.after = { ...version(''), oid: '' };
    assert.deepEqual(told(changes([plain, unknown]), changes([executable, unknown])), [
      ['old o2', 'now o2'],
      ['old ', 'now '],
    ]);
  });

  it('is told for each repository, by its name', () => {
    const both = (text: string, base: string): AllChanges => ({
      ...changes([]),
      repositories: [
        ...changes([file('a', '1', text)]).repositories,
        ...changes([file('a', '1', '7')], { name: 'api', base }).repositories,
      ],
    });
    assert.deepEqual(told(both('2', 'b1'), both('3', 'b1')), [['old o2', 'now o3']]);
    const isSameBase = (old: AllChanges, now: AllChanges) => comparedDifference(old, now).isSameBase;
    assert.equal(isSameBase(both('2', 'b1'), both('3', 'b1')), true);
    assert.equal(isSameBase(both('2', 'b1'), both('3', 'b2')), false);
    // The other attempt changed only one of them.
    assert.deepEqual(told(changes([file('a', '1', '2')]), both('2', 'b2')), [['now o1', 'now o7']]);
    assert.equal(isSameBase(changes([file('a', '1', '2')]), both('2', 'b2')), true);
  });

  it('shows a file that was renamed where each attempt has it', () => {
    const renamed: ChangedFile = { ...file('new', '1', '2'), oldPath: 'a', kind: 'renamed' };
    assert.deepEqual(told(changes([renamed]), changes([file('a', '1', '3')])), [
      [undefined, 'now o3'],
      ['old o2', undefined],
    ]);
    assert.deepEqual(told(changes([renamed]), changes([])), [
      [undefined, 'old o1'],
      ['old o2', undefined],
    ]);
  });

  it('finds the same repository in worktrees of other names, and says if they began differently', () => {
    const [old, now] = [
      changes([file('a', '1', '2')]),
      changes([file('a', '1', '3')], { name: 'w', base: 'b2' }),
    ];
    assert.deepEqual(told(old, now), [['old o2', 'now o3']]);
    assert.equal(comparedDifference(old, now).isSameBase, false);
    assert.equal(comparedDifference(old, old).isSameBase, true);
  });

  it('is possible for conversations of one repository, or of folders of one name', () => {
    const about = (selected_repository: string | null, folder?: string) =>
      aConversation({ selected_repository, ...(folder !== undefined && { folder }) });
    assert.ok(isSameRepository([about('acme/Shop'), about('acme/shop')]));
    assert.ok(!isSameRepository([about('acme/shop'), about('acme/other')]));
    assert.ok(isSameRepository([about(null, '/home/ada/shop'), about(null, '/tmp/worktrees/1/shop/')]));
    assert.ok(!isSameRepository([about(null, '/home/ada/shop'), about(null, '/home/ada/other')]));
  });
});

describe('changes in numbers', () => {
  it('are the files and lines that git finds changed', async () => {
    const files = [file('a', '1\n2\n', '1\n3\n4\n'), file('b', null, 'x\ny'), file('c', 'z\n', null)];
    assert.deepEqual(await changedIn(changes(files), never), {
      files: 3,
      added: 4,
      removed: 2,
      isWhole: true,
    });
  });

  it('leave out what is too large, binary, or can’t be read, and say so where lines may be missing', async () => {
    const large = { ...file('large', '1', '2'), after: { ...version('2'), size: 300_000 } };
    const unknown = { ...file('unknown', '1', '2'), after: { oid: '', mode: '100644', size: null } as const };
    const one = file('a', '1', '2');
    const counted = { added: 1, removed: 1 };
    for (const left of [large, unknown])
      assert.deepEqual(await changedIn(changes([one, left]), never), {
        files: 2,
        ...counted,
        isWhole: false,
      });
    assert.deepEqual(await changedIn(changes([one, file('b', '1', '\0')]), never), {
      ...{ files: 2, ...counted },
      isWhole: true,
    });
    const failing = changes([one]);
    failing.repositories[0]!.source.content = () => Promise.reject(new Error('gone'));
    assert.deepEqual(await changedIn(failing, never), { files: 1, added: 0, removed: 0, isWhole: false });
    const ofSize = (size: number) => ({ ...one, after: { ...version('2'), size } });
    const sized = async (...sizes: number[]) => (await changedIn(changes(sizes.map(ofSize)), never)).added;
    const side = 256 * 1024;
    assert.deepEqual([await sized(side), await sized(side + 1)], [1, 0], 'of one side');
    const most = 4 * 1024 * 1024 - 16;
    const sixteen = [...Array<number>(15).fill(side), most - 15 * side];
    assert.equal(await sized(...sixteen), 16);
    assert.equal(await sized(...sixteen, 0), 16, 'of all together');
    const many = Array.from({ length: 300 }, (_, at) => file(String(at), '1', '2'));
    assert.deepEqual(await changedIn(changes(many), never), {
      ...{ files: 300, added: 200, removed: 200 },
      isWhole: false,
    });
  });
});
