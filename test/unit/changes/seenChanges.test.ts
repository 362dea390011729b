import assert from 'node:assert/strict';
import type { ChangedFile, ChangeSet } from '../../../src/features/sandboxChanges/model/changeSet';
import { SeenChanges } from '../../../src/features/changes/model/seenChanges';

const file = (path: string, oid: string, size = 1): ChangedFile => ({
  path,
  kind: 'modified',
  before: null,
  after: { oid, mode: '100644', size },
});
const changes = (...files: ChangedFile[]): ChangeSet => ({
  repository: { root: '/workspace/shop', name: 'shop', remote: null, base: null, head: null },
  files,
  complete: true,
});

describe('changes since one last looked', () => {
  let stored: unknown;
  let seen: SeenChanges;
  const paths = (files: ChangedFile[] | undefined) => files?.map(({ path }) => path);

  beforeEach(() => {
    stored = undefined;
    seen = new SeenChanges({ read: () => stored, write: (value) => (stored = value) });
  });

  it('are unknown before the first look', () => {
    assert.equal(seen.since('c', changes(file('a', '1'))), undefined);
  });

  it('are files that are new or have changed again', () => {
    seen.remember('c', changes(file('a', '1'), file('b', '1'), file('large', '', 5)));
    const now = changes(file('a', '1'), file('b', '2'), file('c', '1'), file('large', '', 6));
    assert.deepEqual(paths(seen.since('c', now)), ['b', 'c', 'large']);
    seen.remember('c', now);
    assert.deepEqual(paths(seen.since('c', now)), []);
  });

  it('are files that were deleted, came back, or got another mode', () => {
    const gone = { ...file('a', '1'), after: null };
    const tool = { ...file('a', '1'), after: { oid: '1', mode: '100755' as const, size: 1 } };
    for (const [before, after] of [
      [file('a', '1'), gone],
      [gone, file('a', '1')],
      [file('a', '1'), tool],
      [file('a', '1', 12), file('a', '11', 2)],
    ] as const) {
      seen.remember('c', changes(before));
      assert.deepEqual(paths(seen.since('c', changes(before))), []);
      assert.deepEqual(paths(seen.since('c', changes(after))), ['a']);
    }
  });

  it('are those beyond the first 2,000, as that many are remembered', () => {
    const many = Array.from({ length: 2_001 }, (_, number) => file(String(number), '1'));
    seen.remember('c', changes(...many));
    assert.deepEqual(paths(seen.since('c', changes(...many))), ['2000']);
  });

  it('are those of each repository', () => {
    const other = changes(file('a', '1'));
    other.repository.root = '/workspace/other';
    seen.remember('c', changes(file('a', '1')));
    assert.equal(seen.since('c', other), undefined);
    seen.remember('c', other);
    assert.deepEqual(paths(seen.since('c', changes(file('a', '1')))), []);
  });

  it('are kept for each conversation and repository, the latest ones', () => {
    seen.remember('first', changes(file('a', '1')));
    assert.equal(seen.since('other', changes(file('a', '1'))), undefined);
    for (let number = 0; number < 99; number += 1) seen.remember(String(number), changes());
    assert.deepEqual(paths(seen.since('first', changes(file('a', '1')))), []);
    for (let again = 0; again < 3; again += 1) seen.remember('5', changes());
    assert.deepEqual(paths(seen.since('first', changes(file('a', '1')))), []);
    seen.remember('99', changes());
    assert.equal(seen.since('first', changes()), undefined);
    assert.deepEqual(seen.since('99', changes()), []);
  });

  it('don’t reveal names or contents in what is stored', () => {
    seen.remember('c', changes(file('secret-plan.txt', '1')));
    assert.ok(!JSON.stringify(stored).includes('secret'));
  });

  it('are unknown when what is kept can’t be read', () => {
    for (stored of ['x', [{ key: 1 }], { key: 'a' }]) assert.equal(seen.since('c', changes()), undefined);
  });
});
