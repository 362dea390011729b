import assert from 'node:assert/strict';
import * as fc from 'fast-check';
import { loadedAnew, StepCounter } from '../steps';
import { plainLines, plainText, visibleText } from '../../../src/shared/plainText';
import { terminalText } from '../../../src/shared/terminal';

describe('plainText', () => {
  for (const [name, text, plain] of [
    ['ordinary text', 'Fix the login', 'Fix the login'],
    ['markup, which is only text', '<b>x</b>', '<b>x</b>'],
    ['a link, which a notification would make one', '[x](command:y)', '[x] (command:y)'],
    ['a link in pieces', '[x]\u202e(command:y) [z]\x1b[0m(http://a)', '[x] (command:y) [z] (http://a)'],
    ['names of icons', '$(zap) $(sync~spin) $(pwd -P) $5', '$ (zap) $ (sync~spin) $(pwd -P) $5'],
    ['what our parentheses would make a name of an icon', 'a $(zap ', 'a $ (zap'],
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
    ['text that isn’t moved', 'a\x1b[10;4Hb\x1b[?25lc\x1b[2Jd', 'abcd'],
    ['no title', '\x1b]0;title\x07text', 'text'],
    ['no sequence that only ends like a color', '\x1b]0;x\x1b[31m', '\x1b[31m'],
    ['ends of lines', 'a\r\nb\nc\td', 'a\nb\nc\td'],
    ['no other control characters', 'a\0b\x07c\x7fd\x85e', 'abcde'],
    ['no lone escape', 'a\x1b', 'a'],
    ['no picture', 'a\x1bPq#0;2;0\n#0~~@@\x1b\\b', 'ab'],
    ['no message of a program', 'a\x1b_Gf=24;AAAA\x1b\\b\x1b^x\x1b\\c\x1bXy\x1b\\d\x90z\x9ce', 'abcde'],
    ['no message of a shell', '\x1b]133;A\x07$ ls\x1b]633;C\x1b\\', '$ ls'],
    ['the lines after a string without an end', 'a\x1b]0;title\nb\x1bPx\nc', 'a\nb\nc'],
    ['colors with colons, in the usual form', '\x1b[38:2::1:2:3;4:3mx', '\x1b[38;2;1;2;3;4mx'],
  ] as const) {
    it(`keeps ${what}`, () => assert.equal(terminalText(text), shown));
  }

  for (const [code, shown] of [
    ...[
      ['37', '37'],
      ['90', '90'],
      ['97', '97'],
      ['40', '40'],
      ['47', '47'],
      ['100', '100'],
      ['107', '107'],
      ['31;39', ''],
      ['44;49', ''],
      ['58;5;9;31', '31'],
    ],
    // Of 256 colors: those of the theme, a cube, and grays.
    ...[
      ['38;5;0', '30'],
      ['38;5;7', '37'],
      ['38;5;8', '90'],
      ['38;5;15', '97'],
      ['38;5;16', '30'],
      ['38;5;21', '94'],
      ['38;5;46', '92'],
      ['38;5;52', '31'],
      ['38;5;196', '91'],
      ['38;5;231', '97'],
      ['38;5;232', '30'],
      ['38;5;237', '90'],
      ['38;5;250', '37'],
      ['38;5;255', '97'],
      ['48;5;21', '104'],
    ],
    ['38;2;250;200;10', '93'],
    ['48;2;0;120;120;1', '1;46'],
  ] as const)
    it(`shows the color ${code} as one of the theme’s`, () => {
      const [first, rest] = [['0', shown].filter((part) => part !== '').join(';'), '0'];
      const codes = [...terminalText(`ab\r\x1b[${code}mx`).matchAll(/\x1b\[([\d;]*)m/g)].map(
        ([, own]) => own,
      );
      assert.deepEqual(codes, shown === '' ? [] : [first, rest]);
    });

  for (const [what, text, shown] of [
    ['a percentage', 'Downloading 10%\rDownloading 55%\rDownloading 100%\n', 'Downloading 100%\n'],
    ['a line that is erased', 'Building…\r\x1b[KBuilt in 3 s', 'Built in 3 s'],
    ['a line that is erased as a whole', 'Building…\x1b[2K\rok', 'ok'],
    ['a line that is erased up to the cursor', 'abc\x1b[1K\rx', 'x  '],
    ['a shorter text over a longer one', 'abcdef\rxyz', 'xyzdef'],
    ['steps back', 'abc\b\b\bxyz', 'xyz'],
    ['a spinner', '|\b/\b-\b\\\bdone', 'done'],
    ['bold of a typewriter', 'N\bNA\bA', 'NA'],
    ['a cursor to the left', 'abcd\x1b[2Dx', 'abxd'],
    ['a cursor to the right', 'a\x1b[3Cb', 'a   b'],
    ['a column', 'abcd\x1b[2Gx\x1b[Gy', 'yxcd'],
    ['characters that are taken out', 'abcd\r\x1b[2Px', 'xd'],
    ['characters that are blanked', 'abcd\r\x1b[2Xx', 'x cd'],
    ['characters that are put in', 'abcd\r\x1b[2@x', 'x abcd'],
    ['a return before the end of a line', 'a\r\r\nb\r', 'a\nb'],
    ['returns before the ends of all lines', 'a\r\r\nb\r\r\n', 'a\nb\n'],
    ['lines that the cursor goes back to', 'a 1\nb 1\n\x1b[2A\x1b[2Ka 2\n\x1b[2Kb 2\n', 'a 2\nb 2\n'],
    ['lines that are erased below', 'a\nb\nc\x1b[1F\x1b[Jx', 'a\nx'],
    ['lines of two programs', 'x\ny\x1b[Az\x1b[Bw', 'xz\ny w'],
    ['wide characters', '正在下载\rok', 'ok在下载'],
    ['half of a wide character', '中文\rx', 'x 文'],
    ['the other half of a wide character', '中文\x1b[1Gx\x1b[4Gy', 'x  y'],
    ['characters with accents', 'e\u0301x\ra', 'ax'],
    ['a cursor that leaves the screen', 'a\x1b[999Ab\x1b[999Bc\x1b[999Dd', 'dbc'],
    ['colors of what is left', '\x1b[31mabc\r\x1b[32mx', '\x1b[0;32mx\x1b[0;31mbc'],
    ['a place that is saved and restored', 'a 1\x1b7 of 9\x1b8!', 'a 1!of 9'],
    ['a place in an earlier line', 'x\x1b[sabc\nlater\x1b[uyz', 'xyzc\nlater'],
    ['a place with its color', '\x1b[31ma\x1b7\x1b[32mb\x1b8c', '\x1b[0;31mac'],
    ['a place without its color', '\x1b[31ma\x1b[s\x1b[32mb\x1b[uc', '\x1b[0;31ma\x1b[0;32mc'],
    ['a place that was never saved', 'ab\x1b8c\x1b[ud', 'abcd'],
    ['a place in lines that were erased', 'a\nb\x1b[s\x1b[A\x1b[J\x1b[ux', 'ax'],
    ['what asks the keyboard for other codes', 'a\x1b[?u\x1b[>1u\x1b[1;2sb', 'ab'],
    ['colors of the lines around', '\x1b[31ma\nb\rc\nd', '\x1b[31ma\nc\nd'],
  ] as const) {
    it(`is the last state of ${what}`, () => {
      assert.equal(plainOf(terminalText(text)), plainOf(shown));
      assert.equal(terminalText(text), shown);
    });
  }

  const moves = [
    '\r',
    '\n',
    '\b',
    '\t',
    '\x1b[K',
    '\x1b[2K',
    '\x1b[1K',
    '\x1b[J',
    '\x1b[A',
    '\x1b[2B',
    '\x1b[3C',
  ];
  const others = [
    '\x1b[D',
    '\x1b[5G',
    '\x1b[E',
    '\x1b[F',
    '\x1b[2P',
    '\x1b[3X',
    '\x1b[2@',
    '\x1b7',
    '\x1b8',
    '\x1b[s',
    '\x1b[u',
    '\x1b[31m',
    '\x1b[0m',
  ];
  const output = fc
    .array(fc.oneof(fc.constantFrom(...moves, ...others), fc.string({ unit: 'binary', maxLength: 5 })), {
      maxLength: 40,
    })
    .map((parts) => parts.join(''));

  it('is the same when it is read again, with no code but colors', () => {
    fc.assert(
      fc.property(output, (text) => {
        const once = terminalText(text);
        assert.equal(terminalText(once), once);
        assert.doesNotMatch(plainOf(once), /(?![\n\t])\p{Cc}/u);
      }),
      { numRuns: 2_000 },
    );
    console.log('      2000 outputs');
  });

  it('ends moves that would take too long, and shows what comes after as it is', () => {
    const long = 'x'.repeat(1_999);
    const moved = (count: number) => terminalText(`${long}${'\r\x1b[@'.repeat(count)}\rEND\n\x1b[31mred\rw`);
    assert.match(moved(1), /^END/);
    assert.ok(moved(3_000).endsWith('\nEND\n\x1b[31mredw'), moved(3_000).slice(-60));
    assert.ok(moved(200_000).length < 10_000);
  });

  it('shows all of a text that only goes forward', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 60 }), (text) => {
        const plain = text.replace(/[\p{Cc}]/gu, '');
        assert.equal(terminalText(`x\r\x1b[K${plain}`), plain);
      }),
      { numRuns: 500 },
    );
  });

  it('takes as many steps as the output is long', () => {
    const counter = new StepCounter(/shared\/terminal\.ts$/);
    try {
      const { terminalText: counted } = loadedAnew('shared/terminal') as {
        terminalText: typeof terminalText;
      };
      const endless = 'x'.repeat(50_000);
      for (const part of [
        ...moves,
        ...others,
        'a\r',
        '\x1b]',
        '\x90',
        '\x1b[999C!',
        '\x1b[2K!',
        '\x1b[1K',
        '中\b',
      ]) {
        const steps = [2_000, 4_000].map((count) => {
          counter.take();
          const text = counted(`${endless}\r${endless}${part.repeat(count)}`);
          assert.ok(text.length < 400_000, JSON.stringify(part));
          return counter.take();
        });
        const [short = 0, long = 0] = steps;
        assert.ok(long <= short * 2.1 && long < 5_000_000, `${JSON.stringify(part)}: ${steps.join(', ')}`);
      }
    } finally {
      counter.end();
    }
  });
});

const plainOf = (text: string) => text.replace(/\x1b\[[\d;]*m/g, '');
