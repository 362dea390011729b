import assert from 'node:assert/strict';
import type { DeviceAuthorization } from '../../../src/api/service/deviceSignIn';
import { KeptSignIn } from '../../../src/editor/keptSignIn';
import { signInSecret, stateIds } from '../../../src/ids';

const connection = { name: 'Hosted', baseUrl: 'https://a.example', origin: 'https://a.example' };
const begun = (userCode: string): DeviceAuthorization => ({
  ...{ deviceCode: `device ${userCode}`, userCode, intervalMs: 1_000, expiresAt: 61_000 },
  page: undefined,
});

describe('a sign-in that is kept over a reload', () => {
  const secrets = new Map<string, string>();
  const storage = {
    get: (key: string) => Promise.resolve(secrets.get(key)),
    store: (key: string, value: string) => Promise.resolve(void secrets.set(key, value)),
    delete: (key: string) => Promise.resolve(void secrets.delete(key)),
  };
  beforeEach(() => secrets.clear());

  /** A window, which keeps its state over a reload. */
  function aWindow(state = new Map<string, unknown>(), broken: Partial<typeof storage> = {}) {
    const memento = {
      keys: () => [...state.keys()],
      get: (key: string) => state.get(key),
      update: (key: string, value: unknown) => Promise.resolve(void state.set(key, value)),
    };
    /** @param now of the clock that begins anew with each host of extensions */
    const open = (now = 1_000, date = 1e12) =>
      new KeptSignIn(memento as never, { ...storage, ...broken }, { now: () => now, date: () => date }, 20);
    return { state, open };
  }

  it('continues once with its own code for as long as that is valid, by the computer’s clock', async () => {
    const { open } = aWindow();
    await open().keep(connection, begun('A'));
    const later = open(5, 1e12 + 20_000);
    assert.deepEqual(await later.take(), { connection, begun: { ...begun('A'), expiresAt: 40_005 } });
    assert.equal(await later.take(), undefined);
    await open().keep(connection, begun('A'));
    assert.equal(await open(5, 1e12 + 60_000).take(), undefined);
  });

  it('ends in time, although the clock of the computer was set back by years', async () => {
    const { open } = aWindow();
    await open().keep(connection, begun('A'));
    const left = await open(5, 1e11).take();
    assert.equal(left?.begun?.expiresAt, 3_600_005);
  });

  it('isn’t taken for that of another window, and doesn’t end with it', async () => {
    const [one, other] = [aWindow(), aWindow()];
    await one.open().keep(connection, begun('A'));
    await other.open().keep(connection, begun('B'));
    assert.equal(await aWindow().open().take(), undefined);
    await one.open().forget();
    assert.equal((await other.open().take())?.begun?.deviceCode, 'device B');
    await one.open().keep(connection, begun('A'));
    await other.open().keep(connection, begun('B'));
    assert.deepEqual(await one.open().take(), { connection, begun: undefined });
  });

  it('is lost, and hinders nothing, where a storage fails, hangs, or has something else', async () => {
    const fails = () => Promise.reject(new Error('canary'));
    const hangs = () => new Promise<never>(() => undefined);
    for (const broken of [
      { get: fails },
      { get: hangs },
      { store: fails },
      { store: hangs, delete: hangs },
    ]) {
      secrets.clear();
      const { open } = aWindow(new Map(), broken);
      await open().keep(connection, begun('A'));
      assert.deepEqual(await open().take(), { connection, begun: undefined });
      await open().forget();
    }
    for (const odd of ['', '{', '7', 'null', '{"userCode":"A"}', '{"userCode":"A","deviceCode":7}']) {
      const { open } = aWindow();
      await open().keep(connection, begun('A'));
      secrets.set(signInSecret, odd);
      assert.deepEqual(await open().take(), { connection, begun: undefined });
    }
    for (const odd of ['A', 7, null, [], {}, { connection: {}, userCode: 'A', until: 2e12 }, { until: 'x' }])
      assert.equal(
        await aWindow(new Map([[stateIds.signIn, odd]]))
          .open()
          .take(),
        undefined,
      );
  });
});
