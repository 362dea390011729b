import assert from 'node:assert/strict';
import { parkServer, restoreServer } from '../../../src/features/settings/model/parking';
import { SettingsDocument } from '../../../src/features/settings/model/document';
import { connectProvider, disconnectProvider } from '../../../src/features/settings/model/providers';
import { MemoryStore } from './parkedStore';
import { fakeService, type FakeService } from './fakeService';
import { safeguards } from '../core/settings/safeguards';
import { edits, keyMayGo, newServer, saveAs, serverAt } from './support';

const url = 'https://one.example.com/mcp';
const baseUrl = 'http://service.example.com';

/** A service with settings, and an open form. */
async function opened() {
  const service = fakeService('observed', {
    language: 'de',
    agent: 'Agent',
    git_user_name: 'Ada',
    mcp_config: {
      sse_servers: [],
      stdio_servers: [],
      shttp_servers: [{ url, api_key: 'one-key', timeout: 60 }],
    },
  });
  service.state.providerTokens = { gitlab: { token: 'gitlab-token', user_id: null, host: null } };
  const document = await SettingsDocument.load(service.client, service.safeguards);
  const before = structuredClone(service.state);
  return { service, document, before };
}

/** Answers these reads, counted from 0 from now on, as for a user who never saved. */
function saysNoneSaved(service: FakeService, ...readings: number[]): void {
  let count = 0;
  service.fault = (request) =>
    request === 'getSettings' && readings.includes(count++) ? 'noneSaved' : undefined;
}

const always = Array.from({ length: 99 }, (_, index) => index);

describe('settings: “Settings not found”', () => {
  it('is believed if no settings were seen before', async () => {
    const service = fakeService('observed', null);
    const document = await SettingsDocument.load(service.client, service.safeguards);
    assert.equal(document.model.saved, false);
    const { document: next } = await saveAs('saved', document, { values: { language: 'it' } });
    assert.equal(next.model.saved, true);
    assert.equal(service.state.settings?.language, 'it');
  });

  it('is a specific error if any window saw saved settings', async () => {
    const { service } = await opened();
    saysNoneSaved(service, ...always);
    await assert.rejects(SettingsDocument.load(service.client, service.safeguards), {
      name: 'ApiError',
      reason: 'noneSaved',
    });
    const other = { ...safeguards(), seen: new Set([service.client.baseUrl]) };
    await assert.rejects(SettingsDocument.load(service.client, other), { reason: 'noneSaved' });
  });

  it('is believed of one service if settings of another behind the same origin were seen', async () => {
    const { service } = await opened();
    const { origin } = service.client;
    const other = fakeService('observed', null);
    const client = { ...other.client, origin, baseUrl: `${origin}/team` };
    const document = await SettingsDocument.load(client, service.safeguards);
    assert.equal(document.model.saved, false);
  });

  it('names the reading that it answered', async () => {
    const { service } = await opened();
    saysNoneSaved(service, 0);
    await assert.rejects(SettingsDocument.load(service.client, service.safeguards), {
      method: 'GET',
      route: '/api/settings',
    });
  });

  it('stops a save, even if the edit matches the defaults', async () => {
    for (const change of [
      { values: { language: 'it' } },
      { values: { max_iterations: 7 } },
      { values: { enable_sound_notifications: true } },
      { mcpServers: [newServer({ id: 'new-1', url: 'https://new.example.com/mcp' })] },
    ]) {
      const { service, document, before } = await opened();
      saysNoneSaved(service, 0);
      const { error, applied } = await saveAs('failed', document, change);
      assert.deepEqual([error.reason, applied], ['noneSaved', 'no']);
      assert.deepEqual(service.posts, []);
      await saveAs('saved', document, change);
      assert.equal(service.state.settings?.agent, before.settings?.agent);
      assert.equal(service.state.settings?.git_user_name, 'Ada');
    }
  });

  it('stops an undo', async () => {
    const { service, document } = await opened();
    const { document: saved } = await saveAs('saved', document, { values: { language: 'it' } });
    saysNoneSaved(service, 0);
    const { error } = await saveAs('failed', saved, saved.undo()?.edits ?? {});
    assert.equal(error.reason, 'noneSaved');
    assert.equal(service.posts.length, 1);
  });

  it('stops a git provider change without posting defaults or the token', async () => {
    const { service, before } = await opened();
    saysNoneSaved(service, ...always);
    const access = { ...service.access, othersMayGo: true };
    for (const outcome of [
      await connectProvider(access, { name: 'github', token: 'github-token', host: null }),
      await disconnectProvider(access, 'gitlab'),
    ])
      assert.ok(
        outcome.kind === 'failed' && outcome.error.reason === 'noneSaved' && outcome.applied === 'no',
      );
    assert.deepEqual(service.state, before);
    assert.deepEqual([service.posts, service.providerPosts], [[], []]);
  });

  it('doesn’t treat a server still on the service as parked', async () => {
    const { service, document, before } = await opened();
    const store = new MemoryStore();
    saysNoneSaved(service, 0);
    const outcome = await parkServer(
      { document, store, baseUrl, options: keyMayGo },
      serverAt(document, url),
    );
    assert.ok(outcome.kind === 'notSaved' && outcome.save.kind === 'failed');
    assert.equal(outcome.save.error.reason, 'noneSaved');
    assert.deepEqual(store.list(baseUrl), []);
    assert.deepEqual(service.state.settings, before.settings);
  });

  it('keeps the copy of a parked server', async () => {
    for (const reading of [0, 1]) {
      const { service, document } = await opened();
      const store = new MemoryStore();
      const parked = await parkServer(
        { document, store, baseUrl, options: keyMayGo },
        serverAt(document, url),
      );
      assert.ok(parked.kind === 'done' && parked.document);
      saysNoneSaved(service, reading);
      const posts = service.posts.length;
      const outcome = await restoreServer(
        { document: parked.document, store, baseUrl, options: keyMayGo },
        parked.parked.id,
      );
      assert.equal(outcome.kind, reading === 0 ? 'notSaved' : 'both');
      assert.equal(service.posts.length - posts, reading);
      assert.equal(store.list(baseUrl).length, 1);
    }
  });

  it('leaves the outcome of a posted save unknown', async () => {
    const { service, document } = await opened();
    saysNoneSaved(service, 1);
    const { error, applied } = await saveAs('failed', document, { values: { language: 'it' } });
    assert.deepEqual([error.reason, applied], ['noneSaved', 'unknown']);
    assert.equal(service.state.settings?.language, 'it');
  });

  it('isn’t believed after the first accepted save', async () => {
    const service = fakeService('observed', null);
    const document = await SettingsDocument.load(service.client, service.safeguards);
    saysNoneSaved(service, 1);
    const { applied } = await saveAs('failed', document, { values: { language: 'it' } });
    assert.equal(applied, 'unknown');
    assert.ok(service.safeguards.seen.has(service.client.baseUrl));
  });

  it('is believed if the user agrees, so reset settings can be saved', async () => {
    const { service, document } = await opened();
    service.state.settings = null;
    await saveAs('failed', document, { values: { max_iterations: 7 } });
    service.safeguards.seen.delete(service.client.baseUrl);
    const { document: next } = await saveAs('saved', document, { values: { max_iterations: 7 } });
    assert.equal(next.model.values.max_iterations, 7);
    assert.equal(next.model.values.agent, null);
    assert.ok(service.safeguards.seen.has(service.client.baseUrl));
  });
});

describe('settings: a member missing from a later answer', () => {
  const without = (service: FakeService, change: (body: Record<string, unknown>) => void) => {
    service.rewrite = (answer) => {
      if (typeof answer.body !== 'object' || answer.body === null || !('language' in answer.body))
        return answer;
      const body = structuredClone(answer.body) as Record<string, unknown>;
      change(body);
      return { ...answer, body };
    };
  };
  const cases: [name: string, change: (body: Record<string, unknown>) => void][] = [
    ['git_user_name', (body) => delete body['git_user_name']],
    ['mcp_config', (body) => delete body['mcp_config']],
    [
      'mcp_config.shttp_servers',
      (body) => delete (body['mcp_config'] as Record<string, unknown>)['shttp_servers'],
    ],
  ];
  for (const [name, change] of cases)
    it(`asks before resetting ${name}`, async () => {
      const { service, document, before } = await opened();
      without(service, change);
      const outcome = await saveAs('needsConfirmation', document, { values: { language: 'it' } });
      assert.deepEqual(outcome, { kind: 'needsConfirmation', about: 'missing', names: [name] });
      assert.deepEqual(service.state, before);
      const confirmed = [...(keyMayGo.confirmed ?? []), outcome];
      await saveAs('saved', document, { values: { language: 'it' } }, { confirmed });
    });

  for (const [name, change] of cases)
    it(`asks before taking an edit of ${name} for done`, async () => {
      const { service, document, before } = await opened();
      without(service, change);
      const part = name === 'git_user_name' ? { values: { git_user_name: null } } : { mcpServers: [] };
      const outcome = await saveAs('needsConfirmation', document, part);
      assert.deepEqual(outcome, { kind: 'needsConfirmation', about: 'missing', names: [name] });
      assert.deepEqual(service.state, before);
    });

  it('isn’t taken for what a save without an answer did', async () => {
    for (const part of [{ values: { git_user_name: null } }, { mcpServers: [] }]) {
      const { service, document, before } = await opened();
      service.fault = (request) => {
        if (request !== 'postSettings') return undefined;
        without(service, (body) => {
          delete body['git_user_name'];
          delete body['mcp_config'];
        });
        return 'lost';
      };
      const { applied } = await saveAs('failed', document, part);
      assert.equal(applied, 'unknown');
      assert.deepEqual(service.state, before);
    }
  });

  it('is no reason to ask about an empty save, which only reads', async () => {
    const { service, document } = await opened();
    without(service, (body) => delete body['mcp_config']);
    await saveAs('saved', document, {}, {});
  });

  it('doesn’t ask if the member was empty', async () => {
    const { service, document } = await opened();
    without(service, (body) => {
      delete body['max_iterations'];
      delete body['enable_default_condenser'];
    });
    await saveAs('saved', document, { values: { language: 'it' } });
  });

  it('asks about unknown members by whether they held anything', async () => {
    const members = {
      text: '',
      list: [],
      object: {},
      nothing: null,
      word: 'x',
      items: [1],
      number: 5,
      no: false,
    };
    const service = fakeService('observed', { language: 'de' });
    const show = (body: Record<string, unknown>) => Object.assign(body, members);
    without(service, show);
    const document = await SettingsDocument.load(service.client, service.safeguards);
    without(service, () => undefined);
    assert.deepEqual(await saveAs('needsConfirmation', document, { values: { language: 'it' } }), {
      kind: 'needsConfirmation',
      about: 'missing',
      names: ['word', 'items', 'number', 'no'],
    });
  });
});

describe('settings: a window that resumes from sleep', () => {
  it('posts nothing if another window has taken over or holds the lock', async () => {
    const { service, document, before } = await opened();
    service.safeguards.isHeld = () => false;
    const change = edits({ values: { language: 'it' } });
    const slept = await document.save(change, keyMayGo);
    assert.ok(slept.kind === 'failed' && slept.error.reason === 'busy' && slept.applied === 'no');
    service.safeguards.turn = () => undefined;
    const waited = await document.save(change, keyMayGo);
    assert.ok(waited.kind === 'failed' && waited.error.reason === 'busy' && waited.applied === 'no');
    assert.deepEqual(service.state, before);
    assert.deepEqual(service.posts, []);
  });
});
