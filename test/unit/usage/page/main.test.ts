import assert from 'node:assert/strict';
import { firstSorting } from '../../../../src/features/usage/page/rows';
import type { ShownUsage, UsageSum } from '../../../../src/shared/usageMessages';
import { startedPage } from '../../../support/startedPage';

const sum = (name: string, cost: number): UsageSum => ({
  ...{ name, conversations: 1, cost, input: 0, output: 0 },
});
const usage: ShownUsage = {
  ...{ type: 'usage', isReading: false, hasMore: false, uncounted: [] },
  total: { ...sum('', 5), conversations: 2 },
  tables: { day: [], model: [sum('ant', 1), sum('bee', 4)], repository: [], connection: [] },
};

describe('the usage page, as it starts', () => {
  let end: () => void = () => undefined;
  afterEach(() => end());
  const page = (kept?: unknown) => {
    const started = startedPage('features/usage/page', kept);
    ({ end } = started);
    const names = () => [...started.now().html.matchAll(/<th scope="row">\s*(\S+)/g)].map(([, name]) => name);
    return { ...started, names };
  };

  it('says that it can be filled, and shows what it’s told', () => {
    const { posted, receive, now, names } = page();
    assert.deepEqual(posted, [{ type: 'ready' }]);
    assert.equal(now().text, 'Usage');
    receive(usage);
    assert.match(now().text, /^Usage \$5\.00 for 2 conversations/);
    assert.deepEqual(names(), ['bee', 'ant']);
    now().press('Refresh');
    assert.deepEqual(posted.slice(1), [{ type: 'refresh' }]);
    receive({ ...usage, type: 'other' });
    assert.match(now().text, /^Usage \$5\.00 for 2 conversations/, 'it goes on with what it knows');
  });

  it('tells screen readers when it begins to read, and when it ends', () => {
    const { receive, said, body, now } = page();
    assert.deepEqual(
      body.children.map(({ className, attributes }) => [className, attributes]),
      [['visually-hidden', { role: 'status' }]],
    );
    assert.equal(said(), '');
    const reading = (conversations: number) => ({
      ...{ ...usage, isReading: true },
      total: { ...sum('', 0), conversations },
    });
    receive(reading(1));
    receive(reading(9));
    assert.equal(said(), 'Reading conversations… 1 counted');
    receive(usage);
    assert.equal(said(), '$5.00 for 2 conversations, with 0 input and 0 output tokens');
    assert.ok(now().text.includes(said()));
  });

  it('keeps by what its tables are sorted, until the next time', () => {
    const { receive, now, names, stored } = page();
    receive(usage);
    now().press('Model');
    assert.deepEqual(names(), ['ant', 'bee']);
    const sorting = { ...firstSorting, model: { by: 'name', isDescending: false } };
    assert.deepEqual(stored, [{ sorting }]);
    now().press('Cost');
    const day = { by: 'cost', isDescending: true };
    assert.deepEqual(stored.at(-1), { sorting: { ...sorting, day } }, 'the others as they were');
    now().press('Model');
    assert.deepEqual(names(), ['bee', 'ant'], 'the other way around');
    end();
    const again = page({ sorting });
    again.receive(usage);
    assert.deepEqual(again.names(), ['ant', 'bee']);
    end();
    const broken = page({ sorting: { model: 'name' } });
    broken.receive(usage);
    assert.deepEqual(broken.names(), ['bee', 'ant']);
  });

  it('shows all rows of each table that was asked for', () => {
    const { receive, now, names } = page();
    const many = Array.from({ length: 60 }, (_, at) => sum(`m${at}`, at));
    receive({ ...usage, tables: { ...usage.tables, model: many, repository: many } });
    assert.equal(names().length, 100);
    now().press('Show All 60');
    assert.equal(names().length, 110);
    now().press('Show All 60');
    assert.equal(names().length, 120);
  });
});
