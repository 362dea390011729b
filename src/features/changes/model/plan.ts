import type { Steps } from '../../../core/basics/steps';
import { isBinary, latin1, mergeFiles, withLf } from './merge';
import type { ChangedFile } from '../../sandboxChanges';
import type { NotApplied } from './notApplied';
import { sameBytes } from './same';
import type { BothSides } from './workingForm';

/** A file in the folder as it is now. */
interface LocalFile {
  /** Including unsaved edits in the editor. */
  content: Uint8Array;
  /** Null where files have no such mode. */
  executable: boolean | null;
}

/** What is at a path of the folder; null for nothing. */
export type Local = LocalFile | { blocked: NotApplied } | null;

/** Null if there’s nothing, or it can’t be read. */
export function localContent(local: Local): Uint8Array | null {
  return local && 'content' in local ? local.content : null;
}

/** What to do with one file of the folder. */
export interface PlannedChange {
  kind: 'change';
  path: string;
  /** Where the file is now; null for a new one. */
  from: string | null;
  before: Uint8Array | null;
  /** Null to delete it. */
  after: Uint8Array | null;
  conflicts: number;
  /** The mode to set; null to leave it. */
  executable: boolean | null;
  /** The mode that it has now; null for a new file, and where files have no such mode. */
  wasExecutable: boolean | null;
}

export type FilePlan = PlannedChange | { kind: 'same' } | { kind: 'refused'; path: string; why: NotApplied };

/** The three sides of a changed file: at the agent’s base, as the agent has it, and here. */
export interface FileSides extends BothSides {
  /** At the path that the file had at the base. */
  here: Local;
  /** At its new path, for a renamed file. */
  target?: Local;
}

/** Plans how one file gets into the folder. Nothing that was changed here is lost. */
export function* planFile(
  file: ChangedFile,
  { base, agent, here, target = null }: FileSides,
): Steps<FilePlan> {
  const { path, oldPath = path } = file;
  const refused = (why: NotApplied): FilePlan => ({ kind: 'refused', path, why });
  const mode = modeOf(file);
  for (const place of [here, target]) if (place && 'blocked' in place) return refused(place.blocked);
  const [local = null, there = null] = [here, target] as (LocalFile | null)[];
  if (there)
    return !local && sameBytes(there.content, agent) ? modeOnly(path, there, mode) : refused('existsHere');
  if (sameBytes(local?.content ?? null, agent) && oldPath === path)
    return local ? modeOnly(path, local, mode) : { kind: 'same' };
  const change = (after: Uint8Array | null, conflicts = 0): FilePlan =>
    local && oldPath === path && sameBytes(local.content, after)
      ? modeOnly(path, local, mode)
      : {
          kind: 'change',
          path,
          from: local && oldPath,
          before: local?.content ?? null,
          after,
          conflicts,
          executable: local?.executable === mode ? null : mode,
          wasExecutable: local?.executable ?? null,
        };
  if (!local) return base ? refused('goneHere') : change(agent);
  if (sameBytes(local.content, base)) return change(agent);
  if (!agent) return base && isSameText(base, local.content) ? change(null) : refused('changedHere');
  if (sameBytes(base, agent)) return change(local.content);
  if ([base, agent, local.content].some((content) => content && isBinary(content)))
    return refused(base ? 'binary' : 'existsHere');
  const { content, conflicts } = yield* mergeFiles(base ?? new Uint8Array(), local.content, agent);
  return change(content, conflicts);
}

/** The mode that the agent gave the file; null if it's unchanged. */
function modeOf({ before, after }: ChangedFile): boolean | null {
  if (!after || (before?.mode ?? '100644') === after.mode) return null;
  return after.mode === '100755';
}

function modeOnly(path: string, { content, executable }: LocalFile, mode: boolean | null): FilePlan {
  if (mode === null || executable === mode) return { kind: 'same' };
  const unchanged = { from: path, before: content, after: content, conflicts: 0 };
  return { kind: 'change', path, ...unchanged, executable: mode, wasExecutable: executable };
}

/** Whether two texts differ at most in line ends, as a checkout may change them. */
function isSameText(base: Uint8Array, here: Uint8Array): boolean {
  return !isBinary(base) && withLf(latin1(base)) === withLf(latin1(here));
}
