import assert from 'node:assert/strict';
import { clippedTexts } from '../../../src/shared/clippedTexts';
import { isCut } from '../../../src/shared/transcript';
import { error, message, separator, step } from '../../support/conversation/entries';

const problem = { text: 'No file.', length: 20 };
const output = { text: 'a … b', length: 90 };

describe('a text that may be shortened', () => {
  for (const [length, expected] of [
    [4, false],
    [5, true],
  ] as const)
    it(`is shortened if there’s more of it: ${length} characters`, () => {
      assert.equal(isCut({ text: 'text', length }), expected);
    });
});

describe('the texts of an entry that may be shortened', () => {
  for (const [title, entry, expected] of [
    ['that of a message', message('agent', 'Done.'), [{ text: 'Done.', length: 5 }]],
    ['that of an error', error('Code', 'Long'), [{ text: 'Long', length: 4 }]],
    ['none of a separator', separator('paused'), []],
    ['the problem of a step', step({ step: 'think', text: 'Hm' }, { problem }), [problem]],
    [
      'the problem of a step without a result yet',
      step({ step: 'mcp', tool: 'a', input: '', output: null }, { problem }),
      [problem],
    ],
    [
      'output and problem of a step',
      step({ step: 'mcp', tool: 'a', input: '', output }, { problem }),
      [output, problem],
    ],
  ] as const)
    it(`are ${title}`, () => assert.deepEqual(clippedTexts(entry), expected));
});
