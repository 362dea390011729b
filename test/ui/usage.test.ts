import assert from 'node:assert/strict';
import type { ShownUsage, UsageSum } from '../../src/shared/usageMessages';
import { numbered, translation } from '../support/l10n/locales';
import { takePicture } from '../support/picture';
import { axeFindings, buildPage, openPage, type Built, type OpenOptions } from './support/builtPage';
import { themes } from './support/themes';
import { eventually } from '../support/patience';

const sum = (name: string, conversations: number, cost: number, input: number, output: number): UsageSum => ({
  name,
  conversations,
  cost,
  input,
  output,
});

const usage: ShownUsage = {
  type: 'usage',
  isReading: false,
  hasMore: true,
  total: sum('', 214, 61.42, 18_400_000, 902_000),
  tables: {
    day: Array.from({ length: 60 }, (_, at) =>
      sum(
        new Date(Date.UTC(2026, 8, 1 + at)).toISOString().slice(0, 10),
        3,
        (at % 9) * 0.4,
        90_000 * at,
        4_000,
      ),
    ),
    model: [
      sum('openhands/claude-sonnet', 150, 48.1, 15_000_000, 800_000),
      sum('', 4, 0, 0, 0),
      sum('local/small <b>', 60, 0.004, 3_400_000, 102_000),
    ],
    repository: [
      sum('acme/shop', 200, 60, 1_000, 1_000),
      sum('/srv/agent/home/workspaces/a-long-folder', 14, 1.42, 7, 3),
    ],
    connection: [sum('Team', 214, 61.42, 18_400_000, 902_000)],
  },
  uncounted: ['Team has older conversations than the 1000 read.', 'Conversations that report no cost: 3.'],
};

describe('the usage page', function () {
  this.timeout(60_000);
  let built: Built;

  before(async () => {
    built = await buildPage('usage');
  });
  after(() => built.close());

  async function open(options: Partial<OpenOptions> = {}, shown: unknown = usage) {
    const { page, complaints, posted } = await openPage(built, {
      theme: themes[0]!,
      title: 'Usage',
      ...options,
    });
    const send = (message: unknown) =>
      page.evaluate((data) => void window.dispatchEvent(new MessageEvent('message', { data })), message);
    await page.locator('h1').waitFor();
    await send(shown);
    const column = (kind: string, at: number) =>
      page.locator(`[data-usage="${kind}"] tbody tr > :nth-child(${at})`).allInnerTexts();
    return { page, complaints, posted, send, column };
  }

  for (const theme of themes)
    it(`shows every table in ${theme.name}, and axe finds nothing serious`, async () => {
      const { page, complaints } = await open({ theme, height: 1_000 });
      await page.locator('[data-usage="connection"]').waitFor();
      assert.deepEqual(await axeFindings(page), []);
      await takePicture(page, `usage-${theme.name}`, { fullPage: true });
      assert.deepEqual(complaints, []);
    });

  it('sorts by keyboard, says so to screen readers, and keeps it', async () => {
    const { page, column } = await open();
    const header = (name: string) =>
      page.locator('[data-usage="model"]').getByRole('columnheader', { name, exact: true });
    assert.deepEqual(await column('model', 1), [
      'openhands/claude-sonnet',
      'local/small <b>',
      'Unknown model',
    ]);
    assert.deepEqual(await column('model', 2), ['$48.10', '<$0.01', '$0.00']);
    assert.equal(await header('Cost').getAttribute('aria-sort'), 'descending');
    await header('Cost').getByRole('button').focus();
    await page.keyboard.press('Enter');
    await page.locator('[data-usage="model"] [aria-sort="ascending"]').waitFor();
    assert.deepEqual(await column('model', 2), ['$0.00', '<$0.01', '$48.10']);
    await header('Model').getByRole('button').focus();
    await page.keyboard.press('Space');
    await header('Model').and(page.locator('[aria-sort="ascending"]')).waitFor();
    assert.deepEqual(await column('model', 1), [
      'local/small <b>',
      'openhands/claude-sonnet',
      'Unknown model',
    ]);
    assert.equal(await header('Cost').getAttribute('aria-sort'), 'none');
    const state = await page.evaluate(() => (window as unknown as { keptState?: unknown }).keptState);
    const again = await open({ state });
    assert.deepEqual((await again.column('model', 1))[0], 'local/small <b>');
  });

  it('shows the newest days first, each with a bar, and the rest when asked', async () => {
    const { page, column } = await open();
    const days = await column('day', 1);
    assert.deepEqual([days.length, days[0]], [50, 'Oct 30, 2026']);
    const bars = page.locator('[data-usage="day"] rect');
    const lengths = await bars.evaluateAll((all) => all.map((one) => one.getBoundingClientRect().width));
    const costs = (await column('day', 2)).map((words) => Number(words.slice(1)));
    assert.equal(Math.max(...lengths), lengths[costs.indexOf(3.2)]);
    assert.equal(lengths[costs.indexOf(0)], 0);
    await page.getByRole('button', { name: 'Show All 60' }).click();
    await page.locator('[data-usage="day"] tbody tr:nth-child(60)').waitFor();
  });

  it('says how far it has read, and what isn’t counted at the end; only what is offered can be asked for', async () => {
    const { page, posted, send } = await open({}, { ...usage, isReading: true, uncounted: [] });
    const status = page.getByRole('status');
    await status.getByText('Reading conversations… 214 counted').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Read More' }).count(), 0);
    await page.getByRole('button', { name: 'Stop' }).click();
    await send(usage);
    await status.getByText('$61.42 for 214 conversations, with 18.4M input and 902K output tokens').waitFor();
    await page.getByText('Team has older conversations than the 1000 read.').waitFor();
    await page.getByRole('button', { name: 'Read More' }).click();
    await page.getByRole('button', { name: 'Refresh' }).click();
    // Messages arrive after the click.
    await eventually(
      () => posted.length >= 4,
      () => `these messages have come: ${JSON.stringify(posted)}`,
    );
    assert.deepEqual(posted, [
      { type: 'ready' },
      { type: 'stop' },
      { type: 'readMore' },
      { type: 'refresh' },
    ]);
    await send({ ...usage, hasMore: false });
    await page.getByRole('button', { name: 'Read More' }).waitFor({ state: 'detached' });
  });

  it('keeps what it shows when a message can’t be read', async () => {
    const { page, send, column } = await open();
    await send({ ...usage, total: { name: '' } });
    await send({ ...usage, tables: { ...usage.tables, connection: [sum('Mine', 1, NaN, 1, 1)] } });
    await page.getByRole('button', { name: 'Refresh' }).waitFor();
    assert.deepEqual(await column('connection', 1), ['Team']);
  });

  // The second width is 320 px at a zoom of 200 %.
  for (const width of [320, 160])
    for (const language of ['en', 'de'])
      it(`shows each column at ${width} px without scrolling sideways, in ${language}`, async () => {
        const translations = language === 'en' ? {} : translation(language).bundle;
        const { page } = await open({ width, height: 900, language, translations: numbered(translations) });
        await page.locator('[data-usage="connection"]').waitFor();
        const beyond = await page.evaluate(() =>
          [...document.querySelectorAll('html, body *')]
            .filter(
              (one) =>
                one.scrollWidth > one.clientWidth + 1 &&
                one.clientWidth > 0 &&
                !one.matches('.visually-hidden'),
            )
            .concat(
              [...document.querySelectorAll('th, td')].filter(
                (one) => one.getBoundingClientRect().right > window.innerWidth,
              ),
            )
            .map((one) => `${one.tagName}: ${one.textContent.trim().slice(0, 40)}`),
        );
        await takePicture(page, `usage-${width}-${language}`, { fullPage: true });
        assert.deepEqual(beyond, []);
        assert.deepEqual(await axeFindings(page), []);
      });

  it('is a table for screen readers at 320 px, too', async () => {
    const { page } = await open({ width: 320, height: 900 });
    await page.locator('[data-usage="connection"]').waitFor();
    const client = await page.context().newCDPSession(page);
    const { nodes } = await client.send('Accessibility.getFullAXTree');
    const count = (role: string) => nodes.filter((node) => !node.ignored && node.role?.value === role).length;
    assert.equal(count('table'), 4);
    assert.equal(count('columnheader'), 4 * 5);
    // Those of the days are cut at 50.
    assert.equal(count('rowheader'), 50 + 3 + 2 + 1);
    assert.equal(count('row'), 4 + count('rowheader'));
  });
});
