import assert from 'node:assert/strict';
import { comparePage } from '../../../../src/features/compare/page/page';
import type { Changed, Check, ComparedAttempt, ToComparison } from '../../../../src/shared/comparison';
import { drawn } from '../../../support/drawn';

const attempt: ComparedAttempt = {
  ...{
    id: 'a',
    title: 'Fix the slug',
    difference: 'Claude',
    execution: 'finished',
    state: 'Finished',
    mark: '',
  },
  ...{ took: 61_900, since: null, cost: 0.5, tokens: 1_200, changed: null, changesProblem: '' },
  ...{ checks: [], isWhole: true, lastWords: 'All done.' },
};
const changed: Changed = { files: 2, added: 5, removed: 1, isWhole: true };

/** The page as it was told, and what it was asked for. */
function page(shown: ToComparison | undefined) {
  const acts: string[] = [];
  return { ...drawn(() => comparePage(shown, (act, id) => acts.push(`${act} ${id}`))), acts };
}
const show = (attempts: readonly ComparedAttempt[], note = '') =>
  page({ type: 'show', service: '', ids: attempts.map(({ id }) => id), attempts: [...attempts], note });
const one = (change: Partial<ComparedAttempt> = {}) => show([{ ...attempt, ...change }]);
/** What the page says of a fact. */
const fact = (label: string, change: Partial<ComparedAttempt> = {}) => {
  const [, words] = new RegExp(`<dt>${label}</dt>\\s*<dd>([^]*?)</dd>`).exec(one(change).html) ?? [];
  return words
    ?.replace(/<[^>]*>/g, '')
    .replace(/\s+/g, ' ')
    .trim();
};

describe('the page of a comparison', () => {
  it('says that it reads, or why nothing can be shown', () => {
    assert.equal(page(undefined).text, 'Reading conversations…');
    assert.equal(
      page({ type: 'notice', message: 'The connection was removed.' }).text,
      'The connection was removed.',
    );
  });

  it('has a column for each attempt, named by what it differs in', () => {
    const { html, text } = show(
      [attempt, { ...attempt, id: 'b', difference: '', title: 'Mend it' }],
      '1 not started',
    );
    assert.match(text, /^Compare Attempts 1 not started Claude Fix the slug Finished/);
    assert.deepEqual(
      [...html.matchAll(/<h2 id="([^"]*)" title="([^"]*)">([^<]*)</g)].map(([, ...of]) => of),
      [
        ['attempt-0', 'Claude', 'Claude'],
        ['attempt-1', 'Mend it', 'Mend it'],
      ],
    );
    assert.equal(html.match(/class="title"/g)?.length, 1, 'no name twice');
    assert.doesNotMatch(show([attempt]).html, /class="note"/);
  });

  it('says how an attempt goes, and why that may be old', () => {
    const { html } = one({ execution: 'running', state: 'Working' });
    assert.match(html, /data-state="running"/);
    assert.doesNotMatch(html, /class="mark"/);
    assert.match(one({ mark: 'Updates after each step' }).html, /<p class="mark">Updates after each step/);
  });

  it('has its time, cost, and tokens as far as they’re known', () => {
    assert.deepEqual([fact('Time'), fact('Cost'), fact('Tokens')], ['1 min 1 s', '$0.50', '1,200']);
    const unknown = { took: null, cost: null, tokens: null };
    for (const label of ['Time', 'Cost', 'Tokens']) assert.equal(fact(label, unknown), 'Unknown');
    assert.equal(fact('Time', { took: -5 }), '0 s');
    const { now } = Date;
    Date.now = () => 100_000;
    try {
      assert.equal(fact('Time', { took: 1, since: 97_500 }), '2 s');
      assert.match(one({ since: 97_500 }).html, /data-since="97500"/);
      assert.equal(fact('Time', { since: 100_900 }), '0 s', 'the clocks of two computers');
    } finally {
      Date.now = now;
    }
  });

  it('counts what was changed, or says why it can’t', () => {
    assert.equal(fact('Changes'), 'Reading…');
    assert.equal(fact('Changes', { changesProblem: 'No Git repository.' }), 'No Git repository.');
    assert.match(fact('Changes', { changed }) ?? '', /^2 files .*5.*1/);
    assert.match(fact('Changes', { changed: { ...changed, files: 1 } }) ?? '', /^1 file /);
    assert.doesNotMatch(fact('Changes', { changed }) ?? '', /incomplete/);
    assert.match(fact('Changes', { changed: { ...changed, isWhole: false } }) ?? '', /May be incomplete$/);
    const none = { files: 0, added: 0, removed: 0 };
    assert.equal(fact('Changes', { changed: { ...none, isWhole: true } }), 'None');
    assert.match(
      fact('Changes', { changed: { ...none, isWhole: false } }) ?? '',
      /^0 files .*May be incomplete/,
    );
  });

  it('offers to take what there is or may be, and does what is pressed', () => {
    const takes = (change: Partial<ComparedAttempt>) => one(change).buttons.includes('Take This One');
    assert.deepEqual([takes({}), takes({ changesProblem: 'No.' }), takes({ changed })], [true, false, true]);
    const none = { ...changed, files: 0 };
    assert.deepEqual(
      [takes({ changed: none }), takes({ changed: { ...none, isWhole: false } })],
      [false, true],
    );
    const { press, acts, html } = show([attempt, { ...attempt, id: 'b' }]);
    for (const name of ['Take This One', 'Show Changes', 'Show Difference', 'Continue with This One'])
      press(name, 1);
    assert.deepEqual(acts, ['take b', 'showChanges b', 'showDifference b', 'continue b']);
    assert.match(html, /class="primary"[^>]*aria-describedby="attempt-0"[^>]*>\s*Take This One/);
    assert.match(html, /class="secondary"[^>]*aria-describedby="attempt-1"[^>]*>\s*Show Changes/);
  });

  it('has what the agent said last, or says that it may still say something', () => {
    const words = (change: Partial<ComparedAttempt>) =>
      /<h3>Final message<\/h3>\s*<p class="(\w+)"[^>]*>([^<]*)</.exec(one(change).html)?.slice(1);
    assert.deepEqual(words({}), ['words', 'All done.']);
    assert.deepEqual(words({ lastWords: '' }), ['none', 'None']);
    for (const execution of ['running', 'waiting_for_confirmation', 'unknown'])
      assert.deepEqual(words({ lastWords: '', execution }), ['none', 'Nothing yet']);
  });

  it('lists the checks, and what their exit codes say', () => {
    const check: Check = { command: 'npm test', exitCode: 0, isSure: true, runs: 1 };
    const lines = (...checks: Partial<Check>[]) =>
      [
        ...one({ checks: checks.map((each) => ({ ...check, ...each })) }).html.matchAll(
          /<li data-check="(\w+)">([^]*?)<\/li>/g,
        ),
      ].map(([, outcome, words = '']) => [
        outcome,
        words
          .replace(/<[^>]*>/g, ' ')
          .replace(/\s+/g, ' ')
          .trim(),
      ]);
    assert.deepEqual(
      lines(
        { runs: 2 },
        { exitCode: 1, isSure: false },
        { isSure: false },
        { exitCode: null, isSure: false },
      ),
      [
        ['passed', 'npm test Exit code: 0 · 2 runs'],
        ['failed', 'npm test Exit code: 1 · may hide a failure'],
        ['unsure', 'npm test Exit code: 0 · may hide a failure'],
        ['open', 'npm test No exit code'],
      ],
    );
    assert.match(one().text, /Checks The agent ran none Final/);
    assert.match(one({ isWhole: false }).text, /Checks None found Not all of the transcript was read Final/);
    assert.doesNotMatch(one({ checks: [check] }).text, /ran none|None found|Not all/);
    assert.match(one({ checks: [check], isWhole: false }).text, /Not all of the transcript was read/);
  });
});
