import assert from 'node:assert/strict';
import fc from 'fast-check';
import { colliding, pathProblem } from '../../../src/features/changes/model/paths';

const refuses = (problem: ReturnType<typeof pathProblem>, windows: boolean, ...paths: string[]) => {
  for (const path of paths) assert.equal(pathProblem(path, windows), problem, JSON.stringify(path));
};

describe('paths from a sandbox', () => {
  it('takes the names that people use', () => {
    refuses(
      undefined,
      true,
      ...[
        'a.ts',
        'src/deep/er/file name.ts',
        'ü/日本語.md',
        '.gitignore',
        '.github/workflows/ci.yml',
        '.gitmodules',
      ],
      ...[
        'git~',
        'xgit~1',
        'git~1x',
        'x.git',
        'git',
        '..a',
        'a..b',
        '...a',
        'console.log',
        'auxiliary.c',
        'com10.txt',
        'nul_.c',
      ],
    );
    refuses(undefined, false, 'aux.c', 'ab:c', 'what?.md', 'trailing. ', 'con/x');
  });

  it('refuses what leads out of the folder', () => {
    for (const windows of [false, true])
      refuses(
        'outside',
        windows,
        ...['', '/', '/etc/passwd', '..', '../x', 'a/../b', 'a/..', './a', 'a//b', 'a/', 'C:/x', 'c:x', 'C:'],
        ...['\\\\server\\share', '\\x', 'a\\..\\..\\b', '.. /x', '... ', 'a/.. ./b', '. ', 'a\\'],
      );
  });

  it('refuses git’s own folder by every name that some file system has for it', () => {
    for (const windows of [false, true])
      refuses(
        'git',
        windows,
        ...[
          '.git',
          '.git/config',
          '.GIT/hooks/post-checkout',
          'sub/.Git/x',
          '.git ',
          '.git./x',
          '.git. . /x',
        ],
        ...[
          'git~1',
          'GIT~2/config',
          'git~12',
          '.git::$INDEX_ALLOCATION',
          '.git:x/y',
          '.gi\u200ct/config',
          '\ufeff.git',
        ],
        ...['.g\u206fit', '.git\u200f/hooks', 'a\\.git\\config', '．git', '.ｇit/config', '.git \u200c'],
      );
  });

  it('refuses names that can’t be written, or mean something else', () => {
    for (const windows of [false, true])
      refuses(
        'name',
        windows,
        ...[
          `a/${'n'.repeat(256)}/b`,
          'a\0b',
          'line\nbreak',
          'bell\u0007',
          'del\u007f',
          'a\\b',
          'x\ud800',
          '\udc00',
          'n'.repeat(256),
        ],
        ...['ü'.repeat(128), `${'long/'.repeat(700)}x`],
      );
  });

  it('takes names and paths that are just short enough', () => {
    const path = `${'long/'.repeat(599)}${'x'.repeat(5)}`;
    refuses(undefined, false, 'n'.repeat(255), `${'ü'.repeat(127)}x`, path);
    refuses('name', false, `${path}x`);
  });

  it('refuses devices and reserved characters on Windows', () => {
    refuses(
      'windows',
      true,
      ...['con', 'CON', 'nul.txt', 'sub/aux.c', 'COM1', 'lpt9.log', 'com¹', 'CONIN$', 'prn .txt'],
      ...['a<b', 'a>b', 'a"b', 'a|b', 'a?b', 'a*b', 'ab:c', 'dot.', 'blank ', 'dir./x'],
    );
  });

  it('never lets a combination of hostile names through', () => {
    const hostile = fc.constantFrom('..', '.git', '.GIT ', 'git~1', '', '.', '.gi\u200dt', '.git.');
    const harmless = fc.constantFrom('a', 'src', 'b.ts');
    fc.assert(
      fc.property(
        fc.array(harmless),
        hostile,
        fc.array(harmless),
        fc.boolean(),
        (before, bad, after, windows) => {
          assert.notEqual(pathProblem([...before, bad, ...after].join('/'), windows), undefined);
        },
      ),
      { numRuns: 500 },
    );
  });
});

describe('collisions', () => {
  it('finds names that differ in case or form only', () => {
    const found = colliding([
      'a.ts',
      'A.ts',
      'b.ts',
      'caf\u00e9',
      'cafe\u0301',
      'x/Y',
      'X/y',
      'straße',
      'strasse',
    ]);
    assert.deepEqual([...found].toSorted(), ['A.ts', 'X/y', 'a.ts', 'cafe\u0301', 'caf\u00e9', 'x/Y']);
  });

  it('finds names that differ in the small form of a letter only', () => {
    for (const [one, other] of [
      ['ΟΔΟΣ', 'οδοσ'],
      ['οδος', 'οδοσ'],
      ['ſhop.ts', 'shop.ts'],
      ['5µ', '5μ'],
      ['\u212a.ts', 'k.ts'],
    ] as const)
      assert.deepEqual([...colliding([one, other])].toSorted(), [one, other].toSorted());
    assert.equal(colliding(['kapı', 'kapi', 'ß', 'ss', 'ﬁ', 'fi']).size, 0);
  });

  it('finds a file that is another’s folder', () => {
    assert.deepEqual([...colliding(['a', 'A/b', 'c/d', 'cc'])].toSorted(), ['A/b', 'a']);
  });

  it('leaves a path alone that is listed twice', () => {
    assert.equal(colliding(['a', 'a']).size, 0);
  });
});
