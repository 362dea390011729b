import assert from 'node:assert/strict';
import fc from 'fast-check';
import { atOnce } from '../../../../src/core/basics/steps';
import { hunksBetween, isSelectionOf, linesOf, linesWith, withHunks } from '../../../../src/core/text/lines';

const text = fc
  .array(fc.constantFrom('a', 'b', '', '\r', 'long'), { maxLength: 8 })
  .chain((lines) => fc.constantFrom('', '\n').map((end) => lines.join('\n') + end));

describe('lines of a text', () => {
  it('have their own line ends, and are the text together', () => {
    assert.deepEqual(linesOf(''), []);
    assert.deepEqual(linesOf('\n'), ['\n']);
    assert.deepEqual(linesOf('one'), ['one']);
    assert.deepEqual(linesOf('one\n\n\ntwo\r\nthree'), ['one\n', '\n', '\n', 'two\r\n', 'three']);
    fc.assert(
      fc.property(text, (whole) => {
        assert.equal(linesOf(whole).join(''), whole);
        for (const line of linesOf(whole)) assert.match(line, /^(?:[^\n]*\n|[^\n]+)$/);
      }),
    );
  });

  it('become the later text with what differs, as a whole and in part', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, now] = [linesOf(before), linesOf(after)];
        const hunks = atOnce(hunksBetween(old, now));
        assert.equal(withHunks(old, hunks), after);
        assert.equal(withHunks(old, []), before);
        for (const hunk of hunks)
          assert.deepEqual(linesWith(old, [hunk], hunk), hunk.lines, 'nothing beside the hunk');
      }),
    );
    const [first, second] = [
      { start: 1, end: 2, lines: ['B'] },
      { start: 3, end: 3, lines: ['new'] },
    ];
    const lines = ['a', 'b', 'c', 'd'];
    assert.deepEqual(linesWith(lines, [first, second], { start: 0, end: 4 }), ['a', 'B', 'c', 'new', 'd']);
    assert.deepEqual(linesWith(lines, [second], { start: 2, end: 4 }), ['c', 'new', 'd']);
  });

  it('are told apart by a comparison of one’s own', () => {
    const equal = (a: string, b: string) => a.toLowerCase() === b.toLowerCase();
    // Equal ends are equal as they are.
    const [old, now] = [
      ['x', 'a', 'b', 'y'],
      ['X', 'A', 'c', 'Y'],
    ];
    assert.deepEqual(atOnce(hunksBetween(old, now, equal)), [{ start: 2, end: 3, lines: ['c'] }]);
    assert.deepEqual(atOnce(hunksBetween(old, now)), [{ start: 0, end: 4, lines: now }]);
  });
});

describe('a selection of what differs', () => {
  const lines = linesOf('one\ntwo\nthree\nfour\n');
  const hunks = [
    { start: 1, end: 2, lines: ['2\n'] },
    { start: 3, end: 3, lines: ['3½\n'] },
    { start: 4, end: 4, lines: ['five\n'] },
  ];

  it('is any of the texts that some of it, all of it, or none of it makes', () => {
    for (let chosen = 0; chosen < 2 ** hunks.length; chosen += 1) {
      const some = hunks.filter((_, at) => chosen & (2 ** at));
      assert.ok(isSelectionOf(lines, hunks, withHunks(lines, some)), `${chosen}`);
    }
  });

  it('is no other text, however near', () => {
    const all = withHunks(lines, hunks);
    for (const other of [
      ...['', 'one\n', `${all}more`, `more${all}`, all.slice(0, -1), all.replace('one', 'ONE')],
      ...[all.replace('2\n', ''), all.replace('2\n', 'two\n2\n'), all.replace('four\n', '')],
      all.replace('3½\n', '3½\n3½\n'),
    ])
      assert.ok(!isSelectionOf(lines, hunks, other), JSON.stringify(other));
    assert.ok(isSelectionOf([], [], ''));
    assert.ok(!isSelectionOf([], [], 'a'));
  });

  it('is found where the same text has several readings', () => {
    const same = [
      { start: 0, end: 1, lines: ['a\n', 'a\n'] },
      { start: 2, end: 3, lines: [] },
    ];
    for (const some of [[], same, same.slice(0, 1), same.slice(1)])
      assert.ok(isSelectionOf(['a\n', 'b\n', 'a\n'], same, withHunks(['a\n', 'b\n', 'a\n'], some)));
    assert.ok(!isSelectionOf(['a\n', 'b\n', 'a\n'], same, 'a\nb\na\na\n'));
  });
});
