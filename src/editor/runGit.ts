import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import * as l10n from '@vscode/l10n';

/** Bytes that one answer may have. */
const largestAnswer = 2 * 1024 * 1024 * 1024;

/** Git’s own words about why it failed, and what it had written until then. */
class GitFailed extends Error {
  constructor(
    message: string,
    readonly output: Buffer,
  ) {
    super(message);
  }
}

/** Runs git with these arguments and this input; resolves to its output, rejects with its reason if it fails. */
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
    try {
      return (await running).stdout;
    } catch (error) {
      throw signal?.aborted ? error : inGitsWords(error);
    }
  };

/** The error in git’s own words, if it said any. What the editor’s own git throws only says that git failed. */
export function inGitsWords(error: unknown): unknown {
  const { stdout, stderr } = error as { stdout?: Buffer | string; stderr?: Buffer | string };
  const said = String(stderr ?? '').trim();
  if (said === '') return error;
  // The files that it’s about follow on lines of their own.
  const [, reason = said] = /^(?:fatal|error): (.*(?:\n\t.*)*)/m.exec(said) ?? [];
  return new GitFailed(l10n.t('Git on this computer failed: {0}', reason), Buffer.from(stdout ?? ''));
}

/** Names its host by itself, or is a path. Others may begin with a name that git’s settings replace. */
const isWholeAddress = (address: string) => /^(?:(?:https?|ssh):\/\/|[./])|@/i.test(address);

/** The address of a remote, from what the repository’s settings say: also one by a short name (`url.<base>.insteadOf`). */
export async function addressOfRemote(
  run: RunGit,
  { name, fetchUrl, pushUrl }: { name: string; fetchUrl?: string; pushUrl?: string },
): Promise<string | undefined> {
  const written = fetchUrl ?? pushUrl;
  if (written === undefined || isWholeAddress(written)) return written;
  const ask = async (...which: string[]) =>
    String(await run(['remote', 'get-url', ...which, '--', name])).trim();
  try {
    const address = await ask();
    // Some names are for pushes only (`pushInsteadOf`).
    return address === written || fetchUrl === undefined ? await ask('--push') : address;
  } catch {
    return written;
  }
}

/** What git had written before it failed. */
export const outputBefore = (error: unknown): Buffer =>
  error instanceof GitFailed ? error.output : Buffer.alloc(0);

/** The root of the repository that git runs in; undefined if there’s none. Rejects if git can’t tell. */
export async function gitRoot(run: RunGit): Promise<string | undefined> {
  try {
    return String(await run(['rev-parse', '--show-toplevel'])).replace(/\r?\n$/, '');
  } catch (error) {
    if (/not a git repository|must be run in a work tree/.test(String(error))) return undefined;
    throw error;
  }
}
