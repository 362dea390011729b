import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { plainLines, plainText, terminalText, visibleText } from '../../../src/shared/plainText';

describe('plainText', () => {
  for (const [name, text, plain] of [
    ['ordinary text', 'Fix the login', 'Fix the login'],
    ['markup, which is only text', '<b>x</b>', '<b>x</b>'],
    ['a link, which a notification would make one', '[x](command:y)', '[x] (command:y)'],
    ['a link in pieces', '[x]\u202e(command:y) [z]\x1b[0m(http://a)', '[x] (command:y) [z] (http://a)'],
    ['names of icons', '$(zap) $(sync~spin) $(pwd -P) $5', '$ (zap) $ (sync~spin) $(pwd -P) $5'],
    ['colours', '\x1b[1;31mred\x1b[0m', 'red'],
    ['a title for the terminal', '\x1b]0;owned\x07text', 'text'],
    ['a link for the terminal', '\x1b]8;;http://x\x1b\\text\x1b]8;;\x1b\\', 'text'],
    ['an escape sequence of one byte', '\x9b31mred', 'red'],
    ['a short escape sequence', 'a\x1bcb\x1b(Bc', 'abc'],
    ['a lone escape', 'a\x1b', 'a'],
    ['control characters', 'a\0b\x08c\x7fd\x85e', 'a b c d e'],
    ['line ends and tabs', '  a\r\n\tb\u2028c\u2029d  ', 'a b c d'],
    ['turned direction', 'a\u202egpj.exe\u202c\u2066b\u2069\u200f\u061c', 'agpj.exeb'],
    ['invisible characters', 'a\u200b\u2060\ufeff\u00ad\u{e0041}b', 'ab'],
    ['joiners in words and pictures', 'می\u200cخواهم 👩\u200d💻', 'می\u200cخواهم 👩\u200d💻'],
    ['half a character', 'a\ud83dz', 'a\ufffdz'],
    ['nothing', '\x1b[0m \n', ''],
  ] as const) {
    it(`makes ${name} plain`, () => assert.equal(plainText(text, 100), plain));
  }

  it('truncates with an ellipsis, never within a character', () => {
    assert.equal(plainText('abcdef', 6), 'abcdef');
    assert.equal(plainText('abcdefg', 6), 'abcde…');
    assert.equal(plainText('💻💻💻💻', 3), '💻💻…');
    assert.equal(plainText('a\0\0\0\0\0\0\0', 1), 'a', 'eight times as long, and read whole');
  });

  it('reads only as much of a long text as needed', () => {
    const long = 'x'.repeat(50_000_000);
    assert.equal(plainText(long, 10), 'xxxxxxxxx…');
    assert.equal(plainText(`a${' '.repeat(1_000_000)}b`, 10), 'a…');
  });
});

describe('plainLines', () => {
  it('keeps lines and their indentation, and removes invisible characters', () => {
    assert.equal(
      plainLines('\r\nif x:\r\n\ty\u202e()\u2028z\u200b\0\x1b[31m!\x1b[0m\x1b]0;t\x07 \ud83d 👩\u200d💻 \n'),
      'if x:\n\ty()\nz! \ufffd 👩\u200d💻',
    );
    assert.equal(plainLines('a\rb'), 'a\nb');
  });

  it('is idempotent', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
        const once = plainLines(text);
        assert.equal(plainLines(once), once);
      }),
      { numRuns: 1_000 },
    );
    console.log('      1000 texts');
  });
});

describe('visibleText', () => {
  it('keeps what takes room, and nothing that hides', () => {
    assert.equal(visibleText('a\u200bb\x1b[31mc\x1b[0m\0d\u034fe\ufe0f\tf\ng'), 'abcde\tf\ng');
  });
});

describe('terminalText', () => {
  for (const [what, text, shown] of [
    ['colors', '\x1b[1;31mred\x1b[0m \x1b[mplain', '\x1b[1;31mred\x1b[0m \x1b[mplain'],
    ['no movement of the cursor', 'a\x1b[2Kb\x1b[10;4Hc\x1b[?25ld', 'abcd'],
    ['no title', '\x1b]0;title\x07text', 'text'],
    ['no sequence that only ends like a color', '\x1b]0;x\x1b[31m', '\x1b[31m'],
    ['ends of lines', 'a\r\nb\nc\td', 'a\nb\nc\td'],
    ['a return within a line', 'a\rb', 'a\rb'],
    ['no other control characters', 'a\0b\x08c\x7fd\x85e', 'abcde'],
    ['no lone escape', 'a\x1b', 'a'],
  ] as const) {
    it(`keeps ${what}`, () => assert.equal(terminalText(text), shown));
  }
});
