import assert from 'node:assert/strict';
import { createClient } from '../../../../src/api/service/client';
import { createLimiter } from '../../../../src/api/http/limiter';
import { passes, queryOf } from '../../../../src/core/lists/conversationFilter';
import { conversationState } from '../../../../src/core/lists/status';
import { aConversation } from '../../../support/builders/records';
import { makeConversation, startService } from '../../../service/service';

describe('conversation title filter', () => {
  const asked = (title: string) => queryOf({ title }, 0)?.titleContains;

  it('sends the service the part of the text whose case can be ignored', () => {
    assert.equal(asked('Login test'), 'Login test');
    assert.equal(asked('Ärger mit Login'), 'rger mit Login');
    assert.equal(asked('Café crème'), 'Caf');
    assert.equal(asked('東京'), '東京', 'letters without case');
    assert.equal(asked('Ä'), undefined);
  });

  it('ignores case on a service that folds only ASCII letters', async () => {
    const service = await startService({ profile: 'observed' });
    try {
      for (const title of ['ÄRGER MIT LOGIN', 'Ärger mit Login', 'Finger mit Login'])
        service.state.conversations.set(title, makeConversation({ title }));
      const client = createClient({
        baseUrl: service.url,
        sessionKey: service.sessionKey,
        limiter: createLimiter(),
      });
      const filter = { title: 'ärger mit login' };
      const { items } = await client.listConversations(queryOf(filter, 0));
      assert.deepEqual(
        items
          .filter((item) => passes(filter, item, 0))
          .map(({ title }) => title)
          .toSorted(),
        ['ÄRGER MIT LOGIN', 'Ärger mit Login'],
      );
    } finally {
      await service.close();
    }
  });
});

describe('conversation filter', () => {
  const now = Date.parse('2026-01-10T12:00:30.500Z');
  const one = aConversation({
    title: 'Mend the login test',
    selected_repository: 'Acme/Shop',
    execution_status: 'running',
    created_at: '2026-01-01T12:00:30Z',
    updated_at: '2026-01-08T12:00:30Z',
  });
  const state = conversationState(one);

  it('shows what matches every condition', () => {
    for (const filter of [
      {},
      { title: 'LOGIN' },
      { repository: 'acme/shop' },
      { state },
      { createdWithinDays: 10 },
      { updatedWithinDays: 3 },
      { title: 'login', repository: 'ACME/SHOP', state, createdWithinDays: 10, updatedWithinDays: 3 },
    ])
      assert.equal(passes(filter, one, now), true, JSON.stringify(filter));
  });

  it('hides what misses one condition', () => {
    const all = {
      title: 'login',
      repository: 'acme/shop',
      state,
      createdWithinDays: 10,
      updatedWithinDays: 3,
    };
    for (const miss of [
      { title: 'logout' },
      { repository: 'acme/other' },
      { state: 'other' },
      { createdWithinDays: 8 },
      { updatedWithinDays: 1 },
    ]) {
      assert.equal(passes(miss, one, now), false, JSON.stringify(miss));
      assert.equal(passes({ ...all, ...miss }, one, now), false, JSON.stringify(miss));
    }
  });

  it('hides what has no title, repository, or date to compare', () => {
    const bare = { id: 'c-1' };
    for (const filter of [
      { title: 'a' },
      { repository: 'a/b' },
      { createdWithinDays: 1 },
      { updatedWithinDays: 1 },
    ])
      assert.equal(passes(filter, bare, now), false, JSON.stringify(filter));
    assert.equal(passes({}, bare, now), true);
  });

  it('takes the time of creation as the last activity of what was never updated', () => {
    const fresh = { ...one, created_at: '2026-01-10T11:00:00Z', updated_at: null };
    assert.equal(passes({ updatedWithinDays: 1 }, fresh, now), true);
    assert.equal(passes({ updatedWithinDays: 1 }, { ...fresh, created_at: one.created_at }, now), false);
  });

  it('allows a minute, as the service was asked for whole minutes', () => {
    const at = (created_at: string) => passes({ createdWithinDays: 1 }, { ...one, created_at }, now);
    assert.equal(at('2026-01-09T11:59:30.500Z'), true);
    assert.equal(at('2026-01-09T11:59:30.499Z'), false);
  });

  it('asks the service for dates in whole minutes, and only for what it knows', () => {
    assert.deepEqual(queryOf({ createdWithinDays: 1 }, now), {
      titleContains: undefined,
      createdAfter: '2026-01-09T12:00:00.000Z',
      updatedAfter: undefined,
    });
    assert.deepEqual(queryOf({ updatedWithinDays: 2 }, now), {
      titleContains: undefined,
      createdAfter: undefined,
      updatedAfter: '2026-01-08T12:00:00.000Z',
    });
    assert.equal(queryOf({ repository: 'acme/shop', state }, now), undefined);
  });
});
