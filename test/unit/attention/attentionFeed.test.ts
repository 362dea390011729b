import type { ChoiceStore } from '../../../src/core/basics/choiceStore';
import assert from 'node:assert/strict';
import { noLimits } from '../api/support/client';
import { createClient } from '../../../src/api/service/client';
import { AttentionFeed, type News } from '../../../src/features/attention/model/attentionFeed';
import { sandboxActions } from '../../../src/features/sandboxes/model/actions';
import { ServiceModel } from '../../../src/core/lists/serviceModel';
import { SessionStore } from '../../../src/core/session/session';
import { ToldNews } from '../../../src/features/attention/model/toldNews';
import {
  makeConversation,
  startService,
  type ProfileName,
  type ReferenceService,
} from '../../service/service';
import { quiet } from '../../support/builders/quiet';
import { settled } from '../../support/settled';

/** State shared by all windows. */
const aStore = (): ChoiceStore => {
  const values = new Map<string, unknown>();
  return {
    get: (key) => values.get(key),
    update: (key, value) => Promise.resolve(void values.set(key, value)),
  };
};
const clock = { now: Date.parse('2026-01-01T00:00:00Z') };

for (const profile of ['observed', 'documented'] satisfies ProfileName[]) {
  describe(`attention feed (${profile})`, () => {
    let service: ReferenceService;
    let other: ReferenceService;
    beforeEach(async () => {
      [service, other] = await Promise.all([
        startService({ profile, seed: 'lifelike' }),
        startService({ profile, seed: 'lifelike' }),
      ]);
    });
    afterEach(() => Promise.all([service.close(), other.close()]));

    /** A window without visible views: it reads only on request. */
    async function aWindow(store = aStore(), underWay: string[] = [], lookedAt: string[] = []) {
      let present = service;
      const session = new SessionStore({
        readTarget: () =>
          Promise.resolve({
            connection: { name: 'Team', baseUrl: present.url, origin: present.url },
            sessionKey: present.sessionKey,
          }),
        createClient: ({ baseUrl }, sessionKey) =>
          createClient({ baseUrl, sessionKey, fetch, limiter: noLimits }),
      });
      const model = new ServiceModel({
        session,
        ...quiet,
        clock: { ...quiet.clock, date: () => clock.now },
      });
      const feed = new AttentionFeed({
        session,
        model,
        told: new ToldNews(store, 'told', () => clock.now),
        starts: { underWay: () => new Set(underWay), onDidChange: () => ({ dispose: () => undefined }) },
        isLookedAt: (at, id) => at === present.url && lookedAt.includes(id),
      });
      const news: News[] = [];
      feed.onDidHappen((one) => news.push(one));
      await session.reload();
      return {
        model,
        news,
        feed,
        read: async () => {
          clock.now += 15_000;
          await model.refresh('sandboxes', 'conversations');
          await settled();
          return news.splice(0);
        },
        switchTo: async (next: ReferenceService) => {
          present = next;
          await session.reload();
          await settled();
        },
        close: () => {
          feed.dispose();
          model.dispose();
        },
      };
    }
    const runningAt = (at: ReferenceService) => {
      const found = [...at.state.sandboxes.values()].find(({ status }) => status === 'RUNNING');
      assert.ok(found);
      return found;
    };
    const workingIn = (at: ReferenceService) => {
      const found = [...at.state.conversations.values()].find(
        (one) => one.execution_status === 'running' && one.sandbox_id.endsWith('3fKp9LwR'),
      );
      assert.ok(found);
      return found;
    };

    it('reports nothing about a conversation that’s on screen, not even in other windows', async () => {
      const store = aStore();
      const conversation = workingIn(service);
      const window = await aWindow(store, [], [conversation.id]);
      const another = await aWindow(store);
      await window.read();
      await another.read();
      conversation.execution_status = 'waiting_for_confirmation';
      assert.deepEqual(await window.read(), []);
      assert.deepEqual(await another.read(), []);
      const sandbox = [...service.state.sandboxes.values()].find(
        ({ status, id }) => status === 'RUNNING' && id !== conversation.sandbox_id,
      );
      assert.ok(sandbox);
      sandbox.status = 'PAUSED';
      const news = (await window.read()).flatMap(({ events }) => events.map(({ id }) => id));
      assert.deepEqual(news, [sandbox.id]);
      window.close();
      another.close();
    });

    it('reports all events of a refresh together, once', async () => {
      const window = await aWindow();
      assert.deepEqual(await window.read(), [], 'no events at first');
      const conversation = workingIn(service);
      conversation.execution_status = 'waiting_for_confirmation';
      const sandbox = [...service.state.sandboxes.values()].find(
        ({ status, id }) => status === 'RUNNING' && id !== conversation.sandbox_id,
      );
      assert.ok(sandbox);
      sandbox.status = 'PAUSED';
      const news = await window.read();
      assert.equal(news.length, 1);
      assert.equal(news[0]?.baseUrl, service.url);
      assert.deepEqual(
        news[0].events.map(({ kind, id }) => [kind, id]),
        [
          ['agentWaits', conversation.id],
          ['sandboxPaused', sandbox.id],
        ],
      );
      assert.deepEqual(await window.read(), []);
      window.close();
    });

    it('reports agent events only after the conversation has started', async () => {
      const underWay: string[] = [];
      const window = await aWindow(aStore(), underWay);
      await window.read();
      const conversation = makeConversation({
        sandbox_id: runningAt(service).id,
        created_at: new Date(Date.now() + 60_000).toISOString(),
        execution_status: 'finished',
      });
      service.state.conversations.set(conversation.id, conversation);
      underWay.push(conversation.id);
      assert.deepEqual(await window.read(), []);
      underWay.pop();
      const [news] = await window.read();
      assert.deepEqual(
        news?.events.map(({ kind, id }) => [kind, id]),
        [['agentEnded', conversation.id]],
      );
      window.close();
    });

    it('reports nothing when a refresh fails', async () => {
      const window = await aWindow();
      await window.read();
      service.fail({
        times: 'always',
        path: '/api/v1/*',
        effect: { kind: 'answer', status: 403, body: { error: 'no' } },
      });
      workingIn(service).execution_status = 'finished';
      assert.deepEqual(await window.read(), []);
      service.clearFailures();
      const [news] = await window.read();
      assert.deepEqual(
        news?.events.map(({ kind }) => kind),
        ['agentEnded'],
      );
      window.close();
    });

    it('doesn’t report pauses requested in this window', async () => {
      const window = await aWindow();
      await window.read();
      const [here, elsewhere] = [...service.state.sandboxes.values()].filter(
        ({ status }) => status === 'RUNNING',
      );
      assert.ok(here && elsewhere);
      window.model.pending.begin({ id: here.id, status: here.status }, sandboxActions.pause);
      await settled();
      here.status = 'PAUSED';
      elsewhere.status = 'PAUSED';
      const [news] = await window.read();
      assert.deepEqual(
        news?.events.map(({ kind, id }) => [kind, id]),
        [['sandboxPaused', elsewhere.id]],
      );
      window.close();
    });

    it('reports an error only after a second refresh confirms it', async () => {
      const window = await aWindow();
      await window.read();
      const sandbox = runningAt(service);
      sandbox.status = 'ERROR';
      assert.deepEqual(await window.read(), []);
      assert.equal(window.model.sandboxes.get(sandbox.id)?.status, 'RUNNING', 'the row stays unchanged');
      sandbox.status = 'RUNNING';
      assert.deepEqual(await window.read(), [], 'a busy sandbox briefly returns an error');
      sandbox.status = 'ERROR';
      await window.read();
      const [news] = await window.read();
      assert.deepEqual(
        news?.events.map(({ kind, id }) => [kind, id]),
        [['sandboxFailed', sandbox.id]],
      );
      assert.equal(window.model.sandboxes.get(sandbox.id)?.status, 'ERROR');
      window.close();
    });

    it('doesn’t report errors during a pause requested in this window', async () => {
      const window = await aWindow();
      await window.read();
      const sandbox = runningAt(service);
      window.model.pending.begin({ id: sandbox.id, status: sandbox.status }, sandboxActions.pause);
      sandbox.status = 'ERROR';
      for (let reading = 0; reading < 3; reading += 1) assert.deepEqual(await window.read(), []);
      assert.equal(window.model.pending.get(sandbox.id), sandboxActions.pause);
      sandbox.status = 'PAUSED';
      assert.deepEqual(await window.read(), []);
      assert.equal(window.model.pending.get(sandbox.id), undefined);
      assert.equal(window.model.pausedByService(sandbox.id), false);
      window.close();
    });

    it('holds events without focus, then reports those that still apply', async () => {
      const window = await aWindow();
      await window.read();
      window.feed.setFocused(false);
      const conversation = workingIn(service);
      const sandbox = [...service.state.sandboxes.values()].find(
        ({ status, id }) => status === 'RUNNING' && id !== conversation.sandbox_id,
      );
      assert.ok(sandbox);
      conversation.execution_status = 'waiting_for_confirmation';
      sandbox.status = 'PAUSED';
      assert.deepEqual(await window.read(), []);
      sandbox.status = 'RUNNING';
      assert.deepEqual(await window.read(), []);
      window.feed.setFocused(true);
      await settled();
      assert.deepEqual(
        window.news.splice(0).flatMap(({ events }) => events.map(({ kind }) => kind)),
        ['agentWaits'],
        'the sandbox runs again',
      );
      assert.deepEqual(await window.read(), []);
      window.close();
    });

    it('holds every event without focus, and one that repeats itself once', async () => {
      const window = await aWindow();
      const first = workingIn(service);
      const second = makeConversation({ sandbox_id: first.sandbox_id, execution_status: 'running' });
      service.state.conversations.set(second.id, second);
      await window.read();
      window.feed.setFocused(false);
      for (const [conversation, status] of [
        [first, 'waiting_for_confirmation'],
        [first, 'running'],
        [first, 'waiting_for_confirmation'],
        [second, 'waiting_for_confirmation'],
      ] as const) {
        conversation.execution_status = status;
        assert.deepEqual(await window.read(), []);
      }
      window.feed.setFocused(true);
      await settled();
      assert.deepEqual(
        window.news.splice(0).flatMap(({ events }) => events.map(({ id }) => id)),
        [first.id, second.id],
      );
      window.close();
    });

    it('reports nothing about a conversation that is older than the first read', async () => {
      const window = await aWindow();
      await window.read();
      await window.read();
      const sandbox_id = runningAt(service).id;
      const conversation = makeConversation({
        sandbox_id,
        created_at: '2020-01-01T00:00:00Z',
        execution_status: 'finished',
      });
      service.state.conversations.set(conversation.id, conversation);
      assert.deepEqual(await window.read(), []);
      window.close();
    });

    it('reports nothing once it is disposed', async () => {
      const window = await aWindow();
      await window.read();
      window.feed.dispose();
      workingIn(service).execution_status = 'waiting_for_confirmation';
      assert.deepEqual(await window.read(), []);
      window.close();
    });

    it('reports an event in only one of two windows', async () => {
      const store = aStore();
      const [one, two] = [await aWindow(store), await aWindow(store)];
      await Promise.all([one.read(), two.read()]);
      two.feed.setFocused(false);
      const conversation = workingIn(service);
      conversation.execution_status = 'waiting_for_confirmation';
      const told = [...(await two.read()), ...(await one.read())];
      assert.equal(told.length, 1);
      one.feed.setFocused(false);
      two.feed.setFocused(true);
      await settled();
      assert.deepEqual(two.news, []);
      conversation.execution_status = 'running';
      await two.read();
      conversation.execution_status = 'waiting_for_confirmation';
      assert.equal((await two.read()).length, 1, 'waiting again is a new event');
      one.close();
      two.close();
    });

    it('keeps events of connections apart and remembers each connection', async () => {
      const window = await aWindow();
      await window.read();
      // The same ids on both, in different states.
      for (const { id } of service.state.conversations.values()) assert.ok(other.state.conversations.has(id));
      workingIn(other).execution_status = 'waiting_for_confirmation';
      runningAt(other).status = 'PAUSED';
      await window.switchTo(other);
      assert.deepEqual(await window.read(), []);
      workingIn(service).execution_status = 'finished';
      await window.switchTo(service);
      assert.deepEqual(window.news, []);
      const [news] = await window.read();
      assert.equal(news?.baseUrl, service.url);
      assert.deepEqual(
        news.events.map(({ kind }) => kind),
        ['agentEnded'],
      );
      assert.ok(
        [...other.requests].every(({ headers }) => headers['x-session-api-key'] === other.sessionKey),
      );
      window.close();
    });
  });
}
