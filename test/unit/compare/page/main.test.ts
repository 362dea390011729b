import assert from 'node:assert/strict';
import type { ComparedAttempt, ToComparison } from '../../../../src/shared/comparison';
import { startedPage } from '../../../support/startedPage';

const attempt: ComparedAttempt = {
  ...{ id: 'a', title: 'Fix', difference: '', execution: 'finished', state: 'Finished', mark: '' },
  ...{ took: 1_000, since: null, cost: null, tokens: null, changed: null, changesProblem: '' },
  ...{ checks: [], isWhole: true, lastWords: '' },
};
const show = (...attempts: ComparedAttempt[]): ToComparison => ({
  ...{ type: 'show', service: 's', ids: attempts.map(({ id }) => id), attempts, note: '' },
});

describe('the page of a comparison, as it starts', () => {
  let end: () => void = () => undefined;
  const { now } = Date;
  afterEach(() => {
    end();
    Date.now = now;
  });
  const page = () => {
    const started = startedPage('features/compare/page');
    ({ end } = started);
    return started;
  };

  it('says that it can be filled, and shows what it’s told', () => {
    const { posted, receive, stored, now: shown } = page();
    assert.deepEqual(posted, [{ type: 'ready' }]);
    assert.equal(shown().text, 'Reading conversations…');
    receive({ type: 'notice', message: 'Gone.' });
    assert.deepEqual([shown().text, stored], ['Gone.', []]);
    receive(show(attempt));
    assert.match(shown().text, /Fix Finished/);
    assert.deepEqual(stored, [{ service: 's', ids: ['a'] }], 'what it’s restored from');
    shown().press('Show Changes');
    assert.deepEqual(posted.slice(1), [{ type: 'act', act: 'showChanges', id: 'a' }]);
  });

  it('refuses what it doesn’t know, and goes on', () => {
    const { posted, receive, now: shown } = page();
    receive(show(attempt));
    receive({ type: 'delete' });
    assert.match(shown().text, /Fix Finished/);
    assert.deepEqual(
      posted.slice(1).map((one) => (one as { type: string }).type),
      ['refused'],
    );
    assert.match((posted[1] as { what: string }).what, /./);
  });

  it('counts the seconds of those that work, and of no others', () => {
    const { receive, timers, drawings, now: shown } = page();
    const [timer] = timers;
    assert.equal(timer?.ms, 1_000);
    const redrawn = () => {
      const before = drawings();
      timer.act();
      return drawings() - before;
    };
    assert.equal(redrawn(), 0);
    receive({ type: 'notice', message: 'Gone.' });
    assert.equal(redrawn(), 0);
    receive(show(attempt));
    assert.equal(redrawn(), 0);
    Date.now = () => 100_000;
    receive(show(attempt, { ...attempt, id: 'b', since: 95_000 }));
    assert.match(shown().text, /Time 5 s/);
    Date.now = () => 106_000;
    assert.equal(redrawn(), 1);
    assert.match(shown().text, /Time 11 s/);
  });
});
