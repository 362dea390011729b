import assert from 'node:assert/strict';
import { chooseConversation } from '../../src/features/targets/commands/chooseConversation';
import type { ServiceModel } from '../../src/core/lists/serviceModel';
import { windowWith } from '../support/builders/window';
import { aClient } from '../support/builders/client';
import { aConversation } from '../support/builders/records';
import { answering } from './answering';

describe('selecting a conversation', () => {
  const all = Array.from({ length: 300 }, (_, n) =>
    aConversation({
      id: `c-${n}`,
      title: `Fix the slug (${n})`,
      updated_at: new Date(Date.UTC(2026, 0, 1) - n * 60_000).toISOString(),
      execution_status: n === 40 ? 'waiting_for_confirmation' : 'finished',
    }),
  );
  const client = aClient({
    listConversations: ({ pageId, titleContains, limit = 100 } = {}) => {
      const start = Number(pageId ?? 0);
      const items = all.filter(({ title }) => title?.includes(titleContains ?? ''));
      const next = start + limit < items.length ? String(start + limit) : null;
      return Promise.resolve({ items: items.slice(start, start + limit), nextPageId: next });
    },
  });
  let model: ServiceModel;
  let dispose: () => void;

  before(async () => ({ model, dispose } = await windowWith(client)));
  after(() => dispose());

  it('finds one that isn’t loaded by its title', async () => {
    const { restore } = answering([{ type: '(250)', pick: 'Fix the slug (250)' }]);
    try {
      const chosen = await chooseConversation(model, undefined, { title: 'Open Conversation' });
      assert.equal(chosen?.id, 'c-250');
      assert.equal(model.conversation('c-250'), undefined, 'it was loaded before');
    } finally {
      restore();
    }
  });

  it('offers those that wait first, then the last active', async () => {
    const { rows, restore } = answering(['Fix the slug (40)']);
    try {
      await chooseConversation(model, undefined, { title: 'Open Conversation' });
      assert.deepEqual(rows[0]?.slice(0, 3), [
        'Fix the slug (40): Waiting',
        'Fix the slug (0): Finished',
        'Fix the slug (1): Finished',
      ]);
    } finally {
      restore();
    }
  });
});
