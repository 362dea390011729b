import * as l10n from '@vscode/l10n';
import type { SandboxWorkspace } from '../../../api/agent/workspace';
import { programWords } from '../../../shared/thrown';
import { Refusal } from '../../../core/basics/refusal';
import { plainText } from '../../../shared/plainText';
import { quoted } from '../../../shared/shellScript';
import { answering, makingScratch, scratchFolder } from './shell';

/** Seconds that a script may take. */
const patienceSeconds = 120;

/** What scripts that aren’t about git differ in. */
interface ScriptKind {
  /** Names of the programs that the script can’t do without. */
  needed?: string;
  /** Words for a script that didn’t come to its end; -1 if it took too long, or its folder is gone. */
  failed?: (exitCode: number, output: string) => Refusal;
}

/**
 * Runs a script in a sandbox and returns what it wrote: in one round trip, or two for a long answer. Throws ApiError,
 * and a Refusal if the script failed.
 * @param folder the script’s first one; must exist, and be the conversation’s where the workspace is bound to that
 * @param maxBytes of its answer
 */
export async function askSandbox(
  workspace: SandboxWorkspace,
  script: string,
  { folder, maxBytes, ...of }: { folder: string; maxBytes: number } & ScriptKind,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const { needed, failed = gitFailed } = of;
  const call = {
    command: answering(script, workspace.isBound, needed),
    cwd: folder,
    timeoutSeconds: patienceSeconds,
  };
  const { exitCode, stdout, stderr } = await workspace.execute(call, signal);
  if (exitCode !== 0) throw failed(exitCode, stderr);
  const missing = /^\?(\w+)$/.exec(stdout)?.[1];
  if (missing !== undefined) throw new Refusal(withoutProgram(missing));
  if (stdout.startsWith('!')) throw noSpaceIn(stdout.slice(1));
  const printed = /^=([A-Za-z0-9+/]*={0,2})=$/.exec(stdout)?.[1];
  if (printed !== undefined) return new Uint8Array(Buffer.from(printed, 'base64'));
  if (!scratchFolder.test(stdout)) throw failed(0, stdout);
  try {
    return await workspace.download(`${stdout}/answer`, { maxBytes }, signal);
  } finally {
    remove(workspace, stdout, folder);
  }
}

interface Upload {
  /** As for a script. */
  folder: string;
  /** Unique. */
  name: string;
  content: Uint8Array;
  /** Puts the file inside the folder in any case, so that it can be moved from there at once. */
  isNear?: boolean | undefined;
}

/**
 * Uploads a file for a script, and removes it when the work is done: inside the conversation’s folder, out of git’s
 * sight, where the workspace is bound to that. Throws ApiError, and a Refusal.
 */
export async function withUpload<T>(
  workspace: SandboxWorkspace,
  { folder, name, content, isNear = workspace.isBound }: Upload,
  work: (file: string) => Promise<T>,
  signal?: AbortSignal,
): Promise<T> {
  if (isNear !== true) {
    const file = `/tmp/${name}`;
    await workspace.upload(file, content, signal);
    return work(file);
  }
  const { exitCode, stdout, stderr } = await workspace.execute(
    { command: makingScratch, cwd: folder },
    signal,
  );
  if (stdout.startsWith('!')) throw noSpaceIn(stdout.slice(1));
  if (exitCode !== 0 || !scratchFolder.test(stdout)) throw gitFailed(exitCode, stderr || stdout);
  try {
    const file = `${stdout}/${name}`;
    await workspace.upload(file, content, signal);
    return await work(file);
  } finally {
    remove(workspace, stdout, folder);
  }
}

/** Not awaited: a later script removes whatever stays. */
function remove(workspace: SandboxWorkspace, scratch: string, folder: string): void {
  const cwd = workspace.isBound ? folder : '/';
  workspace.execute({ command: `rm -rf ${quoted(scratch)}`, cwd }).catch(() => undefined);
}

function gitFailed(exitCode: number, output: string): Refusal {
  if (exitCode === -1)
    return new Refusal(
      l10n.t('The sandbox took too long to answer, or its folder is gone. Nothing was changed. Try again.'),
    );
  const reason = programWords(output.trim().split('\n').at(-1) ?? '', 200);
  return new Refusal(
    l10n.t('Git in the sandbox failed: {0}. Nothing was changed. Try again.', reason || String(exitCode)),
  );
}

const noSpaceIn = (folder: string) =>
  new Refusal(
    l10n.t(
      'The computer that the agent works on has no space left in {0}. Ask the agent to delete what it doesn’t need there, then try again.',
      plainText(folder, 200),
    ),
  );

const withoutProgram = (name: string) =>
  l10n.t(
    'The computer that the agent works on doesn’t have the program {0}, which this needs. Nothing was changed.',
    name,
  );
