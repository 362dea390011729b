import assert from 'node:assert/strict';
import fc from 'fast-check';
import type { Selection } from '../../../../src/shared/selection';
import {
  instructionIn,
  longestCode,
  messageLabel,
  quotedSelection,
} from '../../../../src/core/text/selectionMessage';

const aSelection = (values: Partial<Selection> = {}): Selection => ({
  path: 'src/greet.ts',
  language: 'typescript',
  parts: [{ firstLine: 2, lastLine: 3, text: 'const a = 1;\nconst b = 2;\n' }],
  problems: [],
  ...values,
});
const selectionMessage = (selection: Selection) => quotedSelection(selection).text;
const aPart = (text: string) => [{ firstLine: 1, lastLine: 1, text }];

/** The code of the first fenced block, which as in Markdown ends at the first fence that is long enough. */
function fencedCode(markdown: string): string | undefined {
  const lines = markdown.split('\n');
  const start = lines.findIndex((line) => line.startsWith('```'));
  const fence = /^`+/.exec(lines[start] ?? '')?.[0] ?? '';
  const end = lines.findIndex(
    (line, index) => index > start && /^ {0,3}`+[ \t]*$/.test(line) && line.trim().length >= fence.length,
  );
  return end < 0 ? undefined : lines.slice(start + 1, end).join('\n');
}

describe('message about a selection', () => {
  it('names the file and lines, quotes the code, and lists its problems', () => {
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
        'In `src/greet.ts`, lines 2–3:',
        '',
        '```typescript',
        'const a = 1;',
        'const b = 2;',
        '```',
        '',
        'Problems reported by the editor:',
        '',
        '- line 3, error (ts 2322): Type A is not assignable.',
        '- line 2, hint: Unused.',
      ].join('\n'),
    );
  });

  it('is labeled with the file and the lines of each part', () => {
    const parts = [...aPart('one'), { firstLine: 4, lastLine: 6, text: 'two' }];
    assert.equal(quotedSelection(aSelection({ parts })).label, 'src/greet.ts, line 1, lines 4–6');
  });

  it('contains each part of a multiple selection', () => {
    const text = selectionMessage(aSelection({ parts: [...aPart('one'), ...aPart('two')] }));
    assert.match(
      text,
      /line 1:\n\n```typescript\none\n```\n\nIn `src\/greet\.ts`, line 1:\n\n```typescript\ntwo/,
    );
  });

  it('quotes a file name with backticks', () => {
    assert.match(selectionMessage(aSelection({ path: 'a`b``c.md' })), /^In ``` a`b``c\.md ```, /);
  });

  it('omits a language that is not a plain word', () => {
    assert.match(selectionMessage(aSelection({ language: 'x`\ny' })), /\n```\nconst a/);
  });

  it('is truncated at a line end, and says so', () => {
    const line = `${'x'.repeat(96)}\n`;
    const text = selectionMessage(aSelection({ parts: aPart(line.repeat(300)) }));
    const code = fencedCode(text) ?? '';
    assert.ok(code.length <= longestCode && code.length > longestCode - 200, `${code.length}`);
    assert.ok(code.split('\n').every((one) => one.length === 96));
    assert.match(text, /\(truncated: \d+ more characters in the file\)$/);
  });

  it('is truncated within a line where that is the first, also below an empty one', () => {
    for (const start of ['x', '\n']) {
      const text = selectionMessage(aSelection({ parts: aPart(start + 'x'.repeat(longestCode)) }));
      assert.match(text, /\(truncated: 1 more characters in the file\)$/);
    }
  });

  it('says that parts beyond the limit are omitted', () => {
    const text = selectionMessage(
      aSelection({ parts: [...aPart('x'.repeat(longestCode)), ...aPart('more')] }),
    );
    assert.match(text, /line 1:\n\n\(omitted: the selection is too long\)$/);
  });

  it('lists the first problems and counts the others', () => {
    const problem = { line: 1, severity: 'warning', source: 'lint', message: 'no' } as const;
    const text = selectionMessage(aSelection({ problems: Array.from({ length: 23 }, () => problem) }));
    assert.equal(text.match(/line 1, warning/g)?.length, 20);
    assert.match(text, /- and 3 more$/);
  });

  it('quotes code with any number of backticks completely', function () {
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

  it('never splits a character', () => {
    for (const shift of ['', 'x']) {
      const text = selectionMessage(aSelection({ parts: aPart(shift + '😀'.repeat(longestCode)) }));
      assert.doesNotMatch(text, /\p{Cs}/u);
    }
  });
});

describe('message with a selection', () => {
  const quoted = [
    quotedSelection(aSelection()),
    quotedSelection(aSelection({ path: 'a.ts', parts: [{ firstLine: 7, lastLine: 7, text: 'x $& y' }] })),
  ];
  const [first, second] = quoted.map(({ text }) => text);

  it('has an instruction only if the user wrote one', () => {
    assert.equal(instructionIn(`\n\n${first}\n\n${second}\n`, quoted), '');
    assert.equal(
      instructionIn(`Rename it.\n\n${first}\n\nAnd this:\n\n${second}`, quoted).split('\n')[0],
      'Rename it.',
    );
    assert.equal(instructionIn(`${first}\n\nRename it.`, quoted), 'Rename it.');
    assert.equal(instructionIn('', quoted), '');
  });

  it('recognizes a selection after saving changed line ends or trailing spaces', () => {
    const spaced = quotedSelection(aSelection({ parts: aPart('const a = 1;  \nconst b = 2;') }));
    for (const saved of [
      ...['\r\n', '\r'].map((end) => first?.replaceAll('\n', end)),
      spaced.text.replace(/ +$/gm, ''),
    ]) {
      assert.equal(instructionIn(saved ?? '', [...quoted, spaced]), '');
    }
  });

  it('is named by the instruction, else by the selection', () => {
    assert.equal(messageLabel(`Rename it.\nNow.\n\n${first}`, quoted), 'Rename it.');
    assert.equal(messageLabel(`${first}\n\nRename it.`, quoted), 'Rename it.');
    assert.equal(messageLabel(first ?? '', quoted), 'src/greet.ts, lines 2–3');
    assert.equal(messageLabel(second ?? '', quoted), 'a.ts, line 7');
    assert.equal(messageLabel(first?.replace('const b', 'let b') ?? '', quoted), 'src/greet.ts, lines 2–3');
    assert.equal(messageLabel('', quoted), '');
    assert.equal(messageLabel('Look around\nhere', []), 'Look around');
  });
});
