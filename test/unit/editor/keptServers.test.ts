import assert from 'node:assert/strict';
import type { SecretStorage } from 'vscode';
import { keptServersSecret } from '../../../src/ids';
import { KeptServers } from '../../../src/editor/keptServers';

const baseUrl = 'https://agents.example.com/team';
const config = { shttp_servers: [{ url: 'https://one.example.com/mcp', api_key: 'canary-key' }] };

/** A secret storage in memory, with other answers to some calls. */
function setUp(other: Partial<Pick<SecretStorage, 'get' | 'store' | 'delete'>> = {}) {
  const stored = new Map<string, string>();
  const warnings: string[] = [];
  const secrets = {
    get: (key: string) => Promise.resolve(stored.get(key)),
    store: (key: string, value: string) => Promise.resolve(void stored.set(key, value)),
    delete: (key: string) => Promise.resolve(void stored.delete(key)),
    ...other,
  };
  const log = { warn: (text: string) => void warnings.push(text) };
  return { kept: new KeptServers(secrets, log, 20), stored, warnings };
}

describe('MCP servers kept on this computer', () => {
  it('are stored for each base URL, and deleted', async () => {
    const { kept, stored } = setUp();
    assert.equal(await kept.read(baseUrl), undefined);
    assert.equal(await kept.write(baseUrl, config), true);
    assert.deepEqual(await kept.read(baseUrl), config);
    assert.equal(await kept.read('https://agents.example.com/other'), undefined);
    assert.deepEqual([...stored.keys()], [keptServersSecret(baseUrl)]);
    assert.equal(await kept.remove(baseUrl), true);
    assert.equal(stored.size, 0);
  });

  it('aren’t stored by a storage that forgets, fails or hangs', async () => {
    for (const store of [
      () => Promise.resolve(),
      () => Promise.reject(new Error('canary-key')),
      () => new Promise<void>(() => undefined),
    ]) {
      const { kept, warnings } = setUp({ store });
      assert.equal(await kept.write(baseUrl, config), false);
      assert.ok(!warnings.join().includes('canary'), warnings.join());
    }
  });

  it('are none if they’re damaged, but not while the storage fails or hangs', async () => {
    for (const [get, answer] of [
      [() => Promise.resolve('{"broken'), undefined],
      [() => Promise.reject(new Error('locked')), null],
      [() => new Promise<string>(() => undefined), null],
    ] as const) {
      const { kept, warnings } = setUp({ get });
      assert.equal(await kept.read(baseUrl), answer);
      assert.equal(warnings.length, 1);
    }
  });

  it('may still be there after a deletion that failed', async () => {
    const { kept } = setUp({ delete: () => Promise.reject(new Error('locked')) });
    assert.equal(await kept.remove(baseUrl), false);
  });
});
