import assert from 'node:assert/strict';
import { type OpenText, operationsOf } from '../../../src/features/changes/model/operations';
import { outcomeOf, outcomeOfFailed } from '../../../src/features/changes/model/outcome';
import type { PlannedChange } from '../../../src/features/changes/model/plan';

type Files = Record<string, string>;

describe('what became of a change', () => {
  const bytes = (text: string | null) => (text === null ? null : Buffer.from(text));
  /** A change of the file `from` to `to`; without a document, the editor replaces the file. */
  const prepared = async (
    [from, before]: [string | null, string | null],
    [path, after]: [string, string | null],
    how: 'edited' | 'replaced' = 'edited',
  ) => {
    const change: PlannedChange = {
      kind: 'change',
      ...{ path, from, before: bytes(before), after: bytes(after) },
      ...{ conflicts: 0, executable: null, wasExecutable: null },
    };
    const open: OpenText | undefined =
      how === 'replaced' || before === null
        ? undefined
        : {
            text: before,
            lineEnd: '\n',
            decode: (content) => Promise.resolve(Buffer.from(content).toString()),
            encode: (text) => Promise.resolve(Buffer.from(text)),
          };
    return { change, open, operations: await operationsOf(change, open) };
  };
  const reading = (files: Files) => (path: string) => {
    const text = files[path];
    return Promise.resolve(text === undefined ? null : { content: Buffer.from(text), executable: null });
  };

  const edit = () => prepared(['a', '1\n2\n3\n'], ['a', 'one\n2\nthree\n']);
  const movedEdit = () => prepared(['a', '1\n2\n'], ['b', '1\ntwo\n']);
  const replaced = () => prepared(['a', 'x'], ['a', 'y'], 'replaced');
  const movedReplaced = () => prepared(['a', 'x'], ['b', 'y'], 'replaced');
  const added = () => prepared([null, null], ['a', 'x']);
  const deleted = () => prepared(['a', 'x'], ['a', null]);
  const finding = (how: typeof outcomeOf) => async (one: ReturnType<typeof prepared>, files: Files) =>
    how(await one, reading(files));

  it('is what the user selected, once the editor did that', async () => {
    const found = finding(outcomeOf);
    assert.equal(await found(edit(), { a: 'one\n2\n3\n' }), 'done');
    assert.equal(await found(edit(), { a: '1\n2\n3\n' }), 'skipped');
    assert.equal(await found(edit(), { a: 'formatted\n' }), 'differs');
    assert.equal(await found(movedEdit(), { b: '1\n2\n' }), 'done');
    assert.equal(await found(movedReplaced(), { a: 'x' }), 'skipped');
    assert.equal(await found(added(), {}), 'skipped');
    assert.equal(await found(deleted(), {}), 'done');
  });

  it('is partial for a file that was deleted and not created again', async () => {
    for (const one of [await replaced(), await movedReplaced()])
      for (const outcome of [outcomeOf, outcomeOfFailed])
        assert.equal(await outcome(one, reading({})), 'partial');
  });

  it('is failed for what is as before, or what someone else wrote, when the editor gave up', async () => {
    const found = finding(outcomeOfFailed);
    assert.equal(await found(edit(), { a: '1\n2\n3\n' }), 'failed');
    assert.equal(await found(edit(), { a: 'typed\n' }), 'changed');
    assert.equal(await found(replaced(), { a: 'x' }), 'failed');
    assert.equal(await found(movedEdit(), { a: '1\n2\n' }), 'failed');
    assert.equal(await found(added(), {}), 'failed');
    assert.equal(await found(added(), { a: 'mine' }), 'changed');
    // Only its mode was to change.
    assert.equal(await found(prepared(['a', 'x'], ['a', 'x']), { a: 'x' }), 'failed');
  });

  it('is what was done before the editor gave up', async () => {
    const found = async (one: ReturnType<typeof prepared>, files: Files) =>
      outcomeOfFailed(await one, reading(files));
    assert.equal(await found(deleted(), {}), 'done');
    assert.equal(await found(edit(), { a: 'one\n2\nthree\n' }), 'done');
    assert.equal(await found(movedEdit(), { b: '1\ntwo\n' }), 'done');
    assert.equal(await found(movedEdit(), { b: '1\n2\n' }), 'partial');
    assert.equal(await found(replaced(), { a: 'half' }), 'partial');
  });
});
