import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { constants, tmpdir } from 'node:os';
import path from 'node:path';

/**
 * Everything a script starts or creates is registered here and undone in reverse order, whichever way the
 * script ends: normally, by an error, or by Ctrl-C.
 */
type Release = () => Promise<void> | void;

const pending: Release[] = [];

/** Registers a release; the returned function runs it at once (only the first call does) and forgets it. */
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

/** Runs every registered release, the newest first. One that fails is reported and does not stop the others. */
export async function endAll(): Promise<void> {
  for (let release = pending.pop(); release; release = pending.pop()) {
    try {
      await release();
    } catch (error) {
      console.error(`Cleaning up: ${describeError(error)}`);
      process.exitCode = 1;
    }
  }
}

export interface TempFolder {
  path: string;
  remove: () => Promise<void>;
}

/** Makes an empty folder in the system's temporary folder. The name is short, as sockets are made inside. */
export async function tempFolder(): Promise<TempFolder> {
  const folder = await mkdtemp(path.join(tmpdir(), 'aw-'));
  return { path: folder, remove: onEnd(() => removeFolder(folder)) };
}

/** Makes an empty folder with a unique name inside `parent`. */
export function uniqueFolder(parent: string, prefix: string): TempFolder {
  const folder = path.join(parent, `${prefix}-${randomBytes(4).toString('hex')}`);
  mkdirSync(folder, { recursive: true });
  return { path: folder, remove: onEnd(() => removeFolder(folder)) };
}

/** Removes a folder; a process that is just ending may still be writing into it, hence the retries. */
export async function removeFolder(folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 });
}

/**
 * Runs a script's main function to its exit code, cleaning up before the process ends. On a signal the clean-up
 * runs at once and the exit code is the signal's, as a shell expects.
 */
export function runMain(main: () => Promise<number>): void {
  let ending: Promise<void> | undefined;
  const end = async (code: number): Promise<void> => {
    ending ??= endAll();
    await ending;
    process.exit(process.exitCode === 1 && code === 0 ? 1 : code);
  };
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    process.on(signal, () => void end(128 + constants.signals[signal]));
  }
  main().then(
    (code) => end(code),
    (error: unknown) => {
      if (!ending) console.error(describeError(error));
      return end(1);
    },
  );
}

export function describeError(error: unknown): string {
  if (error instanceof UserError) return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

/** An error whose message tells a person all there is to know; no stack is shown. */
export class UserError extends Error {}
