import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { whileAlone, type WindowLockOptions } from '../../../../src/state/settings/windowLock';

const origin = 'http://127.0.0.1:3000';

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

describe('the lock between windows', () => {
  let options: WindowLockOptions;

  beforeEach(() => {
    options = { folder: mkdtempSync(path.join(tmpdir(), 'lock-')), lookMs: 5, forgottenMs: 60_000 };
  });
  afterEach(() => rmSync(options.folder, { recursive: true }));

  const lockFile = () => {
    const [name] = readdirSync(options.folder);
    assert.ok(name);
    return path.join(options.folder, name);
  };
  /** Leaves a lock as the process with this id would. */
  const leaveLock = async (pid: number) => {
    let file = '';
    await whileAlone(
      origin,
      () => {
        file = lockFile();
        return Promise.resolve();
      },
      undefined,
      options,
    );
    writeFileSync(file, `${pid} some-id`);
    return file;
  };

  it('lets one task at a time through, and leaves nothing behind', async () => {
    let inside = 0;
    let most = 0;
    const done: number[] = [];
    const task = (number: number) => async () => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      done.push(number);
    };
    await Promise.all([1, 2, 3, 4, 5].map((number) => whileAlone(origin, task(number), undefined, options)));
    assert.equal(most, 1);
    assert.deepEqual(done.toSorted(), [1, 2, 3, 4, 5]);
    assert.deepEqual(readdirSync(options.folder), []);
  });

  it('does not make services wait for one another, and names none of them on the disk', async () => {
    await whileAlone(
      origin,
      () => whileAlone('https://other.example.com', () => Promise.resolve(), undefined, options),
      undefined,
      options,
    );
    const name = await whileAlone(origin, () => Promise.resolve(lockFile()), undefined, options);
    assert.ok(!name.includes('127.0.0.1'));
  });

  it('waits for the window that holds it, and takes over when that has ended', async () => {
    const other = await anotherProcess();
    await leaveLock(other.pid);
    const isGone = () => {
      assert.throws(() => process.kill(other.pid, 0), { code: 'ESRCH' });
      return Promise.resolve('done');
    };
    const waiting = whileAlone(origin, isGone, undefined, options);
    await other.end();
    assert.equal(await waiting, 'done');
  });

  it('takes over a lock that is older than any save', async () => {
    const file = await leaveLock(process.pid);
    const old = new Date(Date.now() - options.forgottenMs - 1);
    utimesSync(file, old, old);
    assert.equal(await whileAlone(origin, () => Promise.resolve('done'), undefined, options), 'done');
  });

  it('is given back when the task fails, and not when it has become the lock of another', async () => {
    await assert.rejects(
      whileAlone(origin, () => Promise.reject(new Error('no')), undefined, options),
      /no/,
    );
    assert.deepEqual(readdirSync(options.folder), []);
    const takenOver = () => {
      writeFileSync(lockFile(), '1 of-another');
      return Promise.resolve();
    };
    await whileAlone(origin, takenOver, undefined, options);
    assert.equal(readFileSync(lockFile(), 'utf8'), '1 of-another');
  });

  it('stops waiting at once when cancelled', async () => {
    await leaveLock(process.pid);
    const abort = new AbortController();
    let begun = false;
    const waiting = whileAlone(origin, () => Promise.resolve((begun = true)), abort.signal, options);
    abort.abort();
    await assert.rejects(waiting, { name: 'AbortError' });
    assert.equal(begun, false);
  });

  it('does without where no file can be written', async () => {
    const file = path.join(options.folder, 'file');
    writeFileSync(file, '');
    const folder = path.join(file, 'no-folder');
    assert.equal(
      await whileAlone(origin, () => Promise.resolve('done'), undefined, { ...options, folder }),
      'done',
    );
  });
});
