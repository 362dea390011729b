import { someAtOnce } from '../../../core/basics/someAtOnce';
import type { ChangeSet, ChangeSource, FileMode } from '../../sandboxChanges';
import { type ApplyPlan, filesAtOnce, refusedBeforehand } from './planning';

/** A file as it is in a commit. */
export interface CommittedFile {
  path: string;
  mode: FileMode;
  /** Git’s hash of its content. */
  oid: string;
  /** Null if the previous commit has it already. */
  content: Uint8Array | null;
}

/** How a commit differs from the previous one. */
export interface BranchPlan {
  refused: (ApplyPlan['refused'][number] & { oldPath?: string | undefined })[];
  files: CommittedFile[];
  /** Paths that it no longer has. */
  removed: string[];
}

/**
 * Plans a commit with everything that may also be applied to a folder, and reads the contents of its files. Throws
 * ApiError of reason `canceled`.
 * @param windows whether the computer treats names as Windows does
 */
export async function planBranch(
  { files }: Pick<ChangeSet, 'files'>,
  content: ChangeSource['content'],
  windows: boolean,
  report: (done: number, of: number) => void,
  signal?: AbortSignal,
): Promise<BranchPlan> {
  const refusals = refusedBeforehand(files, windows);
  const plan: BranchPlan = {
    files: [],
    removed: [],
    refused: Array.from(refusals, ([{ path, oldPath }, why]) => ({ path, oldPath, why })),
  };
  const left = files.filter((file) => !refusals.has(file));
  let done = 0;
  await someAtOnce(left, filesAtOnce, async ({ path, oldPath = path, before, after }) => {
    signal?.throwIfAborted();
    if (after) {
      const { oid, mode } = after;
      const isKnown = before?.oid === oid;
      const read = isKnown ? null : await content(after, signal).catch(() => undefined);
      signal?.throwIfAborted();
      if (read === undefined) plan.refused.push({ path, oldPath, why: 'unread' });
      else plan.files.push({ path, mode, oid, content: read });
      if (read === undefined) return;
    }
    if (before && (!after || oldPath !== path)) plan.removed.push(oldPath);
    report((done += 1), left.length);
  });
  return plan;
}
