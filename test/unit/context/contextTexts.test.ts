import assert from 'node:assert/strict';
import fc from 'fast-check';
import {
  bestPaths,
  changesQuote,
  folderQuote,
  namePattern,
  pathsInDiff,
  problemsQuote,
} from '../../../src/features/context/model/contextTexts';

describe('context for a message', () => {
  it('looks for names in either case, and for any other character as it is', () => {
    assert.equal(namePattern('Ca-1.ts'), '{**/*[Cc][aA]-1.[tT][sS]*,**/*[Cc][aA]-1.[tT][sS]*/**}');
    assert.equal(namePattern('ß中'), '{**/*ß中*,**/*ß中*/**}');
    assert.equal(namePattern('\\src/[x]'), '{**/*[sS][rR][cC]/?[xX]?*,**/*[sS][rR][cC]/?[xX]?*/**}');
    for (const same of ['a/b', './a/b', '//a/b', '.\\a\\b'])
      assert.equal(namePattern(same), '{**/*[aA]/[bB]*,**/*[aA]/[bB]*/**}', same);
    for (const none of ['', '/', './', 'x'.repeat(101)]) assert.equal(namePattern(none), undefined, none);
    assert.notEqual(namePattern('x'.repeat(100)), undefined);
  });

  it('makes a pattern that matches only the name', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 20 }), (query) => {
        const pattern = namePattern(query);
        if (pattern === undefined) return;
        const name = pattern.slice('{**/*'.length, pattern.indexOf('*,'));
        assert.doesNotMatch(name.replace(/\[\p{L}{2,3}\]/gu, ''), /[*{}[\]!,]/, query);
      }),
    );
  });

  it('puts names that begin with the query first, short paths before long ones, and files in such folders last', () => {
    const files = [
      'src/cart/total.ts',
      'src/shopcart.ts',
      'lib/deep/cart.ts',
      'cart.ts',
      'src/cart/a/cart.css',
    ];
    const found = bestPaths(files, 'CART', 9).map(({ kind, path }) => `${kind} ${path}`);
    assert.deepEqual(found, [
      'file cart.ts',
      'folder src/cart',
      'file lib/deep/cart.ts',
      'file src/cart/a/cart.css',
      'file src/shopcart.ts',
    ]);
    assert.deepEqual(
      bestPaths(files, 'cart/t', 9).map(({ path }) => path),
      ['src/cart/total.ts'],
    );
    assert.equal(bestPaths(files, 'cart', 2).length, 2);
    assert.deepEqual(bestPaths(['a/b/c/d.ts'], 'b', 9), [{ kind: 'folder', path: 'a/b' }]);
    for (const typed of ['/cart/t', './cart/t', '//cart/t', '.\\cart\\t'])
      assert.deepEqual(bestPaths(files, typed, 9), [{ kind: 'file', path: 'src/cart/total.ts' }], typed);
  });

  it('lists a folder’s files, 500 at most', () => {
    assert.equal(
      folderQuote('src/', ['a.ts', 'b`c.ts']).text,
      'Files in `src/`:\n\n- `a.ts`\n- `` b`c.ts ``',
    );
    const lastOf = (length: number) => {
      const files = Array.from({ length }, (_, at) => `${at}.ts`);
      return folderQuote('src/', files).text.split('\n').slice(-2);
    };
    assert.deepEqual(lastOf(502), ['- `499.ts`', '- and 2 more']);
    assert.deepEqual(lastOf(500), ['- `498.ts`', '- `499.ts`']);
  });

  it('lists problems by file', () => {
    const problem = { line: 3, severity: 'error', source: 'ts 2322', message: 'Not\nassignable' } as const;
    assert.equal(
      problemsQuote([{ path: 'src/a.ts', problems: [problem] }]).text,
      'Problems reported by the editor:\n\n- `src/a.ts`, line 3, error (ts 2322): Not assignable',
    );
  });

  it('fences a diff so that it can’t end its block, says what was cut, and names new files', () => {
    const diff = '--- a/x.md\n+++ b/x.md\n@@ -1 +1 @@\n-```\n+````\n';
    assert.equal(
      changesQuote('Changes', diff, ['new.ts']).text,
      `Changes that aren’t committed yet:\n\n\`\`\`\`\`diff\n${diff}\`\`\`\`\`\n\nFiles that aren’t in the diff:\n\n- \`new.ts\``,
    );
    assert.match(changesQuote('Changes', 'x'.repeat(20_007), []).text, /truncated: 7 more characters/);
    const { label, text } = changesQuote('Changes', 'x', [], 'shop');
    assert.deepEqual(
      [label, text.split('\n')[0]],
      ['Changes · shop', '`shop`: Changes that aren’t committed yet:'],
    );
    assert.equal(
      changesQuote('Changes', '', ['a']).text,
      'Changes that aren’t committed yet:\n\nFiles that aren’t in the diff:\n\n- `a`',
    );
  });

  it('finds the paths in a diff, where secrets may be', () => {
    const diff =
      'diff --git a/.env b/.env\n--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-a\n+b\n--- /dev/null\n+++ b/a b.ts\t\n';
    assert.deepEqual([...new Set(pathsInDiff(diff))], ['.env', 'a b.ts']);
  });
});
