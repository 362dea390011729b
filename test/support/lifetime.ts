import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';
import { isAlive, listProcesses } from './processList';

/**
 * Undoes something that a script has started or created. Releases run in reverse order however the script ends:
 * normally, with an error, or by Ctrl-C.
 */
type Release = () => Promise<void> | void;

const pending: Release[] = [];

/** Registers a release. The returned function runs it at once (only on the first call) and forgets it. */
export function onEnd(release: Release): () => Promise<void> {
  pending.push(release);
  return async () => {
    const index = pending.indexOf(release);
    if (index >= 0) {
      pending.splice(index, 1);
      await release();
    }
  };
}

/** Runs every registered release, newest first. A failure is reported and doesn't stop the others. */
async function endAll(): Promise<void> {
  for (let release = pending.pop(); release; release = pending.pop()) {
    try {
      await release();
    } catch (error) {
      console.error(`Cleanup failed: ${describeError(error)}`);
      process.exitCode = 1;
    }
  }
}

export interface TempFolder {
  path: string;
  remove: () => Promise<void>;
}

/**
 * Creates an empty folder in the system's temporary folder. The name is short because paths of sockets have a limit.
 */
export async function tempFolder(): Promise<TempFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'aw-'));
  return { path: folder, remove: onEnd(() => removeFolder(folder)) };
}

/** Creates an empty folder with a unique name inside `parent`. */
export function uniqueFolder(parent: string, prefix: string): TempFolder {
  const folder = path.join(parent, `${prefix}-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder, { recursive: true });
  return { path: folder, remove: onEnd(() => removeFolder(folder)) };
}

/** Removes a folder. Retries, because a process that's ending may still be writing into it. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

const supervisedVariable = 'TEST_SUPPORT_SUPERVISED';

/**
 * Runs a script's main function, cleans up, and exits with its exit code. On a signal, cleans up at once and exits with
 * the code that shells expect for the signal, or with 0 if the script is supposed to end by one.
 *
 * The work is done in a second process. The first may be killed outright (tsx does that to a script that doesn't react
 * to a signal at once); the second notices and still cleans up.
 */
export function runMain(main: () => Promise<number>, { endsBySignal = false } = {}): void {
  if (process.env[supervisedVariable] === undefined) {
    superviseSelf();
    return;
  }
  // Scripts started by this one should be supervised, too.
  Reflect.deleteProperty(process.env, supervisedVariable);
  let ending: Promise<void> | undefined;
  const end = async (code: number): Promise<void> => {
    ending ??= endAll();
    await ending;
    process.exit(process.exitCode === 1 && code === 0 ? 1 : code);
  };
  const endBySignal = (signal: NodeJS.Signals) => void end(endsBySignal ? 0 : signalCode(signal));
  for (const signal of endingSignals) process.on(signal, endBySignal);
  process.once('disconnect', () => endBySignal('SIGHUP'));
  process.channel?.unref();
  main().then(
    (code) => end(code),
    (error: unknown) => {
      if (!ending) console.error(describeError(error));
      return end(1);
    },
  );
}

const endingSignals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const signalCode = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/** Runs this script again as a child, in a process group that a terminal's Ctrl-C doesn't reach. */
function superviseSelf(): void {
  const [node, ...script] = process.argv;
  const child = spawn(node ?? process.execPath, ['--require', require.resolve('tsx/cjs'), ...script], {
    env: { ...process.env, [supervisedVariable]: '1' },
    stdio: ['inherit', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
  });
  for (const signal of endingSignals) process.on(signal, () => child.kill(signal));
  const watched = callers();
  setInterval(() => {
    if (!watched.every(isAlive)) child.kill('SIGTERM');
  }, 500).unref();
  child.once('exit', (code, signal) => process.exit(code ?? signalCode(signal ?? 'SIGKILL')));
}

export function describeError(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An error whose message says everything the user needs to know. Its stack isn't shown. */
export class UserError extends Error {}

/**
 * The processes that started this script, up to npm. A signal sent to npm alone ends npm and its shell but never gets
 * here, so watch whether they're alive.
 */
function callers(): number[] {
  const processes = new Map(listProcesses().map((one) => [one.pid, one]));
  const chain: number[] = [];
  for (let pid = process.ppid; pid > 1 && chain.length < 4; pid = processes.get(pid)?.parent ?? 0) {
    chain.push(pid);
    if (processes.get(pid)?.commandLine.startsWith('npm ')) return chain;
  }
  return [process.ppid];
}
