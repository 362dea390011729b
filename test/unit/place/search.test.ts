import assert from 'node:assert/strict';
import { SandboxFiles } from '../../../src/features/place/model/files';
import { foundLines, foundNames } from '../../../src/features/place/model/searchScripts';
import { searchReport } from '../../../src/features/place/model/searchReport';
import { otherShells } from '../changes/shells';
import { TestSandbox } from '../changes/support';

const { shells, dispose } = otherShells();
after(dispose);
for (const [system, shell] of [['GNU', undefined] as const, ...shells])
  describe(`searching a sandbox (${system})`, () => {
    let sandbox: TestSandbox;
    let files: SandboxFiles;
    beforeEach(() => {
      sandbox = new TestSandbox(shell);
      const place = { workspace: sandbox.workspace, workingDir: sandbox.at('work') };
      files = new SandboxFiles(
        () => Promise.resolve(place),
        () => 0,
      );
    });
    afterEach(() => sandbox.dispose());

    it('finds words of any language, whatever their case and form', async () => {
      sandbox.write('work/ÜBERSICHT.md', 'Für die Übersicht\n');
      sandbox.write('work/apart', 'fu\u0308r alle\n');
      sandbox.write('work/обзор', 'Общий Обзор\n');
      const found = async (text: string) => {
        const lines = await files.findLines(sandbox.at('work'), text);
        return lines.map(({ path }) => path).sort();
      };
      for (const text of ['für', 'FÜR', 'fu\u0308r'])
        assert.deepEqual(await found(text), ['apart', 'ÜBERSICHT.md']);
      for (const text of ['общий обзор', 'ОБЩИЙ ОБЗОР']) assert.deepEqual(await found(text), ['обзор']);
      assert.deepEqual(await files.findNames(sandbox.at('work'), 'u\u0308bers'), ['ÜBERSICHT.md']);
    });

    it('finds every line, whatever it and the others end with', async () => {
      const ends = ['\r\n', '\rword\n', ' \u2028\n', '\u2029\n', '\u0085\n', '\n', ''];
      for (const [index, end] of ends.entries()) sandbox.write(`work/${index}`, `word${end}`);
      const lines = await files.findLines(sandbox.at('work'), 'word');
      assert.deepEqual(
        lines.map(({ path, line }) => `${path} ${line}`).sort(),
        ends.map((_, index) => `${index} 1`),
      );
    });

    it('finds no more of one file than anybody reads', async () => {
      sandbox.write('work/a', 'word\n'.repeat(201));
      const lines = await files.findLines(sandbox.at('work'), 'word');
      assert.deepEqual([lines.length, lines.at(-1)?.line], [200, 200]);
    });

    it('finds lines and names, whatever their case, but not in binary files and heavy folders', async () => {
      const text = `It's "$(x)" \\ -e\t*`;
      sandbox.write('work/a b/Ünï: 1.txt', `first\n${text.toUpperCase()}\n`);
      sandbox.write('work/-n', `x${text}`);
      sandbox.write('work/bin', `\0${text}\n`);
      sandbox.write('work/node_modules/x', text);
      sandbox.write('work/.git/x', text);
      // What is on its way to be saved by another window.
      sandbox.write('work/.agent-workspace-answer-1/content', text);
      // Without the option for it, binary files are searched, too.
      const lines = await files.findLines(sandbox.at('work'), text);
      assert.deepEqual(lines.map(({ path, line }) => `${path} ${line}`).sort(), ['-n 1', 'a b/Ünï: 1.txt 2']);
      assert.equal(lines.find(({ line }) => line === 2)?.text, text.toUpperCase());
      assert.deepEqual(await files.findNames(sandbox.at('work'), 'B/ünÏ'), ['a b/Ünï: 1.txt']);
      assert.deepEqual(await files.findLines(sandbox.at('work'), 'nowhere'), []);
      // Not those of another folder.
      await assert.rejects(files.findLines(sandbox.at('work/none'), text), /isn’t in the sandbox/);
    });
  });

describe('results of a search', () => {
  it('leaves out what was cut', () => {
    assert.deepEqual(foundLines(Buffer.from('./a\x002:x\n./b\x0012')), [{ path: 'a', line: 2, text: 'x' }]);
    assert.deepEqual(foundLines(Buffer.from('./a:2:x:3:y\n')), [{ path: 'a', line: 2, text: 'x:3:y' }]);
    assert.deepEqual(foundNames(Buffer.from('./ab\0./b/a\0./a'), 'A'), ['ab', 'b/a']);
    assert.equal(foundLines(Buffer.from(`./a\x002:${'x'.repeat(1_000)}\n`))[0]?.text.length, 400);
  });

  it('are lines with links, and say what was left out', () => {
    const found = [
      { path: 'a.ts', line: 3, text: 'one \u001b[31m' },
      { path: 'a.ts', line: 12, text: 'two' },
      { path: 'b.ts', line: 1, text: 'three' },
    ];
    const report = searchReport(['x/a.ts'], found);
    assert.deepEqual(
      report.map(({ text, link }) => [text, link && text.slice(link.from, link.to), link?.path, link?.line]),
      [
        ['Files by name: 1', undefined, undefined, undefined],
        ['x/a.ts', 'x/a.ts', 'x/a.ts', undefined],
        ['', undefined, undefined, undefined],
        ['Lines: 3', undefined, undefined, undefined],
        ['', undefined, undefined, undefined],
        ['a.ts', 'a.ts', 'a.ts', undefined],
        [report[6]?.text, '3', 'a.ts', 3],
        ['  12: two', '12', 'a.ts', 12],
        ['', undefined, undefined, undefined],
        ['b.ts', 'b.ts', 'b.ts', undefined],
        ['  1: three', '1', 'b.ts', 1],
      ],
    );
    assert.ok(!report[6]?.text.includes('\u001b'));
    const many = Array.from({ length: 2_001 }, (_, line) => ({ path: 'a', line, text: '' }));
    const names = many.map(({ line }) => `${line}.ts`);
    const links = (report: typeof many) =>
      searchReport([], report).filter(({ link }) => link?.line !== undefined);
    const byName = (some: string[]) => searchReport(some, undefined).map(({ text }) => text);
    assert.deepEqual([links(many).length, byName(names).length], [2_000, 2_001]);
    assert.ok(searchReport([], many).some(({ text }) => text === 'Lines: the first 2000 results'));
    assert.equal(byName(names)[0], 'Files by name: the first 2000 results');
    assert.equal(byName(names.slice(1))[0], 'Files by name: 2000');
    const [, , , , , line] = searchReport([], [{ path: 'a', line: 1, text: 'x'.repeat(301) }]);
    assert.equal(line?.text, `  1: ${'x'.repeat(299)}…`);
    const [, long] = searchReport(['x'.repeat(1_001)], undefined);
    assert.deepEqual([long?.text.length, long?.link?.path.length], [1_000, 1_001]);
    assert.ok(searchReport([], []).some(({ text }) => text === 'Lines: no results'));
  });
});
