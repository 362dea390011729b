import assert from 'node:assert/strict';
import { Attention } from '../../../../src/core/lists/attention';
import { keepNewest } from '../../../../src/core/basics/keepNewest';
import { aConversation } from '../../../support/builders/records';

describe('what is remembered of what was seen', () => {
  it('is the newest, within a bound', () => {
    const map = new Map<string, number>();
    for (const [value, key] of ['a', 'b', 'a', 'c', 'd'].entries()) keepNewest(map, key, value, 3);
    assert.deepEqual(
      [...map],
      [
        ['a', 2],
        ['c', 3],
        ['d', 4],
      ],
    );
  });

  it('makes no news of what was forgotten', () => {
    const attention = new Attention();
    const at = Date.parse('2026-02-01T00:00:00Z');
    const of = (id: string, execution_status: string) => aConversation({ id, execution_status });
    attention.observe([of('first', 'finished')], at);
    for (let page = 0; page < 21; page += 1) {
      const some = Array.from({ length: 1_000 }, (_, index) => of(`${page}-${index}`, 'running'));
      assert.deepEqual(attention.observe(some, at + page), []);
    }
    assert.deepEqual(attention.observe([of('first', 'finished')], at + 100), []);
    const [event, ...more] = attention.observe([of('20-1', 'finished')], at + 101);
    assert.deepEqual([event?.kind, event?.id, more.length], ['agentEnded', '20-1', 0]);
  });
});
