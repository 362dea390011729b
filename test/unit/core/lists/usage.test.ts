import assert from 'node:assert/strict';
import { hasOddUsage, latest, listedTokens, listedUsage, withUsage } from '../../../../src/core/lists/usage';
import { usageFacts } from '../../../../src/features/targets/model/conversationRow';

const record = (cost: unknown, input: unknown = 100, output: unknown = 20) => ({
  metrics: {
    accumulated_cost: cost,
    accumulated_token_usage: { prompt_tokens: input, completion_tokens: output },
  },
});
const facts = (of: Parameters<typeof usageFacts>[0]) => Object.fromEntries(usageFacts(of));

describe('what a conversation has used', () => {
  it('is what the source says that knows more', () => {
    assert.deepEqual([latest(0, 0.83), latest(null, 2), latest(3, undefined)], [0.83, 2, 3]);
    assert.equal(latest(null, undefined), null);
  });

  it('is in the row as in the open conversation', () => {
    const one = (cost: number, tokens: number) =>
      facts({ metrics: withUsage(record(0.83), { cost, tokens }) ?? null });
    assert.deepEqual(one(0, 0), { Cost: '$0.83', Tokens: '100 input, 20 output' });
    assert.deepEqual(one(1.5, 120), { Cost: '$1.50', Tokens: '100 input, 20 output' });
    assert.deepEqual(one(1.5, 121), { Cost: '$1.50', Tokens: undefined }, 'only the sum is known');
  });

  it('is unknown if a record has an invalid one', () => {
    for (const odd of ['1', -1, NaN, null, {}])
      assert.deepEqual(listedUsage(record(odd, odd, odd)), {
        cost: undefined,
        input: undefined,
        output: undefined,
      });
    assert.deepEqual(listedUsage({}).cost, undefined);
    assert.deepEqual(withUsage({ metrics: null }, { cost: 0.5, tokens: null }), { accumulated_cost: 0.5 });
    assert.equal(withUsage({ metrics: null }, { cost: null, tokens: null }), null);
  });
});

describe('amounts in a record', () => {
  it('are odd if they’re there, but can’t be right', () => {
    for (const right of [record(0, 0, 0), record(1e9, 1e15, 1e15), record(null, undefined, null)])
      assert.equal(hasOddUsage(right), false);
    for (const none of [{}, { metrics: null }, { metrics: { accumulated_token_usage: null } }])
      assert.equal(hasOddUsage(none), false);
    for (const odd of [record(-1, 1, 1), record(1e9 + 1, 1, 1), record(1, '1', 1), record(1, 1, 1e15 + 1)])
      assert.equal(hasOddUsage(odd), true);
  });

  it('are those of all tokens only if both are known', () => {
    assert.equal(listedTokens(record(1, 100, 20)), 120);
    assert.deepEqual([record(1, 100, null), record(1, null, 20)].map(listedTokens), [undefined, undefined]);
  });
});
