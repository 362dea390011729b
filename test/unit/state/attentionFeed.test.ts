import assert from 'node:assert/strict';
import { createClient } from '../../../src/api/client';
import { AttentionFeed, type News } from '../../../src/state/attentionFeed';
import { ServiceModel } from '../../../src/state/serviceModel';
import { SessionStore } from '../../../src/state/session';
import { startService, type ProfileName, type ReferenceService } from '../../service/service';

const turn = () => new Promise((resolve) => setImmediate(resolve));

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

    /** A window that nobody looks at: it reads when told to. */
    async function aWindow() {
      let present = service;
      const session = new SessionStore({
        readTarget: () =>
          Promise.resolve({
            connection: { name: 'Team', baseUrl: present.url, origin: present.url },
            sessionKey: present.sessionKey,
          }),
        createClient: ({ baseUrl }, sessionKey) => createClient({ baseUrl, sessionKey, fetch }),
      });
      const model = new ServiceModel({
        session,
        intervalMs: () => 0,
        timer: { setTimeout: () => undefined, clearTimeout: () => undefined },
        now: Date.now,
      });
      const feed = new AttentionFeed(session, model, Date.now);
      const news: News[] = [];
      feed.onDidHappen((one) => news.push(one));
      await session.reload();
      return {
        model,
        news,
        read: async () => {
          await model.refresh('sandboxes', 'conversations');
          await turn();
          return news.splice(0);
        },
        switchTo: async (next: ReferenceService) => {
          present = next;
          await session.reload();
          await turn();
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

    it('tells all that one refresh brought at once, and once', async () => {
      const window = await aWindow();
      assert.deepEqual(await window.read(), [], 'nothing at first');
      const conversation = workingIn(service);
      conversation.execution_status = 'waiting_for_confirmation';
      const sandbox = [...service.state.sandboxes.values()].find(
        ({ status, id }) => status === 'RUNNING' && id !== conversation.sandbox_id,
      );
      assert.ok(sandbox);
      sandbox.status = 'ERROR';
      const news = await window.read();
      assert.equal(news.length, 1);
      assert.equal(news[0]?.baseUrl, service.url);
      assert.deepEqual(
        news[0].events.map(({ kind, id }) => [kind, id]),
        [
          ['agentWaits', conversation.id],
          ['sandboxFailed', sandbox.id],
        ],
      );
      assert.deepEqual(await window.read(), []);
      window.close();
    });

    it('is not misled by a refresh that fails', async () => {
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

    it('does not tell of a pause that was asked for here', async () => {
      const window = await aWindow();
      await window.read();
      const [here, elsewhere] = [...service.state.sandboxes.values()].filter(
        ({ status }) => status === 'RUNNING',
      );
      assert.ok(here && elsewhere);
      window.model.pending.begin({ id: here.id, status: here.status }, 'pausing');
      await turn();
      here.status = 'PAUSED';
      elsewhere.status = 'PAUSED';
      const [news] = await window.read();
      assert.deepEqual(news?.events, [{ kind: 'sandboxPaused', id: elsewhere.id }]);
      window.close();
    });

    it('keeps connections apart, and knows each again', async () => {
      const window = await aWindow();
      await window.read();
      // The same ids at both, in other states.
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
