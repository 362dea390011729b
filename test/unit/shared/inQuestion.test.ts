import assert from 'node:assert/strict';
import { inQuestion } from '../../../src/shared/inQuestion';

describe('a title in a question', () => {
  it('brings no question mark of its own, and is never empty', () => {
    assert.equal(inQuestion('Why does it time out?'), 'Why does it time out');
    assert.equal(inQuestion('どうして？'), 'どうして');
    assert.equal(inQuestion('Fix a?b'), 'Fix a?b');
    assert.equal(inQuestion('???'), '???');
  });
});
