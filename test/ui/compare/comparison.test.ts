import assert from 'node:assert/strict';
import type { ComparedAttempt } from '../../../src/shared/comparison';
import { takePicture } from '../../support/picture';
import {
  axeFindings,
  buildPage,
  openPage,
  type Built,
  type OpenOptions,
  type ShownPage,
} from '../support/builtPage';
import { themes } from '../support/themes';

const attempt = (id: string, more: Partial<ComparedAttempt> = {}): ComparedAttempt => ({
  id,
  title: 'Fix the slug of empty titles',
  difference: `Model ${id}`,
  execution: 'finished',
  state: 'Finished',
  mark: '',
  took: 372_000,
  since: null,
  cost: 0.4,
  tokens: 81_204,
  changed: { files: 3, added: 41, removed: 7, isWhole: true },
  changesProblem: '',
  checks: [{ command: 'npm test', exitCode: 0, isSure: true, runs: 3 }],
  isWhole: true,
  lastWords: 'Empty titles get the slug “untitled”, and the tests pass.',
  ...more,
});

const since = Date.now() - 61_000;
const three = [
  attempt('a'),
  attempt('b', {
    ...{ execution: 'running', state: 'Working', since, lastWords: '', cost: null },
    checks: [
      { command: 'npx tsc --noEmit', exitCode: 2, isSure: true, runs: 1 },
      { command: 'npm test | tail -5', exitCode: 0, isSure: false, runs: 2 },
    ],
  }),
  attempt('c', {
    ...{ execution: 'unknown', state: 'Sandbox paused', mark: 'Read from the stored events' },
    ...{
      took: null,
      changed: { files: 1, added: 2, removed: 0, isWhole: false },
      checks: [],
      isWhole: false,
    },
  }),
];

describe('the comparison of attempts', function () {
  this.timeout(120_000);
  let built: Built;
  let shown: ShownPage;
  before(async () => {
    built = await buildPage('compare');
  });
  after(() => built.close());
  afterEach(() => assert.deepEqual(shown.complaints.splice(0), []));

  const send = (message: unknown) =>
    shown.page.evaluate((data) => {
      window.dispatchEvent(new MessageEvent('message', { data }));
    }, message);
  const open = async (attempts: ComparedAttempt[], options: Partial<OpenOptions> = {}) => {
    shown = await openPage(built, { theme: themes[0]!, title: 'Compare Attempts', ...options });
    const ids = attempts.map(({ id }) => id);
    await send({ type: 'show', service: 'http://service.invalid', ids, attempts, note: '' });
    await shown.page
      .locator('[data-attempt]')
      .nth(attempts.length - 1)
      .waitFor();
  };
  /** Waits until the page has posted so many messages. */
  const posted = async (count: number) => {
    for (const deadline = Date.now() + 30_000; shown.posted.length < count && Date.now() < deadline;)
      await shown.page.evaluate(() => new Promise((resolve) => requestAnimationFrame(resolve)));
    return shown.posted;
  };
  const column = (id: string) => shown.page.locator(`[data-attempt="${id}"]`);

  it('has a column for each, with what it took, changed, and checked', async () => {
    await open(three);
    assert.deepEqual(await posted(1), [{ type: 'ready' }]);
    const words = (await column('a').innerText()).replace(/\s+/g, ' ');
    for (const part of [
      'Model a Fix the slug of empty titles Finished',
      'Time 6 min 12 s',
      'Cost $0.40',
      'Tokens 81,204',
      'Changes 3 files +41 −7',
      'npm test Exit code: 0 · 3 runs',
      'the tests pass.',
    ])
      assert.ok(words.includes(part), `${part} in: ${words}`);
    const time = await column('b').locator('[data-since]').innerText();
    const [, minutes, seconds] = /^(\d+) min (\d+) s$/.exec(time) ?? [];
    const took = Number(minutes) * 60_000 + Number(seconds) * 1_000;
    assert.ok(took >= 61_000 && took <= Date.now() - since, `${time} since a minute before the test`);
    assert.deepEqual(
      await column('b')
        .locator('[data-check]')
        .evaluateAll((checks) => checks.map((check) => check.getAttribute('data-check'))),
      ['failed', 'unsure'],
    );
    const asleep = (await column('c').innerText()).replace(/\s+/g, ' ');
    for (const part of ['Read from the stored events', 'Time Unknown', 'May be incomplete', 'None found'])
      assert.ok(asleep.includes(part), `${part} in: ${asleep}`);
  });

  it('offers to take only what there is, and expects no words of an agent that failed', async () => {
    const none = { files: 0, added: 0, removed: 0, isWhole: true };
    await open([
      attempt('a', { changed: null, changesProblem: 'The folder isn’t a Git repository.' }),
      attempt('b', { changed: none, execution: 'error', lastWords: '' }),
      attempt('c', { changed: { ...none, isWhole: false }, execution: 'running', lastWords: '' }),
      attempt('d', { changed: null }),
    ]);
    const take = (id: string) => column(id).getByRole('button', { name: 'Take This One' }).count();
    assert.deepEqual(await Promise.all(['a', 'b', 'c', 'd'].map(take)), [0, 0, 1, 1]);
    const last = (id: string) => column(id).getByRole('region', { name: 'Final message' }).innerText();
    assert.match(await last('b'), /None$/);
    assert.match(await last('c'), /Nothing yet$/);
  });

  it('follows attempts without moving the focus, also once it has counted their time', async () => {
    await open(three);
    const first = await column('b').locator('[data-since]').innerText();
    await shown.page.waitForFunction(
      (text) => document.querySelector('[data-attempt="b"] [data-since]')?.textContent !== text,
      first,
    );
    await column('b').getByRole('button', { name: 'Show Changes' }).focus();
    const done = { ...three[1], lastWords: 'All done.' };
    const attempts = [three[0], done, three[2]];
    await send({
      type: 'show',
      service: 'http://service.invalid',
      ids: ['a', 'b', 'c'],
      attempts,
      note: '1 not started',
    });
    await shown.page.getByText('1 not started').waitFor();
    await column('b').getByText('All done.').waitFor();
    assert.equal(
      await shown.page.evaluate(() => document.activeElement?.closest('article')?.dataset['attempt']),
      'b',
    );
  });

  it('says what to do with which attempt, with the keyboard', async () => {
    await open(three.slice(0, 2));
    const expected: unknown[] = [{ type: 'ready' }];
    await column('b').getByRole('button', { name: 'Take This One' }).focus();
    for (const act of ['take', 'showChanges', 'showDifference', 'continue']) {
      await shown.page.keyboard.press('Enter');
      await shown.page.keyboard.press('Tab');
      expected.push({ type: 'act', act, id: 'b' });
    }
    assert.deepEqual(await posted(expected.length), expected);
    const button = column('a').getByRole('button', { name: 'Take This One' });
    const about = await button.getAttribute('aria-describedby');
    assert.equal(await shown.page.locator(`#${about}`).innerText(), 'Model a');
  });

  it('shows texts from outside as they are, and refuses messages that it doesn’t know', async () => {
    const hostile = '<img src=x onerror="alert(1)"> [a](command:x) \u202e'.repeat(20);
    await open([attempt('a', { lastWords: hostile, difference: hostile, title: hostile }), attempt('b')]);
    assert.equal(await shown.page.locator('img, a, script[src*="x"]').count(), 0);
    for (const forged of [null, 7, { type: 'show' }, { type: 'show', service: 1, ids: [], attempts: [{}] }])
      await send(forged);
    assert.equal(await column('b').count(), 1);
    await send({ type: 'notice', message: 'Can’t reach it.' });
    await shown.page.getByRole('status').getByText('Can’t reach it.').waitFor();
  });

  for (const width of [320, 480])
    it(`puts columns below each other at ${width} px`, async () => {
      const long =
        'npm run test:unit -- --reporter=spec --grep "a very long name of a test that nobody shortens"';
      const checks = [{ command: long, exitCode: 1, isSure: true, runs: 1 }];
      await open([attempt('a', { checks }), ...three.slice(1)], { width, height: 900 });
      const overflow = await shown.page.evaluate(() =>
        Math.max(
          ...[...document.querySelectorAll('body *')]
            .filter((element) => !element.closest('.visually-hidden'))
            .map((element) => element.getBoundingClientRect().right - window.innerWidth),
        ),
      );
      assert.ok(overflow <= 0, String(overflow));
      const tops = await shown.page
        .locator('[data-attempt]')
        .evaluateAll((all) => all.map((one) => one.getBoundingClientRect().top));
      assert.deepEqual(
        tops,
        [...new Set(tops)].toSorted((a, b) => a - b),
      );
      await takePicture(shown.page, `compare-${width}`, { fullPage: true });
    });

  for (const theme of themes)
    it(`is readable in ${theme.name}, and axe finds nothing serious`, async () => {
      await open(three, { theme, width: 1000, height: 800 });
      assert.deepEqual(await axeFindings(shown.page), []);
      await takePicture(shown.page, `compare-${theme.name}`);
    });
});
