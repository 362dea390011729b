import assert from 'node:assert/strict';
import {
  keptUsageSchema,
  parseFromUsagePage,
  parseShownUsage,
  type FromUsagePage,
  type ShownUsage,
} from '../../../src/shared/usageMessages';
import { everyCase } from '../../support/everyCase';

const fromPage: { [T in FromUsagePage['type']]: Extract<FromUsagePage, { type: T }> } = {
  ready: { type: 'ready' },
  refresh: { type: 'refresh' },
  readMore: { type: 'readMore' },
  stop: { type: 'stop' },
};

const sum = { name: '2026-01-01', conversations: 2, cost: 0.5, input: 1_000, output: 10 };
const shown: ShownUsage = {
  type: 'usage',
  isReading: true,
  hasMore: false,
  total: { ...sum, name: '' },
  tables: { day: [sum], model: [], repository: [{ ...sum, name: 'acme/shop' }], connection: [] },
  uncounted: ['Two conversations couldn’t be read.'],
};

describe('messages between the page with the usage and the extension host', () => {
  it('arrive in the host unchanged', () =>
    everyCase(
      Object.values(fromPage),
      ({ type }) => type,
      (sent) => {
        assert.deepEqual(parseFromUsagePage(structuredClone(sent)), { ok: true, message: sent });
        assert.equal(parseShownUsage(sent).ok, false);
      },
    ));

  it('arrive in the page unchanged', () => {
    assert.deepEqual(parseShownUsage(structuredClone(shown)), { ok: true, message: shown });
    assert.equal(parseFromUsagePage(shown).ok, false);
  });

  it('are refused if they are forged', () => {
    for (const data of [undefined, 'ready', [], {}, { type: '' }, { type: 'read' }, { type: 'stop', now: 1 }])
      assert.equal(parseFromUsagePage(data).ok, false, JSON.stringify(data));
    for (const odd of [
      { type: 'ready' },
      { hasMore: 'no' },
      { total: { ...sum, cost: '1' } },
      { tables: { ...shown.tables, user: [] } },
      { tables: { ...shown.tables, day: [{ ...sum, html: '<b>' }] } },
      { uncounted: 'x' },
      { more: 1 },
    ])
      assert.equal(parseShownUsage({ ...shown, ...odd }).ok, false, JSON.stringify(odd));
  });
});

describe('what the page with the usage keeps', () => {
  it('is the order of each table, with a column that exists', () => {
    const order = { by: 'cost', isDescending: true };
    const sorting = { day: order, model: order, repository: { ...order, by: 'name' }, connection: order };
    assert.deepEqual(keptUsageSchema.safeParse({ sorting }).data, { sorting });
    for (const odd of [{ ...order, by: 'price' }, { by: 'cost' }, null])
      assert.ok(!keptUsageSchema.safeParse({ sorting: { ...sorting, day: odd } }).success);
  });
});
