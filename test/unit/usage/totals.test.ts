import assert from 'node:assert/strict';
import { inspect } from 'node:util';
import { UsageTotals } from '../../../src/features/usage/model/totals';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { aConversation } from '../../support/builders/records';

const used = (cost: unknown, input: unknown, output: unknown): Conversation['metrics'] => ({
  accumulated_cost: cost,
  accumulated_token_usage: { prompt_tokens: input, completion_tokens: output },
});

function totalsOf(...records: Partial<Conversation>[]): UsageTotals {
  const totals = new UsageTotals();
  for (const record of records) totals.add('Team', aConversation(record));
  return totals;
}

describe('totals of usage', () => {
  it('sums up cost and tokens by day, model, repository, and connection', () => {
    const totals = new UsageTotals();
    const one = { llm_model: 'a/big', selected_repository: 'acme/shop', metrics: used(1.5, 100, 10) };
    totals.add('Team', aConversation({ ...one, created_at: '2026-03-01T12:00:00' }));
    totals.add('Mine', aConversation({ ...one, created_at: '2026-03-01T23:59:59' }));
    const other = { llm_model: 'a/small', folder: '/srv/shop', metrics: used(0.25, 7, 3) };
    totals.add('Mine', aConversation({ ...other, created_at: '2026-03-02T00:00:00' }));
    assert.deepEqual(totals.total, { name: '', conversations: 3, cost: 3.25, input: 207, output: 23 });
    const rows = Object.entries(totals.tables).map(([kind, sums]) => [
      kind,
      sums.map(({ name, conversations, cost }) => [name, conversations, cost]),
    ]);
    assert.deepEqual(Object.fromEntries(rows), {
      day: [
        ['2026-03-01', 2, 3],
        ['2026-03-02', 1, 0.25],
      ],
      model: [
        ['a/big', 2, 3],
        ['a/small', 1, 0.25],
      ],
      repository: [
        ['acme/shop', 2, 3],
        ['/srv/shop', 1, 0.25],
      ],
      connection: [
        ['Team', 1, 1.5],
        ['Mine', 2, 1.75],
      ],
    });
  });

  it('counts what a conversation does report, and says what it doesn’t', () => {
    const totals = totalsOf(
      { metrics: null },
      {},
      { metrics: { accumulated_cost: 2 } },
      { metrics: used(null, 5, 1) },
    );
    assert.deepEqual(totals.total, { name: '', conversations: 2, cost: 2, input: 5, output: 1 });
    assert.deepEqual(totals.missing, { cost: 3, tokens: 3, odd: 0 });
  });

  it('counts tokens of one direction, and says that the other is missing', () => {
    const totals = totalsOf({ metrics: used(null, 5, null) }, { metrics: used(null, null, 3) });
    assert.deepEqual(totals.total, { name: '', conversations: 2, cost: 0, input: 5, output: 3 });
    assert.deepEqual(totals.missing, { cost: 2, tokens: 2, odd: 0 });
    assert.deepEqual(
      totals.tables.repository.map(({ name }) => name),
      [''],
    );
  });

  for (const odd of [-1, NaN, Infinity, 1e300, '3', {}, [], true])
    it(`leaves out the amount ${inspect(odd)} and says so`, () => {
      const totals = totalsOf({ metrics: used(odd, 5, 1) }, { metrics: used(1, odd, 1) });
      assert.deepEqual(totals.total, { name: '', conversations: 2, cost: 1, input: 5, output: 2 });
      assert.equal(totals.missing.odd, 2);
    });

  it('keeps names that objects have as properties, and rows without a name', () => {
    const strange = { metrics: used(1, 1, 1), created_at: 'yesterday', selected_repository: '__proto__' };
    const { tables } = totalsOf({ ...strange, llm_model: 'constructor' }, { ...strange, llm_model: null });
    assert.deepEqual(
      [tables.day, tables.model, tables.repository].map((rows) => rows.map(({ name }) => name)),
      [[''], ['constructor', ''], ['__proto__']],
    );
  });
});
