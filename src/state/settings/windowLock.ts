import { createHash, randomUUID } from 'node:crypto';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';

/** Where the locks lie and how long one waits; the tests bring their own. */
export interface WindowLockOptions {
  /** A folder that all windows of this user on this computer share. */
  folder: string;
  /** Milliseconds between two looks at a lock that another window holds. */
  lookMs: number;
  /** Milliseconds after which a lock counts as forgotten, should its process's id have gone to another process. */
  forgottenMs: number;
}

const defaults: WindowLockOptions = {
  folder: path.join(tmpdir(), `agent-workspace-${String(process.getuid?.() ?? 'user')}`),
  lookMs: 100,
  forgottenMs: 60_000,
};

/**
 * Runs `task` while no other window of this user on this computer runs one for the same `origin`. The lock is a file
 * with the id of its process; one whose process has ended, or that is too old, is taken over. Where no such file can be
 * written, the task runs without: the lock only makes a rare loss rarer.
 *
 * Rejects with the signal's reason when that is aborted before the task's turn.
 */
export async function whileAlone<T>(
  origin: string,
  task: () => Promise<T>,
  signal?: AbortSignal,
  options: Partial<WindowLockOptions> = {},
): Promise<T> {
  const { folder, lookMs, forgottenMs } = { ...defaults, ...options };
  const file = path.join(folder, `${createHash('sha256').update(origin).digest('hex').slice(0, 32)}.lock`);
  const mine = `${process.pid} ${randomUUID()}`;
  while (take(file, mine) === 'held') {
    removeForgotten(file, forgottenMs);
    await pause(lookMs, undefined, { signal });
  }
  try {
    return await task();
  } finally {
    if (holderOf(file) === mine) attempt(() => unlinkSync(file));
  }
}

/** `none`: no lock can be had here, held by others or not. */
function take(file: string, mine: string): 'taken' | 'held' | 'none' {
  try {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeSync(handle, mine);
    } finally {
      closeSync(handle);
    }
    return 'taken';
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EEXIST' ? 'held' : 'none';
  }
}

function holderOf(file: string): string | undefined {
  return attempt(() => readFileSync(file, 'utf8'));
}

function removeForgotten(file: string, forgottenMs: number): void {
  const holder = holderOf(file);
  const since = attempt(() => statSync(file).mtimeMs);
  if (holder === undefined || since === undefined) return;
  // Between its making and its writing a lock is empty.
  const hasEnded = holder !== '' && !isAlive(Number(holder.split(' ')[0]));
  if (!hasEnded && Date.now() - since < forgottenMs) return;
  const aside = `${file}.${randomUUID()}`;
  attempt(() => renameSync(file, aside));
  // Another window may have been quicker, and what was put aside is its new lock.
  if (holderOf(aside) === holder) attempt(() => unlinkSync(aside));
  else attempt(() => renameSync(aside, file));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}

/** What `act` returns, or undefined where the file system refuses. */
function attempt<T>(act: () => T): T | undefined {
  try {
    return act();
  } catch {
    return undefined;
  }
}
