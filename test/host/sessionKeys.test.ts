import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import type { SessionStore } from '../../src/core/session/session';
import { SessionKeys } from '../../src/editor/sessionKeys';
import { clearKey } from '../../src/features/connection/commands/clearKey';
import { stateIds } from '../../src/ids';
import { answering, declining } from './answering';

type Trouble = 'throws' | 'throws at once' | 'hangs' | 'forgets' | 'locked';

/** Secret storage and state shared by two windows; both can fail. */
class Shared {
  readonly values = new Map<string, string>();
  private readonly state = new Map<string, unknown>();
  private readonly changed = new vscode.EventEmitter<vscode.SecretStorageChangeEvent>();
  trouble: Trouble | undefined;
  stateHangs = false;
  /** Answers the calls made while the storage was locked, with the values from then. */
  unlock: () => void = () => undefined;
  private readonly unlocked = new Promise<void>((resolve) => (this.unlock = resolve));

  readonly storage: vscode.SecretStorage = {
    onDidChange: this.changed.event,
    get: (key) => this.attempt(() => this.values.get(key)),
    keys: () => this.attempt(() => [...this.values.keys()]),
    store: (key, value) => this.change(key, () => this.values.set(key, value)),
    delete: (key) => this.change(key, () => this.values.delete(key)),
  };

  readonly memento = {
    get: (key: string) => this.state.get(key),
    update: (key: string, value: unknown) => {
      this.state.set(key, value);
      return this.stateHangs ? new Promise<void>(() => undefined) : Promise.resolve();
    },
  } as Pick<vscode.Memento, 'get' | 'update'>;

  /** Like the editor’s storage, fires no event if the value stays the same. */
  private async change(key: string, work: () => unknown): Promise<void> {
    const before = this.values.get(key);
    await this.attempt(work);
    if (this.trouble !== undefined || this.values.get(key) !== before) this.changed.fire({ key });
  }

  private attempt<T>(work: () => T): Promise<T> {
    switch (this.trouble) {
      case 'throws at once':
        throw new Error('no keyring for canary');
      case 'throws':
        return Promise.reject(new Error('no keyring for canary'));
      case 'hangs':
        return new Promise(() => undefined);
      case 'locked': {
        const value = work();
        return this.unlocked.then(() => value);
      }
      case 'forgets':
        return Promise.resolve(undefined as T);
      case undefined:
        return Promise.resolve(work());
    }
  }
}

const origin = 'https://one.example.com';
const turns = async () => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
};

describe('session keys', () => {
  const lines: string[] = [];
  const log = { warn: (line: string) => void lines.push(line) } as unknown as vscode.LogOutputChannel;
  const warnings: string[] = [];
  const { showWarningMessage } = vscode.window;
  const made: SessionKeys[] = [];
  const open = (shared: Shared) => {
    // Only a hanging storage reaches this short timeout.
    const keys = new SessionKeys(shared.storage, shared.memento, log, 50);
    made.push(keys);
    return keys;
  };

  before(() => {
    const note = (message: string) => {
      warnings.push(message);
      return Promise.resolve(undefined);
    };
    Object.assign(vscode.window, { showWarningMessage: note });
  });
  afterEach(() => {
    for (const keys of made.splice(0)) keys.dispose();
    assert.ok(![...lines.splice(0), ...warnings.splice(0)].join().includes('canary'));
  });
  after(() => Object.assign(vscode.window, { showWarningMessage }));

  it('are stored per origin', async () => {
    const keys = open(new Shared());
    await keys.set(origin, 'k1');
    await keys.set('https://two.example.com', 'k2');
    assert.equal(await keys.get(origin), 'k1');
    assert.equal(await keys.get('https://two.example.com'), 'k2');
    assert.equal(await keys.get('http://one.example.com'), undefined);
    assert.deepEqual(warnings, []);
  });

  it('update in other windows', async () => {
    const shared = new Shared();
    const [here, there] = [open(shared), open(shared)];
    await here.set(origin, 'k0');
    await turns();
    let heard = 0;
    here.onDidChange(() => (heard += 1));
    await there.set(origin, 'k1');
    await turns();
    assert.equal(await here.get(origin), 'k1');
    await there.clear(origin);
    await turns();
    assert.equal(await here.get(origin), undefined);
    assert.ok(heard >= 2);
    assert.deepEqual(warnings, [], 'a key that was cleared is not one that was forgotten');
  });

  for (const trouble of ['throws', 'throws at once', 'hangs', 'forgets'] as const) {
    it(`last for the window with a single warning when the secret storage ${trouble}`, async () => {
      const shared = new Shared();
      shared.trouble = trouble;
      const keys = open(shared);
      await keys.set(origin, 'canary-1');
      await turns();
      assert.equal(await keys.get(origin), 'canary-1');
      await keys.set(origin, 'canary-2');
      await turns();
      assert.equal(await keys.get(origin), 'canary-2');
      assert.equal(warnings.length, 1);
      assert.match(
        warnings[0]!,
        /lasts only until this window closes.*Check your system’s keyring.*set the key again/,
      );
      shared.trouble = undefined;
      await keys.set(origin, 'k3');
      assert.deepEqual([...shared.values.values()], ['k3']);
    });

    it(`are missing with a single warning when the secret storage ${trouble} on read`, async () => {
      const shared = new Shared();
      await open(shared).set(origin, 'k1');
      shared.trouble = trouble;
      const keys = open(shared);
      assert.equal(await keys.get(origin), undefined);
      assert.equal(await keys.get(origin), undefined);
      assert.equal(warnings.length, 1);
      assert.match(warnings[0]!, trouble === 'forgets' ? /lost the session key for https:/ : /can’t be read/);
    });
  }

  it('are used as soon as a keyring is unlocked, however late', async () => {
    const shared = new Shared();
    await open(shared).set(origin, 'k1');
    shared.trouble = 'locked';
    const keys = open(shared);
    const heard: (string | undefined)[] = [];
    keys.onDidChange(({ sessionKey }) => heard.push(sessionKey));
    assert.equal(await keys.get(origin), undefined);
    assert.equal(await keys.get(origin), undefined);
    shared.unlock();
    await turns();
    assert.deepEqual(heard, ['k1']);
    assert.equal(await keys.get(origin), 'k1');
  });

  it('aren’t used late if they were set, cleared, or changed by another window first', async () => {
    const changes: [(here: SessionKeys, there: SessionKeys) => Promise<void>, string | undefined][] = [
      [(here) => here.set(origin, 'k2'), 'k2'],
      [(here) => here.clear(origin), undefined],
      [(_here, there) => there.set(origin, 'k2'), 'k2'],
      [(_here, there) => there.clear(origin), undefined],
    ];
    for (const [change, expected] of changes) {
      const shared = new Shared();
      await open(shared).set(origin, 'k1');
      const [here, there] = [open(shared), open(shared)];
      shared.trouble = 'locked';
      assert.equal(await here.get(origin), undefined);
      shared.trouble = undefined;
      await change(here, there);
      await turns();
      shared.unlock();
      await turns();
      assert.equal(await here.get(origin), expected);
    }
  });

  it('are reported once if missing after a restart, unless none was stored', async () => {
    const shared = new Shared();
    await open(shared).set(origin, 'k1');
    shared.values.clear();
    assert.equal(await open(shared).get('https://never.example.com'), undefined);
    assert.deepEqual(warnings, []);
    assert.equal(await open(shared).get(origin), undefined);
    assert.equal(await open(shared).get(origin), undefined);
    assert.equal(warnings.length, 1);
  });

  it('become unavailable immediately when cleared or replaced', async () => {
    const shared = new Shared();
    const keys = open(shared);
    await keys.set(origin, 'k1');
    await turns();
    const heard: (string | undefined)[] = [];
    keys.onDidChange(({ sessionKey }) => heard.push(sessionKey));
    assert.equal(await open(shared).get(origin), 'k1');
    shared.trouble = 'hangs';
    const clearing = assert.rejects(keys.clear(origin), /may still be stored/);
    assert.deepEqual(heard, [undefined]);
    assert.equal(await keys.get(origin), undefined);
    await clearing;
    shared.trouble = undefined;
    assert.equal(await keys.get(origin), undefined, 'though the storage still has it');
    void keys.set(origin, 'k2');
    assert.deepEqual(heard, [undefined, 'k2']);
  });

  it('are cleared by the command for the current connection, once the user agrees', async () => {
    const keys = open(new Shared());
    await keys.set(origin, 'k1');
    const clear = async (current: object, ...answers: Parameters<typeof answering>[0]) => {
      let reloads = 0;
      const reload = () => Promise.resolve(void (reloads += 1));
      const { said, restore } = answering(answers);
      try {
        await clearKey({ session: { current, reload } as unknown as SessionStore, keys })();
      } finally {
        restore();
      }
      return [said, reloads, await keys.get(origin)];
    };
    const connected = { connection: { name: 'Team', baseUrl: origin, origin } };
    const question = 'Clear the session key for Team?';
    assert.deepEqual(await clear({ kind: 'none' }), [[], 0, 'k1']);
    assert.deepEqual(await clear(connected, declining), [[question], 0, 'k1']);
    assert.deepEqual(await clear(connected, 'Clear Key'), [[question], 1, undefined]);
  });

  it('are withheld from pending reads when cleared', async () => {
    const shared = new Shared();
    await open(shared).set(origin, 'k1');
    const keys = open(shared);
    const asking = keys.get(origin);
    const clearing = keys.clear(origin);
    assert.equal(await asking, undefined);
    await clearing;
  });

  it('aren’t used once another window changes them, even if the new key can’t be read', async () => {
    const shared = new Shared();
    const [here, there] = [open(shared), open(shared)];
    await here.set(origin, 'k1');
    await turns();
    const heard: (string | undefined)[] = [];
    const ended = new Promise<void>((resolve) =>
      here.onDidChange(({ sessionKey }) => {
        heard.push(sessionKey);
        resolve();
      }),
    );
    await there.set(origin, 'k2');
    shared.trouble = 'hangs';
    await ended;
    assert.ok(heard.length > 0);
    assert.ok(!heard.includes('k1'));
    await turns();
  });

  it('aren’t used once another window clears them, even if this one stored them twice', async () => {
    const shared = new Shared();
    const [here, there] = [open(shared), open(shared)];
    await here.set(origin, 'k1');
    await here.set(origin, 'k1');
    const heard: (string | undefined)[] = [];
    here.onDidChange(({ sessionKey }) => heard.push(sessionKey));
    await there.clear(origin);
    await turns();
    assert.deepEqual(heard, [undefined]);
    assert.equal(await here.get(origin), undefined);
  });

  it('report a failed deletion', async () => {
    const shared = new Shared();
    const keys = open(shared);
    await keys.set(origin, 'k1');
    shared.trouble = 'throws';
    await assert.rejects(keys.clear(origin), /didn’t delete the session key.*may still be stored/);
    assert.equal(await keys.get(origin), undefined);
  });

  it('store only origins in the editor’s state, without waiting for the write', async () => {
    const shared = new Shared();
    shared.stateHangs = true;
    await open(shared).set(origin, 'canary-3');
    assert.deepEqual(shared.memento.get(stateIds.storedKeys), [origin]);
  });
});
