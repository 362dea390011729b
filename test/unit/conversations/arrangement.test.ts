import assert from 'node:assert/strict';
import { Arrangement, groupings, orders } from '../../../src/features/conversations/model/arrangement';
import { groupWords, orderWords } from '../../../src/features/conversations/model/arrangementWords';

/** An arrangement over a store that has `stored` at first. */
function arranged(stored?: unknown) {
  const kept = new Map<string, unknown>([['arrangement', stored]]);
  const arrangement = new Arrangement(
    {
      get: (key) => kept.get(key),
      update: (key, value) => Promise.resolve(void kept.set(key, value)),
    },
    'arrangement',
  );
  return { arrangement, kept };
}

describe('arrangement of conversations', () => {
  it('groups by state at first, with the last active first', () => {
    for (const stored of [undefined, null, 'sandbox', 7, {}, { group: 'color', order: 'size' }]) {
      const { arrangement } = arranged(stored);
      assert.deepEqual([arrangement.group, arrangement.order], ['state', 'updated'], JSON.stringify(stored));
    }
  });

  it('keeps what was chosen before', () => {
    const { arrangement } = arranged({ group: 'none', order: 'title' });
    assert.deepEqual([arrangement.group, arrangement.order], ['none', 'title']);
  });

  it('remembers each choice, and keeps the other', async () => {
    const { arrangement, kept } = arranged();
    const seen: string[] = [];
    arrangement.onDidChange(() => seen.push(`${arrangement.group} ${arrangement.order}`));
    await arrangement.choose({ group: 'none' });
    await arrangement.choose({ order: 'title' });
    await arrangement.choose({ group: 'repository', order: 'created' });
    assert.deepEqual(seen, ['none updated', 'none title', 'repository created']);
    assert.deepEqual(kept.get('arrangement'), { group: 'repository', order: 'created' });
  });

  it('has words of its own for each choice', () => {
    const words = [...groupings.map(groupWords), ...orders.map(orderWords)];
    assert.equal(new Set(words).size, groupings.length + orders.length);
    assert.match(groupWords('sandbox'), /sandbox/);
    assert.match(groupWords('repository'), /repository/);
    assert.match(groupWords('state'), /state/);
    assert.match(orderWords('created'), /Newest/);
    assert.match(orderWords('updated'), /active/);
  });
});
