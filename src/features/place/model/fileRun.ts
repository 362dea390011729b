import { askSandbox, type SandboxPlace } from '../../sandboxChanges';
import { failed, FileRefusal } from './fileRefusal';
import { exits, filePrograms, otherExit, withExit } from './fileScripts';

/** Runs one of the scripts for files. Throws FileRefusal, a Refusal if the shell failed, and ApiError. */
export async function runFileScript(
  { workspace, workingDir: folder }: SandboxPlace,
  script: string,
  maxBytes: number,
  signal?: AbortSignal,
): Promise<Uint8Array> {
  const of = { folder, maxBytes, needed: filePrograms, failed };
  const answer = await askSandbox(workspace, withExit(script), of, signal);
  const blank = answer.lastIndexOf(0x20);
  const code = Number(Buffer.from(answer.subarray(blank + 1)).toString());
  const output = answer.subarray(0, blank);
  if (code === 0) return output;
  const reason = (Object.keys(exits) as (keyof typeof exits)[]).find((name) => exits[name] === code);
  throw reason
    ? new FileRefusal(reason)
    : failed(code, code === otherExit ? Buffer.from(output).toString() : '');
}
