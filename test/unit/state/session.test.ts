import assert from 'node:assert/strict';
import type { ApiClient } from '../../../src/api/client';
import type { Connection } from '../../../src/shared/connection';
import { SessionStore, type SessionTarget } from '../../../src/state/session';
import { aClient, anError } from '../../support/builders/client';

const connection: Connection = {
  name: 'Team',
  baseUrl: 'https://agents.example.com',
  origin: 'https://agents.example.com',
};

function setUp(getSettings: ApiClient['getSettings'] = () => Promise.resolve({ llm_api_key_set: false })) {
  const world: { target: SessionTarget | undefined; made: string[]; seen: string[] } = {
    target: { connection, sessionKey: 'k1' },
    made: [],
    seen: [],
  };
  const store = new SessionStore({
    readTarget: () => Promise.resolve(world.target),
    createClient: (to, key) => {
      world.made.push(`${to.baseUrl} ${key}`);
      return aClient({ getSettings });
    },
  });
  store.onDidChange(({ kind }) => world.seen.push(kind));
  return { world, store };
}

describe('session', () => {
  it('begins with none, asks for a key, connects, and is ready once the service agrees', async () => {
    const { world, store } = setUp();
    assert.equal(store.current.kind, 'none');
    world.target = { connection, sessionKey: undefined };
    await store.reload();
    world.target = { connection, sessionKey: 'k1' };
    await store.reload();
    await store.verify();
    assert.deepEqual(world.seen, ['noKey', 'connecting', 'ready']);
  });

  it('is ready for a user who never saved settings', async () => {
    const never = anError('notFound', 404);
    Object.assign(never, { serverText: 'Settings not found' });
    const { store } = setUp(() => Promise.reject(never));
    await store.reload();
    await store.verify();
    assert.equal(store.current.kind, 'ready');
  });

  it('is refused after a 401, keeps its client, and recovers by asking again', async () => {
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

  it('is unreachable with the reason when the service cannot be asked', async () => {
    const { store } = setUp(() => Promise.reject(anError('refused')));
    await store.reload();
    await store.verify();
    assert.ok(store.current.kind === 'unreachable' && store.current.error.reason === 'refused');
  });

  it('stays the same when nothing changed', async () => {
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
    it(`is a new one when the ${what} changed`, async () => {
      const { world, store } = setUp();
      await store.reload();
      world.target = target;
      await store.reload();
      assert.equal(world.made.length, 2);
      assert.equal(store.current.kind, 'connecting');
    });
  }

  it('drops the answer to a former session', async () => {
    let answer: (settings: { llm_api_key_set: boolean }) => void = () => undefined;
    const { world, store } = setUp(() => new Promise((resolve) => (answer = resolve)));
    await store.reload();
    const verified = store.verify();
    const answerFormer = answer;
    world.target = { connection, sessionKey: 'k2' };
    await store.reload();
    answerFormer({ llm_api_key_set: false });
    await verified;
    assert.equal(store.current.kind, 'connecting');
  });

  it('asks once for several who want to know', async () => {
    let asked = 0;
    const { store } = setUp(() => {
      asked += 1;
      return Promise.resolve({ llm_api_key_set: false });
    });
    await store.reload();
    await Promise.all([store.verify(), store.verify()]);
    assert.equal(asked, 1);
  });
});
