import assert from 'node:assert/strict';
import { overBudget } from '../../../src/features/usage/model/budget';
import type { Conversation } from '../../../src/api/service/schemas/conversation';
import { aConversation } from '../../support/builders/records';

const at = (text: string) => new Date(text).getTime();
const now = at('2026-03-02T12:00:00');
const cost = (amount: number, more: Partial<Conversation> = {}) =>
  aConversation({
    id: `c-${amount}`,
    created_at: '2026-03-02T00:00:00',
    metrics: { accumulated_cost: amount },
    ...more,
  });

/** What a window tells of these lists, one look after the other. */
function aComputer() {
  const kept = new Map<string, unknown>();
  const store = {
    get: (key: string) => kept.get(key),
    update: (key: string, value: unknown) => Promise.resolve(void kept.set(key, value)),
  };
  return (budget: number, lists: readonly (readonly Conversation[])[], time = now) =>
    overBudget(lists, budget, store, time);
}

describe('the daily budget', () => {
  it('is passed once a day, and once for each budget', () => {
    const look = aComputer();
    assert.equal(look(10, [[cost(4)], [cost(6)]]), undefined, 'not more than the budget');
    const lists = [[cost(4)], [cost(8.4)]];
    assert.equal(look(10, lists), 12.4);
    assert.equal(look(10, lists), undefined);
    assert.equal(look(20, lists), undefined);
    assert.equal(look(12, lists), 12.4);
    const tomorrow = [[cost(13, { created_at: '2026-03-03T09:00:00' })]];
    assert.equal(look(12, tomorrow, at('2026-03-03T12:00:00')), 13);
  });

  it('counts what was started today, and a conversation of several addresses once', () => {
    const look = aComputer();
    const id = '0123456789abcdef0123456789abcdef';
    const twice = [cost(6, { id })];
    const hyphens = [cost(6, { id: '01234567-89ab-cdef-0123-456789abcdef' })];
    const others = [cost(90, { created_at: '2026-03-01T23:59:59' }), cost(90, { created_at: null })];
    assert.equal(look(10, [twice, hyphens, others, [aConversation({ metrics: null })]]), undefined);
    const same = cost(6, { id: 'no UUID' });
    assert.equal(look(10, [[same], [same]]), 12);
  });

  it('may be none', () => {
    for (const none of [0, -1, NaN]) assert.equal(aComputer()(none, [[cost(1_000)]]), undefined);
  });
});
