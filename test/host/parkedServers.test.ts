import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ParkedServers } from '../../src/editor/parkedServers';
import type { ParkableServer } from '../../src/shared/parked';

const baseUrl = 'https://service.example.com/prefix';
const wire = { url: 'https://mcp.example.com/', api_key: 'canary-key', headers: { a: 'canary-header' } };
const server: ParkableServer = {
  kind: 'shttp',
  url: 'https://mcp.example.com/',
  timeout: 30,
  name: '',
  command: '',
  args: [],
  hasApiKey: true,
  env: [],
  otherMembers: ['headers'],
};
const plain: ParkableServer = { ...server, hasApiKey: false, otherMembers: [] };

type Trouble = 'throws' | 'hangs' | 'forgets';

/** Storage shared by two windows; can fail in every way. */
class Storages {
  readonly state = new Map<string, string>();
  readonly values = new Map<string, string>();
  secretTrouble: Trouble | undefined;
  stateTrouble: Trouble | undefined;
  private readonly changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();

  readonly memento = {
    get: (key: string): unknown => {
      const text = this.state.get(key);
      return text === undefined ? undefined : JSON.parse(text);
    },
    keys: () => [...this.state.keys()],
    update: (key: string, value: unknown) =>
      this.attempt(this.stateTrouble, () => {
        if (value === undefined) this.state.delete(key);
        else this.state.set(key, JSON.stringify(value));
      }),
  } as Pick<vscode.Memento, 'get' | 'keys' | 'update'>;

  readonly secrets = {
    onDidChange: this.changed.event,
    get: (key) => this.attempt(this.secretTrouble, () => this.values.get(key)),
    keys: () => Promise.resolve([...this.values.keys()]),
    store: (key, value) => this.change(key, () => this.values.set(key, value)),
    delete: (key) => this.change(key, () => this.values.delete(key)),
  } as vscode.SecretStorage;

  private async change(key: string, work: () => unknown): Promise<void> {
    await this.attempt(this.secretTrouble, work);
    this.changed.fire({ key });
  }

  private attempt<T>(trouble: Trouble | undefined, work: () => T): Promise<T> {
    if (trouble === 'throws') return Promise.reject(new Error('no keyring for canary-key'));
    if (trouble === 'hangs') return new Promise(() => undefined);
    return Promise.resolve(trouble === 'forgets' ? (undefined as T) : work());
  }
}

describe('parked MCP servers', () => {
  const warnings: string[] = [];
  const opened: ParkedServers[] = [];

  function open(storages: Storages): ParkedServers {
    const servers = new ParkedServers(
      storages.memento,
      storages.secrets,
      { warn: (text: string) => void warnings.push(text) },
      50,
    );
    opened.push(servers);
    return servers;
  }

  afterEach(() => {
    for (const servers of opened.splice(0)) servers.dispose();
    assert.doesNotMatch(JSON.stringify(warnings.splice(0)), /canary/);
  });

  it('are stored per service, with secrets only in secret storage, across windows', async () => {
    const storages = new Storages();
    const parked = await open(storages).park(baseUrl, server, wire);
    assert.doesNotMatch(JSON.stringify([...storages.state]), /canary/);
    const later = open(storages);
    assert.deepEqual(later.list(baseUrl), [parked]);
    assert.deepEqual(later.list('https://service.example.com'), []);
    assert.deepEqual(later.list(`${baseUrl}/more`), []);
    assert.deepEqual(await later.take(baseUrl, parked.id), { server: parked, wire });
    assert.deepEqual(later.list(baseUrl), [parked]);
    assert.equal(await later.take('https://service.example.com', parked.id), undefined);
  });

  it('are deleted with their secrets when removed', async () => {
    const storages = new Storages();
    const servers = open(storages);
    const [one, other] = [
      await servers.park(baseUrl, server, wire),
      await servers.park(baseUrl, plain, { url: plain.url }),
    ];
    assert.equal(await servers.remove(baseUrl, one.id), true);
    assert.deepEqual(servers.list(baseUrl), [other]);
    assert.equal(storages.values.size, 0);
    assert.equal(await servers.take(baseUrl, one.id), undefined);
  });

  it('are deleted with their secrets when their connection is removed, including unreadable entries', async () => {
    const storages = new Storages();
    const servers = open(storages);
    const broken = await servers.park(baseUrl, server, wire);
    const key = [...storages.state.keys()].find((name) => name.endsWith(broken.id)) ?? '';
    storages.state.set(key, '{}');
    await servers.park(baseUrl, server, wire);
    const kept = await servers.park(`${baseUrl}/more`, server, wire);
    assert.equal(await servers.removeAll(baseUrl), true);
    assert.deepEqual([storages.state.size, storages.values.size], [1, 1]);
    assert.deepEqual(await servers.take(`${baseUrl}/more`, kept.id), { server: kept, wire });
  });

  it('report secrets that may still be stored after a removal, and stay until those are deleted', async () => {
    const storages = new Storages();
    const servers = open(storages);
    const parked = await servers.park(baseUrl, server, wire);
    storages.secretTrouble = 'throws';
    assert.equal(await servers.removeAll(baseUrl), false);
    assert.deepEqual(servers.list(baseUrl), [parked]);
    storages.secretTrouble = undefined;
    assert.equal(await servers.removeAll(baseUrl), true);
    assert.equal(storages.state.size + storages.values.size, 0);
  });

  it('report that a deleted server’s secrets may still be stored', async () => {
    const storages = new Storages();
    const servers = open(storages);
    const { id } = await servers.park(baseUrl, server, wire);
    const { id: withoutSecrets } = await servers.park(baseUrl, plain, { url: plain.url });
    storages.secretTrouble = 'throws';
    assert.equal(await servers.remove(baseUrl, id), false);
    assert.equal(await servers.remove(baseUrl, withoutSecrets), true);
    assert.deepEqual(servers.list(baseUrl), []);
  });

  it('update in other windows', async () => {
    const storages = new Storages();
    const [here, there] = [open(storages), open(storages)];
    let heard = 0;
    here.onDidChange(() => (heard += 1));
    const { id } = await there.park(baseUrl, server, wire);
    assert.ok(heard > 0);
    assert.equal(here.list(baseUrl).length, 1);
    heard = 0;
    await there.remove(baseUrl, id);
    assert.ok(heard > 0);
    assert.deepEqual(here.list(baseUrl), []);
  });

  for (const trouble of ['throws', 'hangs', 'forgets'] as const) {
    it(`are not parked when the secret storage ${trouble}`, async () => {
      const storages = new Storages();
      storages.secretTrouble = trouble;
      await assert.rejects(open(storages).park(baseUrl, server, wire), (error: Error) => {
        assert.match(error.message, /secret storage isn’t working, so the server wasn’t parked/);
        return true;
      });
      assert.equal(storages.state.size + storages.values.size, 0);
    });

    it(`are parked without secrets even when the secret storage ${trouble}`, async () => {
      const storages = new Storages();
      storages.secretTrouble = trouble;
      const servers = open(storages);
      const parked = await servers.park(baseUrl, plain, { url: plain.url });
      assert.deepEqual(await servers.take(baseUrl, parked.id), { server: parked, wire: undefined });
      await servers.remove(baseUrl, parked.id);
      assert.deepEqual(servers.list(baseUrl), []);
    });
  }

  for (const trouble of ['throws', 'forgets'] as const)
    it(`leave nothing behind when the state ${trouble}`, async () => {
      const storages = new Storages();
      storages.stateTrouble = trouble;
      await assert.rejects(open(storages).park(baseUrl, server, wire));
      assert.equal(storages.state.size + storages.values.size, 0);
    });

  for (const trouble of ['throws', 'hangs'] as const)
    it(`stay parked when the secret storage ${trouble} while restoring`, async () => {
      const storages = new Storages();
      const servers = open(storages);
      const parked = await servers.park(baseUrl, server, wire);
      storages.secretTrouble = trouble;
      await assert.rejects(servers.take(baseUrl, parked.id), /stays parked/);
      storages.secretTrouble = undefined;
      assert.deepEqual(await servers.take(baseUrl, parked.id), { server: parked, wire });
    });

  it('are restored without missing or damaged secrets', async () => {
    const storages = new Storages();
    const servers = open(storages);
    const parked = await servers.park(baseUrl, server, wire);
    for (const key of storages.values.keys()) storages.values.set(key, '{"wi');
    assert.deepEqual(await servers.take(baseUrl, parked.id), { server: parked, wire: undefined });
    storages.values.clear();
    assert.deepEqual(await servers.take(baseUrl, parked.id), { server: parked, wire: undefined });
  });

  it('are unaffected by an invalid entry, which stays unchanged', async () => {
    const storages = new Storages();
    const servers = open(storages);
    const broken = await servers.park(baseUrl, server, wire);
    const parked = await servers.park(baseUrl, plain, { url: plain.url });
    const key = [...storages.state.keys()].find((name) => name.endsWith(broken.id)) ?? '';
    const text = JSON.stringify({ ...broken, kind: 'carrier-pigeon' });
    storages.state.set(key, text);
    assert.deepEqual(servers.list(baseUrl), [parked]);
    assert.equal(await servers.take(baseUrl, broken.id), undefined);
    await servers.park(baseUrl, server, wire);
    await servers.remove(baseUrl, parked.id);
    assert.equal(storages.state.get(key), text);
    assert.ok([...storages.values.keys()].some((name) => name.endsWith(broken.id)));
    assert.ok(warnings.length > 0);
  });

  it('keep their secrets when the state cannot be written during removal', async () => {
    const storages = new Storages();
    const servers = open(storages);
    const parked = await servers.park(baseUrl, server, wire);
    storages.stateTrouble = 'throws';
    await assert.rejects(servers.remove(baseUrl, parked.id));
    assert.deepEqual(await servers.take(baseUrl, parked.id), { server: parked, wire });
  });
});
