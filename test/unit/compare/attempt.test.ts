import assert from 'node:assert/strict';
import type { Entry, Head } from '../../../src/shared/transcript';
import { cannotReach } from '../../../src/features/transcript';
import { comparedAttempt } from '../../../src/features/compare/model/attempt';
import { head, message, start, terminal } from '../../support/conversation/entries';

const entries = [
  message('user', 'Fix it', { at: start }),
  terminal('npm test', '', 0, { at: start + 5_000, took: 2_000 }),
  message('agent', 'Done.\u202e', { at: start + 6_000 }),
];
const compared = (change: Partial<Head>, shown: readonly Entry[] = entries) =>
  comparedAttempt({ id: 'c-1', head: head(change), entries: shown }, 'Claude', {
    changed: null,
    problem: '',
  });

describe('an attempt in a comparison', () => {
  it('has the time from its first entry to the end of its last', () => {
    const { took, since, checks, lastWords, difference, isWhole } = compared({ execution: 'finished' });
    assert.deepEqual([took, since, checks.length, difference, isWhole], [7_000, null, 1, 'Claude', true]);
    assert.match(lastWords, /^Done\./);
    assert.doesNotMatch(lastWords, /\u202e/);
  });

  it('counts on while its agent works, and only then', () => {
    assert.equal(compared({ execution: 'running' }).since, start);
    assert.equal(compared({ execution: 'running', limit: 'busy' }).since, start);
    assert.equal(compared({ execution: 'running', hasOlder: true }).since, null);
    assert.equal(compared({ execution: 'running', limit: 'unreachable' }).since, null);
    assert.equal(compared({ execution: 'running', problem: 'Can’t reach it.' }).since, null);
  });

  it('has no time without the beginning of the transcript', () => {
    const { took, isWhole } = compared({ hasOlder: true });
    assert.deepEqual([took, isWhole], [null, false]);
    assert.equal(compared({}, []).took, null);
    assert.equal(compared({ readAt: null }).isWhole, false);
  });

  it('has a name and no final message if it has neither a title nor an answer', () => {
    const { title, lastWords } = compared({ title: '', hasOlder: true }, entries.slice(1, 2));
    assert.deepEqual([title, lastWords], ['Conversation', '']);
    assert.equal(compared({ title: 'Fix the build' }).title, 'Fix the build');
  });

  it('says where it is read from, and why it may be old', () => {
    const marks = (
      [
        { execution: 'running' },
        { execution: 'running', limit: 'busy' },
        { execution: 'finished', limit: 'asleep' },
        { execution: 'unknown', limit: 'asleep' },
        { execution: 'finished', limit: 'gone' },
        { execution: 'unknown', limit: 'gone' },
        { execution: 'unknown', problem: 'Can’t reach it.' },
        { execution: 'unknown', readAt: null },
        { execution: 'running', limit: 'stored' },
        { execution: 'running', limit: 'busy', readAt: null },
        { execution: 'unknown', limit: 'refused' },
        { execution: 'unknown', readAt: null, problem: 'Can’t reach it.' },
        { execution: 'unknown' },
      ] satisfies Partial<Head>[]
    ).map((change) => {
      const { state, mark } = compared(change);
      return [state, mark];
    });
    assert.deepEqual(marks, [
      ['Working', ''],
      ['Working', 'Updates after each step'],
      ['Finished', 'Sandbox paused, read from the stored events'],
      ['Sandbox paused', 'Read from the stored events'],
      ['Finished', 'Read from the stored events'],
      ['Sandbox missing', 'Read from the stored events'],
      ['State unknown', 'Can’t reach it.'],
      ['Reading…', ''],
      ['Working', 'Read from the stored events'],
      ['Working', ''],
      ['State unknown', cannotReach.refused()],
      ['State unknown', 'Can’t reach it.'],
      ['State unknown', ''],
    ]);
  });
});
