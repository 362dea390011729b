import { execFile } from 'node:child_process';
import { promisify } from 'node:util';

/** Bytes that one answer may have. */
const largestAnswer = 2 * 1024 * 1024 * 1024;

/** Runs git with these arguments and this input; resolves to its output, rejects if it fails. */
export type RunGit = (args: readonly string[], input?: string | Uint8Array) => Promise<Buffer>;

/** @param git path of the program */
export const gitRunner =
  (git: string, cwd: string, env: NodeJS.ProcessEnv, signal?: AbortSignal): RunGit =>
  async (args, input = '') => {
    const options = {
      cwd,
      env,
      encoding: 'buffer',
      maxBuffer: largestAnswer,
      signal,
      windowsHide: true,
    } as const;
    const running = promisify(execFile)(git, [...args], options);
    // Git may end before it has read everything; what counts is how it ends.
    running.child.stdin?.on('error', () => undefined);
    running.child.stdin?.end(input);
    return (await running).stdout;
  };
