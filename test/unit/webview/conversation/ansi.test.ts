import assert from 'node:assert/strict';
import { ansiSpans } from '../../../../src/webview/conversation/ansi';

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

  it('are the theme’s; others are left out with their parameters', () => {
    assert.deepEqual(ansiSpans('\u001b[38;5;9mx'), only('x', 'fg-9'));
    assert.deepEqual(ansiSpans('\u001b[38;5;200;1mx'), only('x', 'bold'));
    assert.deepEqual(ansiSpans('\u001b[38;2;1;2;3;4mx'), only('x', 'underline'));
  });

  it('come without any other code', () => {
    assert.deepEqual(
      ansiSpans('a\u001b[2Jb\u001b]8;;https://x\u0007c\u0007\u0008d\u202ee\tf\r\ng'),
      only('abcde\tf\ng'),
    );
    assert.deepEqual(ansiSpans('\u001b'), []);
    assert.deepEqual(ansiSpans('\u001b[31'), []);
  });
});
