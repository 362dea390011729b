import assert from 'node:assert/strict';
import type { FileChange, Result } from '../../../src/api/events/event';
import type { DiffLine } from '../../../src/shared/transcript';
import {
  changedFiles,
  detailOf,
  plannedSides,
  type PlannedEdit,
  wholeDiff,
} from '../../../src/features/transcript';
import { aCommand, aResult } from './events';

const words = (lines: readonly DiffLine[]) => lines.map(({ kind, text }) => `${kind} ${text}`);
const numbers = (count: number) => Array.from({ length: count }, (_, number) => `${number}\n`);

function resultOf(values: Partial<Result>): Result {
  const event = aResult(aCommand('edit'), values);
  assert.ok(event.kind === 'observation');
  return event.result;
}

/** What a step shows of planned edits, with their result. */
function shown(edits: readonly PlannedEdit[], result?: Partial<Result>) {
  const [first, ...others] = edits;
  const purpose = { to: 'edit', edits: [first!, ...others], rest: {} } as const;
  const detail = detailOf(purpose, result && resultOf(result), 'tool');
  assert.ok(detail.step === 'edit');
  return detail;
}

const edit: PlannedEdit = { path: '/a', change: 'edit', before: 'x', after: 'y' };
const create: PlannedEdit = { path: '/a', change: 'create', before: '', after: 'y' };
const gone: PlannedEdit = { path: '/a', change: 'delete', before: 'x', after: '' };
const moved: PlannedEdit = { ...edit, movedTo: '/b' };

describe('the files that a result reports', () => {
  it('are all of them with their contents, or none', () => {
    const files: FileChange[] = [
      { path: '/a', before: 'x', after: 'y' },
      { path: '/b', before: null, after: 'y' },
    ];
    assert.deepEqual(changedFiles(resultOf({ files })), files);
    assert.deepEqual(changedFiles(resultOf({ files: [...files, { ...files[0]!, isGone: true }] })), []);
  });

  it('are the one that it’s about, with what was masked in it', () => {
    const one = { path: '/a', before: 'x', after: 'y' };
    assert.deepEqual(changedFiles(resultOf(one)), [one]);
    assert.deepEqual(changedFiles(resultOf({ ...one, masked: ['after'] })), [{ ...one, masked: ['after'] }]);
    assert.deepEqual(changedFiles(resultOf({ ...one, path: null })), []);
    assert.deepEqual(changedFiles(resultOf({ ...one, after: null })), []);
  });
});

describe('an edit in a step', () => {
  it('is new, changed, or deleted, as it was planned or as it came out', () => {
    const kind = (planned: PlannedEdit, result?: Partial<Result>) => {
      const { isNew, isDeleted } = shown([planned], result);
      return [isNew && 'new', isDeleted === true && 'deleted'].filter(Boolean).join();
    };
    assert.deepEqual([kind(edit), kind(create), kind(gone)], ['', 'new', 'deleted']);
    const file = (before: string | null, after: string | null) => ({
      files: [{ path: '/a', before, after }],
    });
    assert.deepEqual(
      [kind(edit, file(null, 'y')), kind(edit, file('x', null)), kind(create, file('x', 'y'))],
      ['new', 'deleted', ''],
    );
  });

  it('names the file that its result names, while that doesn’t have its contents', () => {
    assert.equal(shown([edit]).path, '/a');
    assert.equal(shown([edit], { path: '/real' }).path, '/real');
    const files = [{ path: '/b', before: null, after: 'x' }];
    assert.equal(shown([edit], { path: '/real', files }).path, '/b');
  });

  it('offers its contents if they are whole', () => {
    const [whole, part] = [
      { path: '/a', before: 'x', after: 'y' },
      { path: '/b', before: 'x', after: 'y', isPart: true as const },
    ];
    assert.deepEqual(
      [[], [whole], [part], [whole, part]].map((files) => shown([edit], { files }).hasContents),
      [false, true, false, false],
    );
  });

  it('of several files has the lines of each below its path, and is none of a new or deleted file', () => {
    const all = shown([gone, { ...create, path: '/n' }, { ...moved, path: '/m' }, { ...edit, path: '/e' }]);
    assert.deepEqual([all.files, all.isNew, 'isDeleted' in all, all.path], [4, false, false, '/a']);
    assert.deepEqual([all.added, all.removed], [3, 3]);
    assert.deepEqual(words(all.diff), [
      ...['file /a (deleted)', 'removed x'],
      ...['file /n (new)', 'added y'],
      ...['file /m → /b', 'removed x', 'added y'],
      ...['file /e', 'removed x', 'added y'],
    ]);
    assert.equal('files' in shown([edit]), false);
  });

  it('says where a file was moved, also if it’s the only one', () => {
    assert.deepEqual(words(shown([moved]).diff), ['file /a → /b', 'removed x', 'added y']);
  });

  it('has no path that could pass for words about it', () => {
    const paths = ['/a (new)', '/a（x）', '/a → b', '/(group)/a.ts'];
    const named = words(
      shown([...paths.map((path) => ({ ...edit, path })), { ...moved, movedTo: '/b (deleted)' }]).diff,
    ).filter((line) => line.startsWith('file'));
    assert.deepEqual(named, [
      'file /a ‹U+0028›new)',
      'file /a‹U+FF08›x）',
      'file /a ‹U+2192› b',
      'file /(group)/a.ts',
      'file /a → /b ‹U+0028›deleted)',
    ]);
  });

  it('has as many lines and characters as a card has room for', () => {
    const lines = (text: string) => {
      const { diff } = shown([{ ...create, after: text }]);
      return [diff.length, diff.at(-1)?.kind, diff[0]?.text.length];
    };
    assert.deepEqual(lines(numbers(60).join('')), [60, 'added', 1]);
    assert.deepEqual(lines(numbers(61).join('')), [61, 'gap', 1]);
    assert.deepEqual(lines('x'.repeat(307)), [1, 'added', 307]);
    assert.deepEqual(lines('x'.repeat(308)), [1, 'added', 307]);
    assert.deepEqual(lines(`${'x'.repeat(200)}\n`.repeat(20)), [20, 'added', 200]);
    assert.deepEqual(lines(`${'x'.repeat(200)}\n`.repeat(20) + 'x'), [21, 'gap', 200]);
  });
});

describe('edits that wait for approval', () => {
  it('have every line that changes, and say how many others there are', () => {
    const changed = (at: number) => {
      const all = numbers(10);
      return wholeDiff([{ ...edit, before: all.join(''), after: all.with(at, 'x\n').join('') }]);
    };
    assert.deepEqual(words(changed(0).lines), [
      ...['removed 0', 'added x', 'same 1', 'same 2', 'same 3'],
      'gap 6 unchanged lines',
    ]);
    assert.deepEqual(words(changed(4).lines).at(0), 'gap 1 unchanged line');
    const long = wholeDiff([create, { ...create, path: '/n', after: numbers(1_000).join('') }]);
    assert.deepEqual([long.added, long.removed, long.lines.length], [1_001, 0, 1_003]);
  });

  it('tell a line end at the end from none', () => {
    const lines = (before: string, after: string) =>
      words(wholeDiff([{ ...edit, before, after }]).lines).join(', ');
    assert.equal(lines('x', 'x\n'), 'same x, added ');
    assert.equal(lines('x\n', 'x'), 'same x, removed ');
    assert.equal(lines('x\n', 'x\ny\n'), 'same x, added y');
    assert.equal(lines('', 'x\n'), 'added x');
    assert.equal(lines('', 'x'), 'added x');
    assert.equal(lines('x', ''), 'removed x');
  });

  it('have two sides, of one file its contents', () => {
    assert.deepEqual(plannedSides([edit]), { before: 'x', after: 'y' });
    assert.deepEqual(plannedSides([moved]), { before: '/a → /b\nx', after: '/a → /b\ny' });
    assert.deepEqual(plannedSides([edit, { ...create, path: '/n' }]), {
      before: '/a\nx\n/n (new)',
      after: '/a\ny\n/n (new)\ny',
    });
    const lines: DiffLine[] = [
      { kind: 'gap', text: 'f()' },
      { kind: 'same', text: 'a' },
      { kind: 'added', text: 'b' },
    ];
    const patched: PlannedEdit = { path: '/a', change: 'edit', lines };
    assert.deepEqual(plannedSides([patched]), { before: '⋯ f()\na', after: '⋯ f()\na\nb' });
  });
});
