import assert from 'node:assert/strict';
import { ansiSpans } from '../../../../src/features/conversation/page/ansi';

const only = (text: string, classes = '') => [{ text, classes }];

describe('colors of a terminal', () => {
  it('become classes, until they are switched off', () => {
    assert.deepEqual(ansiSpans('a\u001b[1;31mb\u001b[22mc\u001b[0md'), [
      { text: 'a', classes: '' },
      { text: 'b', classes: 'fg-1 bold' },
      { text: 'c', classes: 'fg-1' },
      { text: 'd', classes: '' },
    ]);
    assert.deepEqual(ansiSpans('\u001b[94;102mx'), only('x', 'fg-12 bg-10'));
    assert.deepEqual(ansiSpans('\u001b[31m\u001b[39mx'), only('x'));
    assert.deepEqual(ansiSpans('\u001b[mx'), only('x'));
  });

  for (const [what, sequence, classes] of [
    ['one of 16 colors', '38;5;9', 'fg-9'],
    ['one of 256 colors', '38;5;200;1', 'fg-13 bold'],
    ['a gray', '38;5;244', 'fg-8'],
    ['a mixture', '48;2;200;30;10;4', 'bg-1 underline'],
    ['colons', '38:5:9', 'fg-9'],
    ['a mixture with colons', '38:2:20:220:30', 'fg-10'],
    ['a mixture in a color space', '48:2::20:220:30', 'bg-10'],
    ['a wavy line', '4:3', 'underline'],
    ['no line', '4:0', ''],
    ['the color of a line', '58;5;196;3', 'italic'],
    ['the color of a line, with colons', '58:2::1:2:3;9', 'strike'],
    ['missing parts', '38', 'fg-0'],
    ['what nobody knows', '73;999', ''],
  ] as const) {
    it(`are those of the theme that are most like ${what}`, () =>
      assert.deepEqual(ansiSpans(`\u001b[${sequence}mx`), only('x', classes)));
  }

  it('change only by the codes that name them, and each attribute by its own', () => {
    const after = (code: number) =>
      ansiSpans(`\u001b[31;42;1;2;3;4;9;${code}mx`)[0]!.classes.split(' ').toSorted().join(' ');
    const attributes = ['bold', 'dim', 'italic', 'strike', 'underline'];
    const without = (...off: string[]) => attributes.filter((one) => !off.includes(one));
    const [textColor, background] = ['fg-1', 'bg-2'];
    const expected = new Map<number, string[]>([
      [0, ['']],
      [22, [textColor, background, ...without('bold', 'dim')]],
      [23, [textColor, background, ...without('italic')]],
      [24, [textColor, background, ...without('underline')]],
      [29, [textColor, background, ...without('strike')]],
      [38, ['fg-0', background, ...attributes]],
      [39, [background, ...attributes]],
      [48, [textColor, 'bg-0', ...attributes]],
      [49, [textColor, ...attributes]],
    ]);
    for (let color = 0; color < 8; color += 1) {
      expected.set(30 + color, [`fg-${color}`, background, ...attributes]);
      expected.set(90 + color, [`fg-${color + 8}`, background, ...attributes]);
      expected.set(40 + color, [textColor, `bg-${color}`, ...attributes]);
      expected.set(100 + color, [textColor, `bg-${color + 8}`, ...attributes]);
    }
    for (let code = 0; code < 120; code += 1) {
      const classes = expected.get(code) ?? [textColor, background, ...attributes];
      assert.equal(after(code), classes.toSorted().join(' '), `${code}`);
    }
  });

  it('come without any other code', () => {
    assert.deepEqual(
      ansiSpans('a\u001b[2Jb\u001b]8;;https://x\u0007c\u0007d\u202ee\tf\r\ng'),
      only('abcde\tf\ng'),
    );
    assert.deepEqual(ansiSpans('\u001b'), []);
    assert.deepEqual(ansiSpans('\u001b[31'), []);
  });

  it('are those of the last state of a line', () => {
    assert.deepEqual(ansiSpans('\u001b[33mBuilding…\r\u001b[K\u001b[32mBuilt\u001b[0m in 3 s'), [
      { text: 'Built', classes: 'fg-2' },
      { text: ' in 3 s', classes: '' },
    ]);
    assert.deepEqual(ansiSpans('\u001b[31mabc\r\u001b[34mX\n\u001b[0my'), [
      { text: 'X', classes: 'fg-4' },
      { text: 'bc\n', classes: 'fg-1' },
      { text: 'y', classes: '' },
    ]);
  });
});
