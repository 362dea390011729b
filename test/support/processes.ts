import { spawn, spawnSync, type ChildProcess, type StdioOptions } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { onEnd, UserError } from './lifetime';

const windows = process.platform === 'win32';

export interface RunningProcess {
  readonly child: ChildProcess;
  /** Its output so far (both streams), at most the last 200 lines. */
  readonly output: string[];
  /** Resolves when the process has ended, to its exit code, its signal's name, or why it didn't start. */
  readonly ended: Promise<number | string>;
  /** Resolves to the first printed line that matches; rejects if the process ends or the time runs out before that. */
  line: (pattern: RegExp, timeoutMs: number) => Promise<RegExpMatchArray>;
  /** Ends the process and all its descendants, and resolves once they are gone. */
  stop: () => Promise<void>;
}

export interface StartOptions {
  cwd?: string;
  env?: NodeJS.ProcessEnv;
  onLine?: (line: string) => void;
  /** How long it may take to end when it's stopped, until it's killed; 3 s if undefined. */
  graceMs?: number | undefined;
}

/** Starts a long-running process in its own process group. The process ends with this script at the latest. */
export function startProcess(command: string, args: string[], options: StartOptions = {}): RunningProcess {
  const child = spawn(command, args, {
    cwd: options.cwd,
    env: options.env ?? process.env,
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: !windows,
    windowsHide: true,
  });
  const output: string[] = [];
  const watchers = new Set<(line: string) => void>();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      output.push(line);
      if (output.length > 200) output.shift();
      options.onLine?.(line);
      for (const watch of watchers) watch(line);
    });
  }
  const ended = new Promise<number | string>((resolve) => {
    child.once('error', (error) => {
      output.push(error.message);
      resolve(error.message);
    });
    child.once('close', (code, signal) => resolve(code ?? signal ?? 1));
  });
  // If it ends by itself, the rest of its group ends with it.
  child.once('exit', () => {
    if (child.pid !== undefined && !windows) signalGroup(child.pid, 'SIGKILL');
  });
  const stop = onEnd(() => stopTree(child, options.graceMs));

  return {
    child,
    output,
    ended,
    stop,
    line(pattern, timeoutMs) {
      const early = output.map((line) => pattern.exec(line)).find((match) => match !== null);
      if (early) return Promise.resolve(early);
      return new Promise((resolve, reject) => {
        const watch = (line: string): void => {
          const match = pattern.exec(line);
          if (match) done(() => resolve(match));
        };
        const fail = (what: string): void =>
          done(() =>
            reject(new Error(`${command} ${what}; its last lines:\n${output.slice(-20).join('\n')}`)),
          );
        const timer = setTimeout(() => fail(`didn’t print ${pattern.source} in ${timeoutMs} ms`), timeoutMs);
        const done = (settle: () => void): void => {
          clearTimeout(timer);
          watchers.delete(watch);
          settle();
        };
        watchers.add(watch);
        void ended.then((result) => fail(`ended (${result}) before printing ${pattern.source}`));
      });
    },
  };
}

/**
 * Ends a process that has its own group, with its descendants: asks first, and kills after `graceMs`. Leaves a process
 * alone that has ended already, since its id may have been reused.
 */
async function stopTree(child: ChildProcess, graceMs = 3000): Promise<void> {
  const { pid } = child;
  if (pid === undefined || hasEnded(child)) return;
  if (windows) {
    spawnSync('taskkill', ['/pid', String(pid), '/T', '/F']);
    return;
  }
  signalGroup(pid, 'SIGTERM');
  await Promise.race([once(child, 'exit'), delay(graceMs, undefined, { ref: false })]);
  // The leader has ended or doesn't react, so kill the rest of its group.
  for (let tries = 0; signalGroup(pid, 'SIGKILL') && tries < 100; tries++) await delay(20);
}

const hasEnded = (child: ChildProcess): boolean => child.exitCode !== null || child.signalCode !== null;

/** Signals a process group; false if none of its processes is left. */
function signalGroup(pid: number, signal: NodeJS.Signals): boolean {
  try {
    process.kill(-pid, signal);
    return true;
  } catch (error) {
    // macOS returns EPERM for a group in which all processes are dead.
    if (['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) return false;
    throw error;
  }
}

/** Runs a command to its end and returns its output. If it fails, rejects with a UserError that has the last lines. */
export async function run(command: string, args: string[], options: StartOptions = {}): Promise<string> {
  const running = startProcess(command, args, options);
  const result = await running.ended;
  await running.stop();
  if (result !== 0) {
    throw new UserError(
      `${[command, ...args].join(' ')} failed (${result}):\n${running.output.slice(-30).join('\n')}`,
    );
  }
  return running.output.join('\n');
}

/**
 * Runs Node in a child process that shares this one's output, or writes to the open file `output`, and ends it after
 * `limitMs`. Returns its exit code or its signal's name.
 */
export async function runNode(
  args: string[],
  env: NodeJS.ProcessEnv,
  limitMs?: number,
  output?: number,
): Promise<number | string> {
  const stdio: StdioOptions = output === undefined ? 'inherit' : ['ignore', output, output];
  const child = spawn(process.execPath, args, { stdio, env, detached: !windows });
  // Leaves time for the program's own cleanup.
  const stop = onEnd(() => stopTree(child, 15_000));
  const limit = limitMs === undefined ? undefined : setTimeout(() => void stop(), limitMs);
  const [code, signal] = (await once(child, 'exit')) as [number | null, string | null];
  clearTimeout(limit);
  await stop();
  return code ?? signal ?? 1;
}

/** Requests `url` until it responds with success. Throws a UserError if that takes too long. */
export async function untilAnswers(url: string, timeoutMs: number): Promise<void> {
  const end = Date.now() + timeoutMs;
  for (;;) {
    const answer = await fetch(url, { signal: AbortSignal.timeout(2000) }).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.ok) return;
    if (Date.now() > end) throw new UserError(`${url} didn’t respond within ${timeoutMs} ms`);
    await delay(50);
  }
}

/** The full path of a program on PATH, or undefined. */
export function findOnPath(name: string): string | undefined {
  const { status, stdout } = spawnSync(windows ? 'where' : 'which', [name], { encoding: 'utf8' });
  return status === 0 ? stdout.split(/\r?\n/)[0] : undefined;
}
