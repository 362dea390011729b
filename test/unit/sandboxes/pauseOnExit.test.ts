import assert from 'node:assert/strict';
import { flatClient } from '../../support/builders/client';
import { pauseOnExit } from '../../../src/features/sandboxes/model/pauseOnExit';
import { UsedSandboxes } from '../../../src/features/sandboxes/model/usedSandboxes';
import { startService, type ReferenceService } from '../../service/service';
import { aSandbox } from '../../support/builders/records';
import { profiles } from '../../support/profiles';

for (const profile of profiles) {
  describe(`sandboxes used by this window (${profile})`, () => {
    let service: ReferenceService;
    beforeEach(async () => {
      service = await startService({ profile, seed: 'lifelike' });
    });
    afterEach(() => service.close());

    const aWindow = () => {
      const used = new UsedSandboxes();
      const { url: baseUrl, sessionKey } = service;
      return { used, client: flatClient({ baseUrl, sessionKey, fetch, observer: used.of(baseUrl) }) };
    };
    const paused = () =>
      service.requests
        .filter(({ path }) => path.endsWith('/pause'))
        .map(({ path }) => path.split('/').at(-2));
    const [running, resting] = ['oh-agent-server-3fKp9LwR', 'oh-agent-server-P0vR2mKi'];

    it('contain started and resumed sandboxes until they are paused', async () => {
      const { used, client } = aWindow();
      const started = await client.startSandbox();
      await client.resumeSandbox(resting);
      assert.deepEqual(used.at(service.url), [started.id, resting]);
      await client.pauseSandbox(resting);
      assert.deepEqual(used.at(service.url), [started.id]);
      assert.deepEqual(used.at('https://elsewhere.example.com'), []);
    });

    it('are announced before they are paused or resumed', async () => {
      const seen: string[] = [];
      const asked = (at: string, id: string) => seen.push(`${at} ${id} ${service.requests.length}`);
      const used = new UsedSandboxes(Date.now, undefined, asked);
      const { url: baseUrl, sessionKey } = service;
      const client = flatClient({ baseUrl, sessionKey, fetch, observer: used.of(baseUrl) });
      await client.pauseSandbox(running);
      await client.resumeSandbox(resting);
      assert.deepEqual(seen, [`${baseUrl} ${running} 0`, `${baseUrl} ${resting} 1`]);
    });

    it('are told of when one is started or resumed, with the reason if that failed', async () => {
      const ran: unknown[] = [];
      const used = new UsedSandboxes(Date.now, (at, error) => ran.push([at, error instanceof Error]));
      const { url: baseUrl, sessionKey } = service;
      const client = flatClient({ baseUrl, sessionKey, fetch, observer: used.of(baseUrl) });
      let started = 0;
      used.onDidUse(() => (started += 1));
      await client.startSandbox();
      assert.equal(started, 1);
      service.fail({ path: '*/resume', effect: { kind: 'answer', status: 429, body: {} } });
      await assert.rejects(client.resumeSandbox(resting));
      await client.resumeSandbox(resting);
      assert.deepEqual(ran, [
        [baseUrl, false],
        [baseUrl, true],
        [baseUrl, false],
      ]);
      assert.equal(started, 1);
    });

    it('don’t contain sandboxes whose request failed', async () => {
      const { used, client } = aWindow();
      service.fail({ path: '*/resume', effect: { kind: 'answer', status: 403, body: {} } });
      await assert.rejects(client.resumeSandbox(resting));
      assert.deepEqual(used.at(service.url), []);
    });

    it('contain sandboxes whose request may have gone through', async () => {
      const { used, client } = aWindow();
      const lost = { kind: 'answer', status: 500, body: {} } as const;
      service.fail({ path: '*/resume', effect: lost });
      await assert.rejects(client.resumeSandbox(resting));
      assert.deepEqual(used.at(service.url), [resting]);
      service.fail({ path: '*/app-conversations', effect: lost });
      await assert.rejects(client.createConversation({ sandbox_id: running }));
      assert.deepEqual(used.at(service.url), [resting, running]);
    });

    it('contain sandboxes of new conversations, as soon as they are known', async () => {
      const { used, client } = aWindow();
      await client.createConversation({ sandbox_id: running });
      assert.deepEqual(used.at(service.url), [running]);
      const created = await client.createConversation({});
      if (created.kind === 'task') {
        for (let status: string | null | undefined; status !== 'READY';) {
          status = (await client.getStartTask(created.task.id))?.status;
          assert.notEqual(status, 'ERROR');
        }
      }
      const ids = used.at(service.url);
      assert.equal(ids.length, 2);
      assert.ok(service.state.sandboxes.has(ids[1] ?? ''));
    });

    it('are paused on exit, except those already paused', async () => {
      const { client } = aWindow();
      const known: Record<string, string> = { [running]: 'RUNNING', [resting]: 'PAUSED' };
      const find = (id: string) => (known[id] ? aSandbox({ id, status: known[id] }) : undefined);
      await pauseOnExit(client, [running, resting, 'oh-agent-server-Zc81HnYd'], find);
      assert.deepEqual(paused().sort(), [running, 'oh-agent-server-Zc81HnYd'].sort());
      await pauseOnExit(client, [resting], (id) => aSandbox({ id, status: 'MISSING' }));
      assert.ok(!paused().includes(resting), 'one that is gone');
    });

    it('are paused on exit, even if the last read shows one before it was resumed', async () => {
      let now = 0;
      const used = new UsedSandboxes(() => now);
      const { url: baseUrl, sessionKey } = service;
      const client = flatClient({ baseUrl, sessionKey, fetch, observer: used.of(baseUrl) });
      const exit = (readAt: number) =>
        pauseOnExit(client, used.at(baseUrl), (id) =>
          used.isSettled(baseUrl, id, readAt) ? aSandbox({ id, status: 'PAUSED' }) : undefined,
        );
      now = 600_000;
      await client.resumeSandbox(resting);
      await exit(now + 120_000);
      assert.deepEqual(paused(), [], 'the service has paused it since');
      await exit(now + 1_000);
      assert.deepEqual(paused(), [resting]);
    });

    it('delay the exit no longer than allowed, even after a failure', async () => {
      const { client } = aWindow();
      service.fail({ path: `*/${running}/pause`, effect: { kind: 'stallBeforeHeaders' } });
      service.fail({ path: `*/${resting}/pause`, effect: { kind: 'answer', status: 500, body: {} } });
      const controller = new AbortController();
      const stalled = service.waitForRequest(({ path }) => path.includes(running), { phase: 'arrived' });
      const failed = service.waitForRequest(({ path }) => path.includes(resting));
      const ended = pauseOnExit(client, [running, resting], () => undefined, controller.signal);
      await Promise.all([stalled, failed]);
      controller.abort();
      await ended;
    });
  });
}
