import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs, {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import path from 'node:path';
import { WindowLock, type LockPace } from '../../../src/editor/windowLock';

const origin = 'http://127.0.0.1:3000';
const uuid = '00000000-0000-4000-8000-000000000000';

/** A process that does nothing until it is ended. */
async function anotherProcess(): Promise<{ pid: number; end: () => Promise<void> }> {
  const child = spawn(process.execPath, ['-e', 'console.log("up"); setInterval(() => {}, 1e6)']);
  await once(child.stdout, 'data');
  return {
    pid: child.pid ?? 0,
    end: async () => {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}

describe('lock between windows', () => {
  let parent: string;
  let folder: string;

  beforeEach(() => {
    parent = mkdtempSync(path.join(tmpdir(), 'lock-'));
    folder = path.join(parent, 'locks');
  });
  afterEach(() => rmSync(parent, { recursive: true }));

  /** A window that never gives up by itself and never considers a live holder gone. */
  const patient: LockPace = { lookMs: 2, renewMs: 60_000, forgottenLooks: 1e9, patience: 1e9 };
  const lockOf = (pace: Partial<LockPace> = {}) => new WindowLock(folder, { ...patient, ...pace });

  async function turnOf(lock: WindowLock, at = origin) {
    const turn = await lock.take(at);
    assert.ok(turn, 'a turn');
    return turn;
  }
  const files = () => readdirSync(folder);

  it('leaves no lock on a full disk, for which other windows would wait', async () => {
    const { writeSync } = fs;
    const full = Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' });
    for (const write of [() => assert.fail(full), () => 5, () => 0]) {
      Object.assign(fs, { writeSync: write });
      try {
        // Nobody waits if no lock is possible.
        assert.ok((await turnOf(lockOf({ patience: 1 }))).isHeld());
        assert.deepEqual(files(), []);
      } finally {
        Object.assign(fs, { writeSync });
      }
    }
    const turn = await turnOf(lockOf({ patience: 1 }));
    assert.ok(turn.isHeld());
    turn.release();
  });
  const lockFile = () => {
    const [name] = files();
    assert.ok(name);
    return path.join(folder, name);
  };
  /** The path of the lock, which doesn’t exist yet. */
  async function freePath(): Promise<string> {
    const turn = await turnOf(lockOf());
    const file = lockFile();
    turn.release();
    return file;
  }
  /** Leaves a lock as a window in that process would. */
  async function leaveLock(pid: number, host = hostname()): Promise<string> {
    const file = await freePath();
    writeFileSync(file, `${pid} ${uuid} ${host}`);
    return file;
  }

  it('admits one window at a time and leaves nothing behind', async () => {
    let inside = 0;
    let most = 0;
    const done: number[] = [];
    const window = async (number: number) => {
      const turn = await turnOf(lockOf());
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      assert.ok(turn.isHeld());
      inside -= 1;
      done.push(number);
      turn.release();
    };
    await Promise.all([1, 2, 3, 4, 5].map(window));
    assert.equal(most, 1);
    assert.deepEqual(done.toSorted(), [1, 2, 3, 4, 5]);
    assert.deepEqual(files(), []);
  });

  it('is separate for each service and stores no service address on disk', async () => {
    const one = await turnOf(lockOf());
    const other = await turnOf(lockOf(), 'https://other.example.com');
    assert.equal(files().length, 2);
    assert.ok(!files().join().includes('127.0.0.1'));
    one.release();
    other.release();
  });

  it('keeps its files in a folder that only the user can access', async function () {
    if (process.getuid === undefined) this.skip();
    mkdirSync(folder);
    chmodSync(folder, 0o777);
    const turn = await turnOf(lockOf());
    assert.equal(statSync(folder).mode & 0o777, 0o700);
    assert.equal(statSync(lockFile()).mode & 0o777, 0o600);
    turn.release();
    rmSync(folder, { recursive: true });
    await freePath();
    assert.equal(statSync(folder).mode & 0o777, 0o700);
  });

  it('is skipped if its folder is a link to elsewhere', async () => {
    const elsewhere = path.join(parent, 'elsewhere');
    mkdirSync(elsewhere);
    symlinkSync(elsewhere, folder);
    assert.ok((await turnOf(lockOf())).isHeld());
    assert.deepEqual(readdirSync(elsewhere), []);
  });

  it('waits for its holder and takes over when that process has ended', async () => {
    const other = await anotherProcess();
    await leaveLock(other.pid);
    const waiting = turnOf(lockOf());
    await other.end();
    (await waiting).release();
  });

  it('waits for a limited time, then reports that another window holds it', async () => {
    await leaveLock(process.pid);
    assert.equal(await lockOf({ patience: 5 }).take(origin), undefined);
  });

  it('takes over a lock that is not renewed, whatever the clock says', async () => {
    for (const date of [new Date(0), new Date('2200-01-01')]) {
      const file = await leaveLock(process.pid);
      utimesSync(file, date, date);
      const turn = await turnOf(lockOf({ forgottenLooks: 3 }));
      turn.release();
    }
  });

  it('never takes over from a holder that renews', async () => {
    const holder = await turnOf(lockOf({ renewMs: 1 }));
    // Each check comes after a renewal, so no two consecutive checks see the same content.
    const waiting = lockOf({ lookMs: 25, forgottenLooks: 2, patience: 8 }).take(origin);
    assert.equal(await waiting, undefined);
    assert.ok(holder.isHeld());
    holder.release();
  });

  it('tells a holder that slept about a takeover and leaves the new lock alone', async () => {
    const sleeper = await turnOf(lockOf());
    const next = await turnOf(lockOf({ forgottenLooks: 3 }));
    assert.equal(sleeper.isHeld(), false);
    assert.equal(next.isHeld(), true);
    sleeper.release();
    assert.equal(next.isHeld(), true);
    next.release();
    assert.deepEqual(files(), []);
  });

  it('ignores the process ID of another computer', async () => {
    const other = await anotherProcess();
    await other.end();
    await leaveLock(other.pid, 'another-computer');
    assert.equal(await lockOf({ patience: 5 }).take(origin), undefined);
  });

  const strange: [name: string, put: (file: string) => void][] = [
    ['an empty folder', (file) => mkdirSync(file)],
    ['a dangling link', (file) => symlinkSync(path.join(parent, 'nowhere'), file)],
    ['a link to a file', (file) => symlinkSync(path.join(parent, 'target'), file)],
    ['a file that names no holder', (file) => writeFileSync(file, 'hello')],
    ['a huge file', (file) => writeFileSync(file, `${process.pid} ${uuid} ${'x'.repeat(100_000)}`)],
  ];
  for (const [name, put] of strange)
    it(`treats ${name} in its place as no lock`, async () => {
      const file = await freePath();
      const target = `${process.pid} ${uuid} ${hostname()}`;
      writeFileSync(path.join(parent, 'target'), target);
      put(file);
      const turn = await turnOf(lockOf({ patience: 3 }));
      assert.match(readFileSync(file, 'utf8'), new RegExp(`^${process.pid} `));
      assert.equal(readFileSync(path.join(parent, 'target'), 'utf8'), target);
      turn.release();
    });

  it('is skipped if a folder with files is in its place, and deletes nothing', async () => {
    const file = await freePath();
    mkdirSync(file);
    writeFileSync(path.join(file, 'precious'), '');
    const turn = await turnOf(lockOf({ patience: 3 }));
    assert.ok(turn.isHeld());
    turn.release();
    assert.deepEqual(readdirSync(file), ['precious']);
  });

  it('waits for a lock that is being created', async () => {
    const file = await freePath();
    writeFileSync(file, '');
    assert.equal(await lockOf({ patience: 5 }).take(origin), undefined);
    (await turnOf(lockOf({ forgottenLooks: 3 }))).release();
  });

  it('is skipped if no file can be written', async () => {
    writeFileSync(folder, '');
    assert.ok((await turnOf(lockOf())).isHeld());
  });
});
