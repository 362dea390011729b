import assert from 'node:assert/strict';
import { ApiError } from '../../../../src/api/http/errors';
import { createLimiter } from '../../../../src/api/http/limiter';
import type { Connection } from '../../../../src/shared/connection';
import { Clients } from '../../../../src/core/session/clients';
import { SessionStore, clientOf } from '../../../../src/core/session/session';
import { NotFollowed, StartTasks } from '../../../../src/features/start/model/startTasks';
import { hastyClock } from '../../api/support/client';
import { closeServers, json, serve } from '../../api/support/servers';
import { aClient, flatClient } from '../../../support/builders/client';

const connectionTo = (origin: string): Connection => ({ name: 'Team', baseUrl: origin, origin });

/** A window's clients, with the keys the service received. */
async function setUp(answer: (path: string, key: string) => unknown) {
  const keys: string[] = [];
  const server = await serve((request, response) => {
    const key = String(request.headers['x-session-api-key']);
    keys.push(key);
    const body = answer(request.url ?? '', key);
    if (body !== undefined) json(response, body);
  });
  const clock = hastyClock();
  const clients = new Clients(({ baseUrl }, sessionKey, ended) =>
    flatClient({ baseUrl, sessionKey, ended, clock, limiter: createLimiter(clock) }),
  );
  return { server, keys, clients, connection: connectionTo(server.origin) };
}

const isRevoked = (error: unknown) => error instanceof ApiError && error.reason === 'keyRevoked';

describe('clients of a window', () => {
  afterEach(closeServers);

  it('ends only the clients of the replaced key and origin', () => {
    const ended: string[] = [];
    const clients = new Clients(({ origin }, key, signal) => {
      signal.addEventListener('abort', () => ended.push(`${origin} ${key}`));
      return aClient({ ended: signal });
    });
    const [one, two] = [connectionTo('https://one.example'), connectionTo('https://two.example')];
    clients.create(one, 'k1');
    clients.create(one, 'k2');
    clients.create(two, 'k1');
    clients.keyChanged(one.origin, 'k2');
    clients.keyChanged('https://unknown.example', undefined);
    assert.deepEqual(ended, ['https://one.example k1']);
    clients.keyChanged(one.origin, undefined);
    assert.deepEqual(ended.slice(1), ['https://one.example k2']);
    assert.equal(clients.create(one, 'k1').ended?.aborted, false, 'a key entered again gets a new client');
  });

  it('never sends the old key after the key changes', async () => {
    const { server, keys, clients, connection } = await setUp((_path, key) =>
      key === 'old' ? undefined : { items: [] },
    );
    const old = clients.create(connection, 'old');
    const work = Array.from({ length: 8 }, () => old.sandboxes!.searchSandboxes());
    const all = Promise.allSettled(work);
    await server.received(4);
    clients.keyChanged(connection.origin, 'new');
    for (const result of await all) assert.ok(result.status === 'rejected' && isRevoked(result.reason));
    await clients.create(connection, 'new').sandboxes!.searchSandboxes();
    await assert.rejects(old.sandboxes!.searchSandboxes(), isRevoked);
    assert.deepEqual(keys, ['old', 'old', 'old', 'old', 'new']);
  });

  it('follows a started task with the new key', async () => {
    const task = (status: string) => [{ id: 't-1', status, app_conversation_id: 'c-9' }];
    const { server, keys, clients, connection } = await setUp((path, key) => {
      if (path === '/api/v1/app-conversations') return { id: 't-1', status: 'WORKING', request: {} };
      return key === 'old' ? undefined : task('READY');
    });
    const starts = new StartTasks({
      read: () => undefined,
      write: () => undefined,
      newId: () => 's-1',
      now: () => 0,
      wait: () => Promise.resolve(),
      describe: String,
    });
    const { ended } = starts.begin({
      client: clients.create(connection, 'old'),
      choice: { place: { kind: 'default' } },
      label: 'A',
      message: 'A',
    });
    await server.received(2);
    clients.keyChanged(connection.origin, undefined);
    await assert.rejects(ended, NotFollowed);
    assert.equal(starts.get('s-1')?.failure, undefined);
    assert.equal(keys.length, 2);
    assert.equal(await starts.resume(clients.create(connection, 'new')), true);
    assert.deepEqual(starts.of(connection.baseUrl), []);
    assert.deepEqual(keys.slice(2), ['new']);
  });

  it('creates no conversation if the key changes during sandbox startup', async () => {
    const { keys, clients, connection } = await setUp((path) =>
      path.startsWith('/api/v1/sandboxes/search') ? { items: [{ id: 'sb', status: 'STARTING' }] } : undefined,
    );
    let goOn: (() => void) | undefined;
    let waits: (() => void) | undefined;
    const waiting = new Promise<void>((resolve) => (waits = resolve));
    const starts = new StartTasks({
      read: () => undefined,
      write: () => undefined,
      newId: () => 's-1',
      now: () => 0,
      wait: () => {
        waits?.();
        return new Promise<void>((resolve) => (goOn = resolve));
      },
      describe: (error) => (error as ApiError).reason,
    });
    const { ended } = starts.begin({
      client: clients.create(connection, 'old'),
      choice: { place: { kind: 'existing', sandboxId: 'sb' } },
      label: 'A',
      message: 'A',
    });
    await waiting;
    clients.keyChanged(connection.origin, undefined);
    goOn?.();
    await assert.rejects(ended, isRevoked);
    const { failure, unknown } = starts.get('s-1')!;
    assert.deepEqual([failure, unknown, keys.length], ['keyRevoked', false, 2]);
  });

  it('ends the clients of a connection that is removed or gets another address', async () => {
    const { keys, clients, connection } = await setUp(() => ({ items: [] }));
    const here = clients.create(connection, 'old');
    const elsewhere = clients.create(connectionTo('https://two.example'), 'other');
    const third = connectionTo('https://three.example');
    clients.connectionsChanged([third, { ...connection, baseUrl: `${connection.origin}/moved` }]);
    assert.equal(elsewhere.ended?.aborted, true);
    await here.sandboxes!.searchSandboxes();
    clients.connectionsChanged([third]);
    await assert.rejects(here.sandboxes!.searchSandboxes(), isRevoked);
    assert.deepEqual(keys, ['old']);
  });

  it('creates a new client when a cleared key is entered again', async () => {
    const { clients, connection } = await setUp(() => ({ llm_api_key_set: false }));
    const store = new SessionStore({
      readTarget: () => Promise.resolve({ connection, sessionKey: 'k1' }),
      createClient: clients.create,
    });
    await store.reload();
    const first = clientOf(store.current)!;
    const verifying = store.verify();
    clients.keyChanged(connection.origin, undefined);
    await verifying;
    assert.equal(store.current.kind, 'connecting', 'the ended client is not an error of the service');
    await store.reload();
    assert.notEqual(clientOf(store.current), first);
    await store.verify();
    assert.equal(store.current.kind, 'ready');
  });
});
