import assert from 'node:assert/strict';
import fc from 'fast-check';
import { createClipboardGuard, createReplay, isAnswer } from '../../../src/features/place/model/replay';
import { seeded } from '../changes/seeded';

const questions = [
  '\x1b[?996n',
  '\x1b[c',
  '\x1b[>c',
  '\x1b[0c',
  '\x1b[6n',
  '\x1b[?6n',
  '\x1b]11;?\x07',
  '\x1b]10;?\x1b\\',
  ...['\x1b[=c', '\x1b[5n', '\x1b[6;1n', '\x1b[>q', '\x1b[>0q', '\x1b[?u', '\x1b[4$p', '\x1b[?2026$p'],
  ...['\x1b[14t', '\x1b[16t', '\x1b[18t', '\x1b]4;12;?\x07', '\x1bP+q544e\x1b\\', '\x1bP$qm\x1b\\'],
];
const others = [
  '$ ',
  '\x1b[2J',
  '\x1b[1;32mok\x1b[0m',
  'é😀',
  '\x1b]0;title\x07',
  '\x1b[?1049h',
  '\r\n',
  '\x1b[3A',
  ...[
    '\x1b[u',
    '\x1b[q',
    '\x1b[>4;2m',
    '\x1b[!p',
    '\x1b[24t',
    '\x1b[148t',
    '\x1b]4;1;#fff\x07',
    '\x1b]8;;?\x07',
  ],
  ...['\x1b]2;?\x07', '\x1bPq#0\x1b\\', '\x1bM', '[6n'],
];
const replayed = (pieces: readonly string[]) => {
  const replay = createReplay();
  return [...pieces.map((one) => replay.take(one, false)), replay.take('', true)].join('');
};

describe('output that is shown again', () => {
  it('has no questions to the terminal, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...questions, ...others), { maxLength: 20 }),
        fc.array(fc.nat({ max: 60 }), { maxLength: 8 }),
        (parts, cuts) => {
          const text = parts.join('');
          const at = [0, ...cuts.filter((cut) => cut < text.length).toSorted((a, b) => a - b), text.length];
          const pieces = at.slice(1).map((end, index) => text.slice(at[index], end));
          assert.equal(replayed(pieces), parts.filter((one) => !questions.includes(one)).join(''));
        },
      ),
      seeded('REPLAY_SEED', { numRuns: 2_000 }),
    );
  });

  it('is shown at once up to where a question may begin', () => {
    assert.equal(createReplay().take('\x1b[0m$ ', false), '\x1b[0m$ ');
    assert.equal(createReplay().take('$ \x1b[6', false), '$ ');
  });

  /** The same with something typed before or after it, and what looks like it. */
  const notAnswers = [
    'a\x1b[0n',
    '\x1b[0na',
    '\x1b]0;rgb:0\x07',
    '\x1b[2026;1$y',
    '\x1b[1;2A',
    '\x1b]11;?\x07',
  ];

  it('tells what only a terminal answers from what people type', () => {
    for (const one of [
      '\x1b[?1;2c',
      '\x1b[24;80R',
      '\x1b[0n',
      '\x1b]11;rgb:0000/0000/0000\x07',
      '\x1bP1+r\x1b\\',
      '\x1b]4;1;rgb:0000/0000/0000\x1b\\',
      '\x1b[?2026;1$y',
      '\x1b[24;80R\x1b[0n',
    ])
      assert.ok(isAnswer(one), JSON.stringify(one));
    for (const one of [
      'c',
      'ls\r',
      '\x1b[A',
      '\x1b',
      '\x03',
      '\x1b[3~',
      '',
      '\x1b[200~[c\x1b[201~',
      ...notAnswers,
    ])
      assert.ok(!isAnswer(one), JSON.stringify(one));
  });
});

describe('output of a shell', () => {
  /** Asks for what the user copied, or replaces it, in ways that terminals understand. */
  const copying = [
    '\x1b]52;c;?\x07',
    '\x1b]52;c;Zm9v\x1b\\',
    '\x1b]052;;?\x07',
    '\x9d52;p;?\x9c',
    '\x1b\x01]5\x002\r;c;?\x07',
  ];
  const plain = [
    '$ ',
    '\x1b]0;title\x07',
    '\x1b]8;;https://a.example\x07',
    '\x1b]5;2;\x07',
    '\x1b[52;1H',
    'é😀',
    '\x1b]520;\x07',
  ];

  it('neither reads nor replaces what the user copied, however it is cut', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...copying, ...plain), { maxLength: 12 }),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 20 }),
        (parts, sizes) => {
          const guard = createClipboardGuard();
          const text = `${parts.join('')}.`;
          let shown = '';
          for (let at = 0, piece = 0; at < text.length; piece += 1) {
            const end = at + (sizes[piece % sizes.length] ?? 1);
            shown += guard.take(text.slice(at, end));
            at = end;
          }
          // Terminals ignore a text with a number that isn’t one.
          const ignored = shown.replace(/\x1b\]-[^\x07\x1b\x9c]*(?:\x07|\x1b\\|\x9c)/g, '');
          assert.equal(ignored, `${parts.filter((one) => plain.includes(one)).join('')}.`);
        },
      ),
      seeded('CLIPBOARD_SEED', { numRuns: 2_000 }),
    );
  });

  it('is shown at once up to where that may begin, of which no more is held than means anything', () => {
    const guard = createClipboardGuard();
    assert.equal(guard.take('a\x1b]'), 'a');
    assert.equal(guard.take('0;b\x07'), '\x1b]0;b\x07');
    assert.equal(guard.take(`c\x1b]${'0'.repeat(1_000_000)}`), 'c');
    assert.equal(guard.take('d'), 'd');
    const long = `\x1b]${'0'.repeat(398)}`;
    assert.deepEqual([guard.take(long), guard.take('52;c;?\x07')], ['', '\x1b]-c;?\x07']);
    assert.deepEqual([guard.take(`${long}0`), guard.take('e')], ['', 'e']);
    const much = 'x'.repeat(1_000);
    assert.deepEqual([guard.take(`${much}\x1b]5`), guard.take('2;c;?\x07')], [much, '\x1b]-c;?\x07']);
  });
});
