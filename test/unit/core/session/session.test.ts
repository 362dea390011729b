import assert from 'node:assert/strict';
import type { ApiClient } from '../../../../src/api/service/client';
import type { Connection } from '../../../../src/shared/connection';
import { clientOf, reasonOf, SessionStore, type SessionTarget } from '../../../../src/core/session/session';
import { aClient, anError } from '../../../support/builders/client';

const connection: Connection = {
  name: 'Team',
  baseUrl: 'https://agents.example.com/team',
  origin: 'https://agents.example.com',
};

function setUp(getSettings: ApiClient['getSettings'] = () => Promise.resolve({ llm_api_key_set: false })) {
  const world: { target: SessionTarget | undefined; made: string[]; seen: string[] } = {
    target: { connection, sessionKey: 'k1' },
    made: [],
    seen: [],
  };
  const sawSettings: string[] = [];
  const store = new SessionStore({
    readTarget: () => Promise.resolve(world.target),
    createClient: (to, key) => {
      world.made.push(`${to.baseUrl} ${key}`);
      return aClient({ getSettings, baseUrl: to.baseUrl, origin: to.origin });
    },
    seen: { add: (baseUrl) => sawSettings.push(baseUrl) },
  });
  store.onDidChange(({ kind }) => world.seen.push(kind));
  return { world, store, sawSettings };
}

describe('session', () => {
  it('starts empty, asks for a key, connects, and becomes ready', async () => {
    const { world, store } = setUp();
    assert.equal(store.current.kind, 'none');
    world.target = { connection, sessionKey: undefined };
    await store.reload();
    world.target = { connection, sessionKey: 'k1' };
    await store.reload();
    await store.verify();
    assert.deepEqual(world.seen, ['noKey', 'connecting', 'ready']);
  });

  it('becomes ready for a user who never saved settings', async () => {
    const never = anError('notFound', 404);
    Object.assign(never, { serverText: 'Settings not found' });
    const { store, sawSettings } = setUp(() => Promise.reject(never));
    await store.reload();
    await store.verify();
    assert.ok(store.current.kind === 'ready' && store.current.neverSaved);
    assert.deepEqual(sawSettings, []);
    // Errors of a service whose lists were read have another cause.
    store.worked(store.current.client);
    assert.equal(store.current.neverSaved, undefined);
  });

  it('remembers that settings were saved, so later answers can’t reset them', async () => {
    const { store, sawSettings } = setUp();
    await store.reload();
    await store.verify();
    assert.deepEqual(sawSettings, [connection.baseUrl]);
  });

  it('becomes refused after a 401, keeps its client, and recovers on retry', async () => {
    let refuse = true;
    const { world, store } = setUp(() =>
      refuse ? Promise.reject(anError('unauthorized', 401)) : Promise.resolve({ llm_api_key_set: false }),
    );
    await store.reload();
    await store.verify();
    assert.equal(store.current.kind, 'refused');
    refuse = false;
    await store.verify();
    assert.equal(store.current.kind, 'ready');
    assert.equal(world.made.length, 1);
  });

  it('becomes unreachable, with the reason, if the service can’t be reached', async () => {
    const { store } = setUp(() => Promise.reject(anError('refused')));
    await store.reload();
    await store.verify();
    assert.ok(store.current.kind === 'unreachable' && store.current.error.reason === 'refused');
  });

  it('stays the same without changes', async () => {
    const { world, store } = setUp();
    await store.reload();
    const before = store.current;
    await store.reload();
    assert.equal(store.current, before);
    assert.equal(world.made.length, 1);
  });

  for (const [what, target] of [
    ['key', { connection, sessionKey: 'k2' }],
    ['address', { connection: { ...connection, baseUrl: `${connection.baseUrl}/x` }, sessionKey: 'k1' }],
    ['network options', { connection: { ...connection, network: { proxy: 'http://p' } }, sessionKey: 'k1' }],
  ] as const) {
    it(`starts over when the ${what} changes`, async () => {
      const { world, store } = setUp();
      await store.reload();
      world.target = target;
      await store.reload();
      assert.equal(world.made.length, 2);
      assert.equal(store.current.kind, 'connecting');
    });
  }

  it('ignores answers to the previous session', async () => {
    let answer: (settings: { llm_api_key_set: boolean }) => void = () => undefined;
    const { world, store } = setUp(() => new Promise((resolve) => (answer = resolve)));
    await store.reload();
    const verified = store.verify();
    const answerPrevious = answer;
    world.target = { connection, sessionKey: 'k2' };
    await store.reload();
    answerPrevious({ llm_api_key_set: false });
    await verified;
    assert.equal(store.current.kind, 'connecting');
  });

  it('shares one request among simultaneous checks', async () => {
    let asked = 0;
    const { store } = setUp(() => {
      asked += 1;
      return Promise.resolve({ llm_api_key_set: false });
    });
    await store.reload();
    await Promise.all([store.verify(), store.verify()]);
    assert.equal(asked, 1);
  });

  it('becomes empty once when the connection is removed', async () => {
    const { world, store } = setUp();
    await store.reload();
    world.target = undefined;
    await store.reload();
    await store.reload();
    assert.deepEqual(world.seen, ['connecting', 'none']);
    assert.equal(store.current.kind, 'none');
    await store.verify();
  });

  it('notes a user who never saved settings', async () => {
    const never = Object.assign(anError('notFound', 404), { serverText: 'Settings not found' });
    const { store } = setUp(() => Promise.reject(never));
    await store.reload();
    await store.verify();
    assert.equal('neverSaved' in store.current, true);
    const saved = setUp();
    await saved.store.reload();
    await saved.store.verify();
    assert.equal('neverSaved' in saved.store.current, false);
  });

  it('becomes refused after a 403, and says why', async () => {
    const { store } = setUp(() => Promise.reject(anError('forbidden', 403)));
    await store.reload();
    assert.equal(reasonOf(store.current), undefined);
    await store.verify();
    assert.equal(store.current.kind, 'refused');
    assert.equal(reasonOf(store.current), 'forbidden');
  });

  it('takes no error of another client, and none that it caused', async () => {
    const { world, store } = setUp();
    const kind = () => store.current.kind;
    await store.reload();
    await store.verify();
    const client = clientOf(store.current)!;
    store.report(client, anError('canceled'));
    store.report(client, anError('keyRevoked'));
    store.report(aClient(), anError('unreachable'));
    assert.equal(kind(), 'ready');
    store.report(client, anError('unreachable'));
    assert.equal(kind(), 'unreachable');
    world.target = undefined;
    await store.reload();
    store.report(client, anError('unreachable'));
    assert.equal(kind(), 'none');
  });

  it('stays as it is when a ready connection is checked again', async () => {
    const { world, store } = setUp();
    await store.reload();
    await store.verify();
    const before = store.current;
    await store.verify();
    assert.equal(store.current, before);
    assert.deepEqual(world.seen, ['connecting', 'ready']);
  });

  it('stays the same without a key', async () => {
    const { world, store } = setUp();
    world.target = { connection, sessionKey: undefined };
    await store.reload();
    await store.reload();
    assert.deepEqual(world.seen, ['noKey']);
  });

  it('shares the check of its service when one of the previous service ends', async () => {
    const asked: (() => void)[] = [];
    const { world, store } = setUp(
      () => new Promise((resolve) => asked.push(() => resolve({ llm_api_key_set: false }))),
    );
    await store.reload();
    const previous = store.verify();
    world.target = { connection, sessionKey: 'k2' };
    await store.reload();
    const current = store.verify();
    asked[0]?.();
    await previous;
    assert.equal(store.verify(), current);
    assert.equal(asked.length, 2);
  });

  it('continues a check if another request fails in the meantime', async () => {
    let checked: AbortSignal | undefined;
    const { store } = setUp((signal) => {
      checked = signal;
      return new Promise(() => undefined);
    });
    await store.reload();
    void store.verify();
    store.report(clientOf(store.current)!, anError('unreachable'));
    assert.deepEqual([store.current.kind, checked?.aborted], ['unreachable', false]);
  });

  it('cancels its check when it ends or connects to another service', async () => {
    const signals: (AbortSignal | undefined)[] = [];
    const { world, store } = setUp((signal) => {
      signals.push(signal);
      return new Promise(() => undefined);
    });
    await store.reload();
    void store.verify();
    world.target = { connection, sessionKey: 'k2' };
    await store.reload();
    void store.verify();
    assert.deepEqual(
      signals.map((signal) => signal?.aborted),
      [true, false],
    );
    store.dispose();
    assert.equal(signals[1]?.aborted, true);
  });
});
