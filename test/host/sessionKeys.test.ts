import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { SessionKeys } from '../../src/platform/sessionKeys';

/** A secret storage that two windows share, as the editor's does. */
class SharedSecrets {
  readonly values = new Map<string, string>();
  private readonly changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  broken = false;

  readonly storage: vscode.SecretStorage = {
    onDidChange: this.changed.event,
    get: (key) => this.attempt(() => this.values.get(key)),
    keys: () => this.attempt(() => [...this.values.keys()]),
    store: (key, value) => this.change(key, () => this.values.set(key, value)),
    delete: (key) => this.change(key, () => this.values.delete(key)),
  };

  private async change(key: string, work: () => unknown): Promise<void> {
    await this.attempt(work);
    this.changed.fire({ key });
  }

  private attempt<T>(work: () => T): Promise<T> {
    return this.broken ? Promise.reject(new Error('no keyring')) : Promise.resolve(work());
  }
}

const log = vscode.window.createOutputChannel('session keys under test', { log: true });
const origin = 'https://one.example.com';

describe('session keys', () => {
  after(() => log.dispose());

  it('are kept one per origin', async () => {
    const keys = new SessionKeys(new SharedSecrets().storage, log);
    await keys.set(origin, 'k1');
    await keys.set('https://two.example.com', 'k2');
    assert.equal(await keys.get(origin), 'k1');
    assert.equal(await keys.get('https://two.example.com'), 'k2');
    assert.equal(await keys.get('http://one.example.com'), undefined);
    keys.dispose();
  });

  it('follow another window', async () => {
    const secrets = new SharedSecrets();
    const [here, there] = [new SessionKeys(secrets.storage, log), new SessionKeys(secrets.storage, log)];
    let heard = 0;
    here.onDidChange(() => (heard += 1));
    await there.set(origin, 'k1');
    assert.equal(await here.get(origin), 'k1');
    await there.clear(origin);
    assert.equal(await here.get(origin), undefined);
    assert.equal(heard, 2);
    here.dispose();
    there.dispose();
  });

  it('last for the window when the secret storage is broken, and are given back once it works', async () => {
    const secrets = new SharedSecrets();
    const keys = new SessionKeys(secrets.storage, log);
    secrets.broken = true;
    await keys.set(origin, 'k1');
    assert.equal(await keys.get(origin), 'k1');
    assert.equal(await keys.get('https://two.example.com'), undefined);
    secrets.broken = false;
    await keys.set(origin, 'k2');
    assert.equal(secrets.values.size, 1);
    assert.equal(await keys.get(origin), 'k2');
    keys.dispose();
  });
});
