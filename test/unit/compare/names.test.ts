import assert from 'node:assert/strict';
import fc from 'fast-check';
import { attemptNames } from '../../../src/features/compare/model/names';
import { comparedAttempt } from '../../../src/features/compare/model/attempt';
import { head } from '../../support/conversation/entries';

const of = (label: string, model = '', title = '') => ({ label, model, title });

describe('the names of compared attempts', () => {
  it('are what the attempts differ in: labels, else models', () => {
    assert.deepEqual(attemptNames([of('Claude', 'm'), of('', 'gpt')]), ['Claude', 'gpt']);
  });

  it('are the titles if all have one model', () => {
    const names = attemptNames([
      of('', 'm', 'Fix the slug'),
      of('', 'm', 'Mend it'),
      of('', 'm', 'Fix the slug'),
    ]);
    assert.deepEqual(names, ['m · Attempt 1', 'Mend it', 'm · Attempt 3']);
  });

  it('are numbers if nothing else differs, or nothing is known', () => {
    assert.deepEqual(attemptNames([of('', 'm', 'Same'), of('', 'm', 'Same')]), [
      'm · Attempt 1',
      'm · Attempt 2',
    ]);
    assert.deepEqual(attemptNames([of(''), of('', 'm')]), ['Attempt 1', 'm']);
    assert.deepEqual(attemptNames([of('', 'x', 'y'), of('', 'x', 'z'), of('y')]), [
      'x · Attempt 1',
      'x · Attempt 2',
      'y · Attempt 3',
    ]);
  });

  it('don’t look alike because of what can’t be seen', () => {
    const names = attemptNames([of('a\u202e'), of('a'), of(`${'x'.repeat(90)}1`), of(`${'x'.repeat(90)}2`)]);
    assert.equal(new Set(names).size, 4, names.join('\n'));
  });

  it('are never the same', () => {
    const part = fc.constantFrom('', 'a', 'b', 'a · Attempt 1', 'c\u200b');
    const one = fc.record({ label: part, model: part, title: part });
    fc.assert(
      fc.property(fc.array(one, { maxLength: 8 }), (all) => {
        assert.equal(new Set(attemptNames(all)).size, all.length);
      }),
    );
  });

  it('aren’t repeated', () => {
    const named = (name: string) =>
      comparedAttempt({ id: 'c', head: head({ title: 'Fix' }), entries: [] }, name, {
        changed: null,
        problem: '',
      });
    assert.deepEqual([named('Fix').difference, named('Claude').difference], ['', 'Claude']);
  });
});
