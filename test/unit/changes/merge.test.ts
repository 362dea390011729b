import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import fc from 'fast-check';
import { hunksBetween as hunkSteps, isSelectionOf, linesOf, withHunks } from '../../../src/core/text/lines';
import { isBinary, mergeFiles } from '../../../src/features/changes/model/merge';
import { atOnce } from './steps';
import { seeded } from './seeded';

const bytes = (text: string) => Buffer.from(text);
const merged = (base: string, here: string, agent: string) => {
  const { content, conflicts } = atOnce(mergeFiles(bytes(base), bytes(here), bytes(agent)));
  return { text: Buffer.from(content).toString(), conflicts };
};
const hunksBetween = (...sides: Parameters<typeof hunkSteps>) => atOnce(hunkSteps(...sides));
const clean = (text: string) => ({ text, conflicts: 0 });

/** Texts of few different lines, which is hard on a comparison, with every kind of line end. */
const line = fc.tuple(fc.constantFrom('a', 'b', '', '{', '}'), fc.constantFrom('\n', '\n', '\r\n', '\r'));
const text = fc
  .tuple(fc.array(line, { maxLength: 12 }), fc.constantFrom('', 'end', '\uFEFF'))
  .map(([lines, end]) => lines.map(([words, ending]) => words + ending).join('') + end);

describe('lines', () => {
  it('are the text, whatever its line ends', () => {
    fc.assert(fc.property(text, (any) => assert.equal(linesOf(any).join(''), any)));
  });

  it('turn one text into another by hunks that never touch', () => {
    fc.assert(
      fc.property(text, text, (before, after) => {
        const [old, now] = [linesOf(before), linesOf(after)];
        const hunks = hunksBetween(old, now);
        assert.equal(withHunks(old, hunks), after);
        for (const [index, hunk] of hunks.entries()) {
          assert.ok(hunk.start < hunk.end || hunk.lines.length > 0);
          if (index > 0) assert.ok((hunks[index - 1]?.end ?? 0) < hunk.start);
        }
      }),
      { numRuns: 1_000 },
    );
  });

  it('tell a selection of hunks from anything else', () => {
    const before = linesOf('1\n2\n3\n4\n5\n');
    const hunks = hunksBetween(before, linesOf('1\nTWO\n3\n4\nFIVE\nsix\n'));
    assert.equal(hunks.length, 2);
    for (const good of [
      '1\n2\n3\n4\n5\n',
      '1\nTWO\n3\n4\n5\n',
      '1\n2\n3\n4\nFIVE\nsix\n',
      '1\nTWO\n3\n4\nFIVE\nsix\n',
    ])
      assert.ok(isSelectionOf(before, hunks, good), good);
    assert.ok(isSelectionOf(linesOf('1\n2\n3\n'), hunksBetween(linesOf('1\n2\n3\n'), ['3\n']), '1\n2\n3\n'));
    assert.ok(isSelectionOf(before, hunksBetween(before, linesOf('one\n2\n3\n4\n5\n')), '1\n2\n3\n4\n5\n'));
    for (const bad of [
      'x\n2\n3\n4\n5\n',
      '',
      '1\n2\n3\n4\n5',
      '1\nTWO\n3\n4\n5\n\n',
      '1\n TWO\n3\n4\nFIVE\nsix\n',
    ])
      assert.ok(!isSelectionOf(before, hunks, bad), bad);
  });

  it('differ in what isn’t the same at both ends, however many they are', () => {
    const lines = (...texts: string[]) => texts.map((words) => `${words}\n`);
    assert.deepEqual(hunksBetween(lines('a', 'a'), lines('a')), [{ start: 1, end: 2, lines: [] }]);
    assert.deepEqual(hunksBetween(lines('a'), lines('a', 'a')), [{ start: 1, end: 1, lines: lines('a') }]);
    assert.deepEqual(hunksBetween(lines('a', 'b'), lines('a', 'b')), []);
    const many = (mark: string) => Array.from({ length: 4_000 }, (_, index) => `${mark}${index}`);
    const [old, now] = [
      lines('1', '2', ...many('a'), '3', '4'),
      lines('1', '2', ...many('b'), 'b', '3', '4'),
    ];
    assert.deepEqual(hunksBetween(old, now), [{ start: 2, end: 4_002, lines: now.slice(2, -2) }]);
  });

  it('are compared in few steps for each line, also where nothing or all is alike', () => {
    const many = (line: (index: number) => string, count = 40_000) =>
      Array.from({ length: count }, (_, at) => line(at));
    const numbered = many((at) => `line ${at}\n`);
    const repeated = many((at) => ['a\n', 'b\n', '{\n', '}\n'][(at * 7_919) % 4] ?? '');
    const pairs: [old: string[], now: string[], hunks?: number][] = [
      [numbered, numbered.map((line, at) => (at % 10 === 0 ? `  ${line}` : line)), 4_000],
      [
        numbered,
        numbered.flatMap((line, at) => (at % 9 === 0 ? [] : at % 9 === 4 ? ['new\n', line] : [line])),
      ],
      [numbered, numbered.map((line) => `  ${line}`), 1],
      [numbered, numbered.toReversed()],
      [repeated, repeated.map((line, at) => (at % 11 === 0 ? `x${line}` : line))],
      [many(() => 'a\n'), many((at) => (at % 100 === 0 ? 'b\n' : 'a\n'), 39_000)],
      [many((at) => `a${at}\n`), many((at) => `b${at}\n`), 1],
      [numbered, [...numbered.slice(20_000), ...numbered.slice(0, 20_000)]],
    ];
    for (const [index, [old, now, count]] of pairs.entries()) {
      let compared = 0;
      const hunks = hunksBetween(old, now, (a, b) => {
        compared += 1;
        return a === b;
      });
      assert.equal(withHunks(old, hunks), now.join(''), `${index}`);
      assert.ok(compared < 4 * (old.length + now.length), `${index}: ${compared} comparisons`);
      if (count !== undefined) assert.equal(hunks.length, count, `${index}`);
    }
  });

  it('are compared in pieces of many lines, between which something else runs', () => {
    const old = Array.from({ length: 60_000 }, (_, at) => `line ${at}\n`);
    const steps = hunkSteps(
      old,
      old.map((line, at) => (at % 30 === 0 ? `  ${line}` : line)),
    );
    let count = 0;
    while (!steps.next().done) count += 1;
    assert.ok(count > 10 && count < 1_000, `${count}`);
  });
});

describe('merging', () => {
  it('keeps the edits of both sides', () => {
    assert.deepEqual(
      merged('1\n2\n3\n4\n5\n', '0\n1\n2\n3\n4\n5\n', '1\n2\n3\n4\nfive\n'),
      clean('0\n1\n2\n3\n4\nfive\n'),
    );
  });

  it('takes the same edit of both sides once', () => {
    assert.deepEqual(merged('1\n2\n', '1\ntwo\n', '1\ntwo\n'), clean('1\ntwo\n'));
  });

  it('marks conflicts as the editor knows them, with the file’s line ends', () => {
    assert.deepEqual(merged('1\r\n2\r\n', '1\r\nhere\r\n', '1\r\nagent\r\n'), {
      text: '1\r\n<<<<<<< local\r\nhere\r\n=======\r\nagent\r\n>>>>>>> agent\r\n',
      conflicts: 1,
    });
  });

  it('keeps the markers on lines of their own where the last line has no end', () => {
    assert.deepEqual(merged('1', 'here', 'agent'), {
      text: '<<<<<<< local\nhere\n=======\nagent\n>>>>>>> agent\n',
      conflicts: 1,
    });
  });

  it('keeps CRLF in a conflict with a side that has no line end', () => {
    assert.deepEqual(merged('a\r\nb\r\n', 'a\r\nc\r\n', 'x'), {
      text: '<<<<<<< local\r\na\r\nc\r\n=======\r\nx\r\n>>>>>>> agent\r\n',
      conflicts: 1,
    });
  });

  it('takes edits that touch, and edits within one another, for one conflict', () => {
    assert.deepEqual(merged('1\n2\n3\n', '1\nhere\n3\n', '1\n2\nagent\n'), {
      text: '1\n<<<<<<< local\nhere\n3\n=======\n2\nagent\n>>>>>>> agent\n',
      conflicts: 1,
    });
    assert.deepEqual(merged('1\n2\n3\n4\n5\n', 'a\nb\nc\nd\n5\n', '1\nx\n3\ny\n5\n'), {
      text: '<<<<<<< local\na\nb\nc\nd\n=======\n1\nx\n3\ny\n>>>>>>> agent\n5\n',
      conflicts: 1,
    });
    assert.equal(merged('1\n2\n3\n4\n5\n', 'a\n2\n3\n4\nb\n', 'c\n2\n3\n4\nd\n').conflicts, 2);
  });

  it('keeps a missing or added last line end', () => {
    assert.deepEqual(merged('1\n2\n3\n4', '0\n2\n3\n4', '1\n2\n3\n4\n'), clean('0\n2\n3\n4\n'));
    assert.deepEqual(merged('1\n2\n3\n4\n', '1\n2\n3\n4', 'one\n2\n3\n4\n'), clean('one\n2\n3\n4'));
  });

  it('keeps the line ends of a checkout with CRLF', () => {
    assert.deepEqual(merged('1\n2\n3\n', '1\r\n2\r\n3\r\n', '1\ntwo\n3\n'), clean('1\r\ntwo\r\n3\r\n'));
    assert.deepEqual(
      merged('1\n2\n3\n4\n', '0\r\n1\r\n2\r\n3\r\n4\r\n', '1\n2\n3\nfour'),
      clean('0\r\n1\r\n2\r\n3\r\nfour'),
    );
  });

  it('takes the agent’s change of line ends', () => {
    assert.deepEqual(merged('1\n2\n3\n', '0\n1\n2\n3\n', '1\r\n2\r\n3\r\n'), clean('0\r\n1\r\n2\r\n3\r\n'));
  });

  it('takes the line ends of the side that has some', () => {
    assert.deepEqual(merged('1', '1\r\n2\r\n', '1'), clean('1\r\n2\r\n'));
    assert.deepEqual(merged('', '1\r\n', '1\n'), clean('1\r\n'));
    assert.deepEqual(merged('1\r\n', '1', '1\n'), clean('1'));
    assert.deepEqual(merged('1\n2\n3', '1\r\n2\r\n3', 'x'), clean('x'));
    assert.match(merged('1\r\n2', '0\r\n1\r\n2', '2').text, /0\r\n1\r\n/);
    assert.match(merged('1\n', 'x', '1\r\n2\r\n').text, /x\r\n[^]*1\r\n2\r\n/);
    assert.deepEqual(merged('1\n2\n', 'one\r\n2\r\n', 'uno\n2\n'), {
      text: '<<<<<<< local\r\none\r\n=======\r\nuno\r\n>>>>>>> agent\r\n2\r\n',
      conflicts: 1,
    });
    assert.deepEqual(
      merged('1\r\n2\r\n3\r\n', '0\r\n1\r\n2\r\n3\r\n', '1\n2\n3\nfour'),
      clean('0\n1\n2\n3\nfour'),
    );
  });

  it('leaves mixed line ends as they are', () => {
    assert.deepEqual(
      merged('1\r\n2\n3\r\n4\n', '1\r\n2\n3\r\nfour\n', 'one\n2\n3\r\n4\n'),
      clean('one\n2\n3\r\nfour\n'),
    );
    assert.deepEqual(merged('1\r\n2\n3\n', 'a\r\n2\n3\n', 'b\n2\n3\n'), {
      text: '<<<<<<< local\r\na\r\n=======\r\nb\n>>>>>>> agent\r\n2\n3\n',
      conflicts: 1,
    });
  });

  it('passes bytes of any encoding', () => {
    const latin = (words: string) => Buffer.from(words, 'latin1');
    const { content } = atOnce(mergeFiles(latin('é\nb\nc\n'), latin('é\nb\nü\n'), latin('ÿ\xFE\nb\nc\n')));
    assert.deepEqual(Buffer.from(content), latin('ÿ\xFE\nb\nü\n'));
  });

  it('knows binary files by their first bytes, like git', () => {
    assert.ok(isBinary(Buffer.from([1, 0, 2])));
    assert.ok(isBinary(Buffer.from('UTF-16', 'utf16le')));
    assert.ok(!isBinary(Buffer.concat([Buffer.alloc(8_000, 65), Buffer.alloc(1)])));
    assert.ok(!isBinary(bytes('text')));
  });

  it('returns the side that changed when the other didn’t', () => {
    fc.assert(
      fc.property(text, text, (base, other) => {
        assert.equal(merged(base, base, base).text, base);
        assert.deepEqual(merged(base, other, other), clean(other));
      }),
      { numRuns: 500 },
    );
    const lf = text.map((any) => any.replaceAll('\r', ''));
    fc.assert(
      fc.property(lf, lf, (base, other) => {
        assert.deepEqual(merged(base, other, base), clean(other));
        assert.deepEqual(merged(base, base, other), clean(other));
      }),
      { numRuns: 500 },
    );
  });

  it('keeps edits in different places, wherever they are', () => {
    const places = fc.uniqueArray(fc.nat({ max: 19 }), { minLength: 2, maxLength: 6 });
    fc.assert(
      fc.property(places, fc.constantFrom('\n', '\r\n'), fc.boolean(), (at, end, endless) => {
        // Changes that touch would be one conflict.
        const apart = at
          .toSorted((a, b) => a - b)
          .filter((place, index, all) => place - (all[index - 1] ?? -2) > 1);
        const write = (mark: (index: number) => string) =>
          Array.from({ length: 20 }, (_, index) => mark(index)).join(end) + (endless ? '' : end);
        const changed = (parity: (index: number) => boolean) =>
          write((index) =>
            apart.includes(index) && parity(apart.indexOf(index)) ? `changed ${index}` : `line ${index}`,
          );
        const base = write((index) => `line ${index}`);
        const [here, agent] = [changed((index) => index % 2 === 0), changed((index) => index % 2 === 1)];
        assert.deepEqual(merged(base, here, agent), clean(changed(() => true)));
      }),
      { numRuns: 500 },
    );
  });

  it('agrees with git about reformatted files of thousands of lines', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'merge-'));
    try {
      const edit = fc.record({ every: fc.integer({ min: 7, max: 40 }), from: fc.nat({ max: 5 }) });
      fc.assert(
        fc.property(edit, edit, fc.nat({ max: 3 }), ({ every, from }, other, blanks) => {
          const lines = Array.from({ length: 6_000 }, (_, at) =>
            at % 5 < blanks ? '}' : `statement ${at};`,
          );
          // Far enough from each other that neither side touches what the other changed.
          const [agent, here] = [
            lines.map((line, at) => (at < 4_000 && at % every === from ? `  ${line}` : line)),
            lines.flatMap((line, at) =>
              at > 4_100 && at % other.every === other.from ? [line, `new ${at}`] : [line],
            ),
          ];
          const texts = Object.entries({ here, base: lines, agent }).map(
            ([name, all]) => [name, all.map((line) => `${line}\n`).join('')] as const,
          );
          for (const [name, words] of texts) writeFileSync(path.join(folder, name), words);
          const of = Object.fromEntries(texts);
          const ours = merged(of['base'] ?? '', of['here'] ?? '', of['agent'] ?? '');
          const git = execFileSync('git', ['merge-file', '-p', 'here', 'base', 'agent'], {
            cwd: folder,
            encoding: 'utf8',
          });
          assert.deepEqual(ours, clean(git));
        }),
        seeded('MERGE_SEED', { numRuns: 20 }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });

  it('finds a conflict wherever git does, and agrees with git elsewhere', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'merge-'));
    try {
      const unique = fc.uniqueArray(fc.nat({ max: 30 }), { minLength: 6, maxLength: 14 });
      const edit = fc.array(fc.tuple(fc.nat({ max: 13 }), fc.constantFrom('drop', 'change', 'add')), {
        maxLength: 3,
      });
      fc.assert(
        fc.property(unique, edit, edit, (numbers, mine, theirs) => {
          const write = (edits: typeof mine, mark: string) =>
            numbers
              .flatMap((number, index) => {
                const [, how] = edits.find(([place]) => place === index) ?? [];
                if (how === 'drop') return [];
                return how === undefined
                  ? [`${number}`]
                  : [`${number} ${mark}`, ...(how === 'add' ? [`${number}`] : [])];
              })
              .map((words) => `${words}\n`)
              .join('');
          const texts = { here: write(mine, 'h'), base: write([], ''), agent: write(theirs, 'a') };
          for (const [name, words] of Object.entries(texts)) writeFileSync(path.join(folder, name), words);
          const ours = merged(texts.base, texts.here, texts.agent);
          let git = '';
          try {
            git = execFileSync('git', ['merge-file', '-p', 'here', 'base', 'agent'], {
              cwd: folder,
              encoding: 'utf8',
            });
          } catch {
            assert.ok(ours.conflicts > 0, JSON.stringify(texts));
            return;
          }
          if (ours.conflicts === 0) assert.equal(ours.text, git);
        }),
        seeded('MERGE_SEED', { numRuns: 150 }),
      );
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});
