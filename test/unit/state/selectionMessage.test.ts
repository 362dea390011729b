import assert from 'node:assert/strict';
import fc from 'fast-check';
import { longestCode, selectionMessage, type Selection } from '../../../src/state/selectionMessage';

const aSelection = (values: Partial<Selection> = {}): Selection => ({
  path: 'src/greet.ts',
  language: 'typescript',
  parts: [{ firstLine: 2, lastLine: 3, text: 'const a = 1;\nconst b = 2;\n' }],
  problems: [],
  ...values,
});
const aPart = (text: string) => [{ firstLine: 1, lastLine: 1, text }];

/** The code of the first fenced block, read as Markdown is: it ends at the first fence that is long enough. */
function fencedCode(markdown: string): string | undefined {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith('```'));
  const fence = /^`+/.exec(lines[start] ?? '')?.[0] ?? '';
  const end = lines.findIndex(
    (line, index) => index > start && /^ {0,3}`+[ \t]*$/.test(line) && line.trim().length >= fence.length,
  );
  return end < 0 ? undefined : lines.slice(start + 1, end).join('\n');
}

describe('the message about a selection', () => {
  it('says where the code is, quotes it, and lists its problems', () => {
    assert.equal(
      selectionMessage(
        aSelection({
          problems: [
            { line: 3, severity: 'error', source: 'ts 2322', message: 'Type A is\n  not assignable.' },
            { line: 2, severity: 'hint', source: '', message: 'Unused.' },
          ],
        }),
      ),
      [
        'In `src/greet.ts`, lines 2 to 3:',
        '',
        '```typescript',
        'const a = 1;',
        'const b = 2;',
        '```',
        '',
        'Problems that the editor shows there:',
        '',
        '- line 3, error (ts 2322): Type A is not assignable.',
        '- line 2, hint: Unused.',
      ].join('\n'),
    );
  });

  it('holds every part of a selection with several', () => {
    const text = selectionMessage(aSelection({ parts: [...aPart('one'), ...aPart('two')] }));
    assert.match(
      text,
      /line 1:\n\n```typescript\none\n```\n\nIn `src\/greet\.ts`, line 1:\n\n```typescript\ntwo/,
    );
  });

  it('names a file whose name holds backticks', () => {
    assert.match(selectionMessage(aSelection({ path: 'a`b``c.md' })), /^In ``` a`b``c\.md ```, /);
  });

  it('gives no language that could be more than a word', () => {
    assert.match(selectionMessage(aSelection({ language: 'x`\ny' })), /\n```\nconst a/);
  });

  it('is cut at a line’s end, with words', () => {
    const line = `${'x'.repeat(99)}\n`;
    const text = selectionMessage(aSelection({ parts: aPart(line.repeat(300)) }));
    const code = fencedCode(text) ?? '';
    assert.ok(code.length <= longestCode && code.length > longestCode - 200, `${code.length}`);
    assert.ok(code.split('\n').every((one) => one.length === 99));
    assert.match(text, /\(cut here: \d+ more characters, to be read in the file\)$/);
  });

  it('says of parts beyond the limit that they are left out', () => {
    const text = selectionMessage(
      aSelection({ parts: [...aPart('x'.repeat(longestCode)), ...aPart('more')] }),
    );
    assert.match(text, /line 1:\n\n\(left out: the selection is too long\)$/);
  });

  it('lists some of many problems and counts the others', () => {
    const problem = { line: 1, severity: 'warning', source: 'lint', message: 'no' } as const;
    const text = selectionMessage(aSelection({ problems: Array.from({ length: 23 }, () => problem) }));
    assert.equal(text.match(/line 1, warning/g)?.length, 20);
    assert.match(text, /- and 3 more$/);
  });

  it('quotes any code whole: its own backticks cannot end the quotation', function () {
    let cases = 0;
    const piece = fc.constantFrom('`', '``', '```', '~~~', '\n', 'x', ' ', '\t', '```ts', '\r\n', '😀');
    fc.assert(
      fc.property(fc.array(piece, { minLength: 1 }), (pieces) => {
        cases += 1;
        const code = pieces.join('');
        const expected = code.replace(/\r\n?/g, '\n').replace(/\n$/, '');
        assert.equal(fencedCode(selectionMessage(aSelection({ parts: aPart(code) }))), expected);
      }),
      { numRuns: 2_000 },
    );
    console.log(`      ${cases} cases`);
  });

  it('never cuts within a character', () => {
    for (const shift of ['', 'x']) {
      const text = selectionMessage(aSelection({ parts: aPart(shift + '😀'.repeat(longestCode)) }));
      assert.doesNotMatch(text, /\p{Cs}/u);
    }
  });
});
