import assert from 'node:assert/strict';
import { usagePage, type UsageView } from '../../../../src/features/usage/page/page';
import { usageKinds, type ShownUsage, type UsageSum } from '../../../../src/shared/usageMessages';
import { drawn } from '../../../support/drawn';

const sum = (name: string, cost: number, tokens = 0): UsageSum => ({
  ...{ name, conversations: 1, cost },
  ...{ input: tokens, output: 0 },
});
const days = [sum('2026-01-02', 1, 300), sum('2026-01-01', 4, 100)];
const usage: ShownUsage = {
  ...{ type: 'usage', isReading: false, hasMore: false, uncounted: [] },
  total: { ...sum('', 5, 1_234), conversations: 2 },
  tables: { day: days, model: [sum('swift', 3), sum('2026-01-03', 2)], repository: [], connection: [] },
};
const byName = { by: 'name', isDescending: false } as const;

/** The page with this, and what it was asked for. */
function page(change: Partial<ShownUsage> = {}, more: Partial<UsageView> = {}) {
  const asked: unknown[] = [];
  const view: UsageView = {
    usage: { ...usage, ...change },
    sorting: { day: byName, model: byName, repository: byName, connection: byName },
    whole: new Set(),
    ...more,
  };
  const shown = drawn(() =>
    usagePage(view, {
      post: ({ type }) => asked.push(type),
      sort: (...what) => asked.push(what),
      showWhole: (kind) => asked.push(kind),
    }),
  );
  return { ...shown, asked };
}
const actions = ({ buttons }: { buttons: string[] }) =>
  buttons.filter((name) => ['Stop', 'Refresh', 'Read More'].includes(name));

describe('the usage page', () => {
  it('has only its title until something was read', () => {
    assert.equal(page({}, { usage: undefined }).text, 'Usage');
    const reading = page({ isReading: true, total: sum('', 0), hasMore: true });
    assert.equal(
      page({ isReading: true, total: { ...sum('', 0), conversations: 0 } }).text.includes('By'),
      false,
    );
    assert.match(reading.html, /<main aria-busy="true"/);
    assert.match(reading.text, /Reading conversations… 1 counted/);
  });

  it('can be stopped while it reads, and refreshed or read further afterwards', () => {
    const reading = page({ isReading: true, hasMore: true });
    assert.deepEqual(actions(reading), ['Stop']);
    reading.press('Stop');
    assert.deepEqual(reading.asked, ['stop']);
    assert.deepEqual(actions(page()), ['Refresh']);
    const more = page({ hasMore: true });
    assert.match(more.html, /<main aria-busy="false"/);
    for (const name of actions(more)) more.press(name);
    assert.deepEqual(more.asked, ['refresh', 'readMore']);
  });

  it('says that nothing reports its usage, and what isn’t counted', () => {
    const total = { ...sum('', 0), conversations: 0 };
    const { text, html } = page({ total, uncounted: ['One has no key.', 'Another has none.'] });
    assert.match(
      text,
      /Not counted One has no key\. Another has none\. No conversation reports what it has used\./,
    );
    assert.doesNotMatch(html, /<table/);
    assert.doesNotMatch(page().text, /Not counted|No conversation reports/);
  });

  it('has a table for each kind, whose days have bars', () => {
    const { html, text } = page();
    assert.deepEqual(
      [...html.matchAll(/data-usage="(\w+)"/g)].map(([, kind]) => kind),
      usageKinds,
    );
    const bars = (of: string) => [...of.matchAll(/<rect width="([\d.]+)%"/g)].map(([, length]) => length);
    assert.deepEqual(bars(html), ['100', '25'], 'by cost');
    const free = days.map((day) => ({ ...day, cost: 0 }));
    assert.deepEqual(bars(page({ tables: { ...usage.tables, day: free } }).html), ['33', '100'], 'by tokens');
    assert.match(text, /Jan 2, 2026 \$1\.00/);
    assert.match(text, / 2026-01-03 \$2\.00 [^]* swift \$3\.00/, 'a model that is called like a day');
    assert.equal(text.match(/counts on the day it started/g)?.length, 1);
    assert.equal(html.match(/aria-describedby="day-note"/g)?.length, 1);
  });

  it('sorts by the column that is pressed, and says by which it is sorted', () => {
    const order = { by: 'cost', isDescending: true } as const;
    const { html, press, asked } = page(
      {},
      { sorting: { day: order, model: byName, repository: byName, connection: byName } },
    );
    assert.deepEqual(
      [...html.matchAll(/aria-sort="(\w+)"/g)].slice(0, 6).map(([, is]) => is),
      ['none', 'descending', 'none', 'none', 'none', 'ascending'],
    );
    press('Conversations', 1);
    assert.deepEqual(asked, [['model', 'conversations']]);
  });

  it('shows 50 rows of a table until all are asked for', () => {
    const many = Array.from({ length: 51 }, (_, at) => sum(`m${at}`, at));
    const tables = { ...usage.tables, model: many };
    const rows = ({ html }: { html: string }) => html.match(/<th scope="row">/g)!.length - days.length;
    const short = page({ tables });
    assert.equal(rows(short), 50);
    short.press('Show All 51');
    assert.deepEqual(short.asked, ['model']);
    const whole = page({ tables }, { whole: new Set(['model']) });
    assert.deepEqual([rows(whole), whole.buttons.includes('Show All 51')], [51, false]);
    assert.equal(
      page({ tables: { ...tables, model: many.slice(1) } }).buttons.includes('Show All 50'),
      false,
    );
  });

  it('says what all of it costs, and the exact number of tokens on a cell', () => {
    const total = { ...sum('', 5, 1_234_567), output: 89_000, conversations: 2 };
    assert.match(
      page({ total }).text,
      /^Usage \$5\.00 for 2 conversations, with 1\.2M input and 89K output tokens/,
    );
    assert.match(page({ total: { ...total, conversations: 1 } }).text, /for 1 conversation, with/);
    const row = { ...sum('m', 2, 12_345), output: 6_789 };
    const { html } = page({ tables: { ...usage.tables, day: [], model: [row] } });
    const cells = [
      ...html.matchAll(/<td\s+data-label="([^"]*)"\s*(?:title="([^"]*)")?\s*>\s*([^<]*?)\s*<\/td>/g),
    ];
    assert.deepEqual(
      cells.map(([, ...cell]) => cell),
      [
        ['Cost', undefined, '$2.00'],
        ['Conversations', undefined, '1'],
        ['Input tokens', '12,345', '12.3K'],
        ['Output tokens', '6,789', '6.8K'],
      ],
    );
  });

  it('counts tokens in both directions where nothing costs anything', () => {
    const free = [
      { ...sum('2026-01-02', 0, 100), output: 100 },
      { ...sum('2026-01-01', 0, 300), output: 100 },
    ];
    const { html } = page({ tables: { ...usage.tables, day: free } });
    assert.deepEqual(
      [...html.matchAll(/<rect width="([\d.]+)%"/g)].map(([, length]) => length),
      ['100', '50'],
    );
  });
});
