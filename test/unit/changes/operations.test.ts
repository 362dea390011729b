import assert from 'node:assert/strict';
import { type OpenText, operationsOf } from '../../../src/features/changes/model/operations';
import type { PlannedChange } from '../../../src/features/changes/model/plan';

const change = (
  before: string | null,
  after: string | null,
  more: Partial<PlannedChange> = {},
): PlannedChange => ({
  kind: 'change',
  path: 'a',
  from: before === null ? null : 'a',
  before: before === null ? null : Buffer.from(before),
  after: after === null ? null : Buffer.from(after),
  conflicts: 0,
  executable: null,
  wasExecutable: null,
  ...more,
});
/** A document that the editor has open, in UTF-8. */
const open = (text: string, lineEnd: OpenText['lineEnd'] = '\n'): OpenText => ({
  text,
  lineEnd,
  decode: (content) => Promise.resolve(Buffer.from(content).toString()),
  encode: (words) => Promise.resolve(Buffer.from(words)),
});
const kinds = async (...args: Parameters<typeof operationsOf>) =>
  (await operationsOf(...args)).map(({ kind, path }) => `${kind} ${path}`);

describe('what the editor does for a change', () => {
  it('is to delete, create, or move a file', async () => {
    assert.deepEqual(await operationsOf(change('x', null), open('x')), [{ kind: 'delete', path: 'a' }]);
    assert.deepEqual(await operationsOf(change(null, null), undefined), []);
    const created = [{ kind: 'create', path: 'a', content: Buffer.from('x') }];
    assert.deepEqual(await operationsOf(change(null, 'x'), undefined), created);
    assert.deepEqual(await operationsOf(change(null, 'x', { from: 'b' }), undefined), created);
    assert.deepEqual(await operationsOf(change('x', 'x', { from: 'b' }), undefined), [
      { kind: 'rename', from: 'b', path: 'a' },
    ]);
    assert.deepEqual(await operationsOf(change('x', 'x'), undefined), []);
  });

  it('is to edit the lines that differ, after a move', async () => {
    const edit = {
      kind: 'edit',
      path: 'a',
      lines: ['1\n', '2\n', '3'],
      hunks: [{ start: 1, end: 2, lines: ['two\n'] }],
    };
    const after = '1\ntwo\n3';
    assert.deepEqual(await operationsOf(change('1\n2\n3', after), open('1\n2\n3')), [edit]);
    assert.deepEqual(await operationsOf(change('1\n2\n3', after, { from: 'b' }), open('1\n2\n3')), [
      { kind: 'rename', from: 'b', path: 'a' },
      edit,
    ]);
  });

  it('is to write the whole file where an edit wouldn’t arrive byte for byte', async () => {
    const anew = ['delete b', 'create a'];
    const moved = { from: 'b' };
    assert.deepEqual(await kinds(change('1\n', '2\n', moved), undefined), anew);
    // The document isn’t what the file was.
    assert.deepEqual(await kinds(change('1\n', '2\n', moved), open('other\n')), anew);
    // The encoding doesn’t have the new text.
    const narrow = {
      ...open('1\n'),
      encode: (words: string) => Promise.resolve(Buffer.from(words, 'ascii')),
    };
    assert.deepEqual(await kinds(change('1\n', 'é\n', moved), narrow), anew);
  });

  const ends: [lineEnd: OpenText['lineEnd'], before: string, after: string, kept: boolean][] = [
    ['\n', '1\n', '2\n', true],
    ['\n', '1\n', '2\r\n', false],
    ['\n', '1\r', '2\n', false],
    ['\r\n', '1\r\n', '2\r\n', true],
    ['\r\n', '1\r\n', '2', true],
    ['\r\n', '1\r\n', '2\n', false],
    ['\r\n', '1\r\n', '2\r', false],
    ['\r\n', '1\n', '2\r\n', false],
  ];
  for (const [lineEnd, before, after, kept] of ends)
    it(`${kept ? 'keeps' : 'doesn’t edit'} a document with ${JSON.stringify(lineEnd)} from ${JSON.stringify(before)} to ${JSON.stringify(after)}`, async () => {
      const done = await kinds(change(before, after), open(before, lineEnd));
      assert.deepEqual(done, kept ? ['edit a'] : ['delete a', 'create a']);
    });
});
