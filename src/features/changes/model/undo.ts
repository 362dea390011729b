import * as z from 'zod/mini';
import { blobHash } from '../../sandboxChanges';
import type { PlannedChange, Local } from './plan';
import { sameBytes } from './same';

/** A file that changes were applied to. */
export interface AppliedFile extends Pick<PlannedChange, 'path' | 'from' | 'before' | 'wasExecutable'> {
  /** Git’s hash of the file at `path` after changes were applied; null if there was none. */
  now: string | null;
}

/** How a file is kept until it's restored: `before` is the name of its stored content. */
export const keptFileSchema = z.object({
  path: z.string(),
  from: z.nullable(z.string()),
  before: z.nullable(z.string()),
  wasExecutable: z.nullable(z.boolean()),
  now: z.nullable(z.string()),
});
export type KeptFile = z.infer<typeof keptFileSchema>;

/**
 * How to restore a file: all of it, only its mode, or not at all, because it's the `same` as before or has `changed`
 * since.
 */
export type UndoStep = 'restore' | 'mode' | 'same' | 'changed';

/**
 * Plans how to restore a file. One that has changed since the changes were applied is left alone.
 * @param here what is at `path` now
 * @param origin what is at `from` now; the same as `here` if it wasn’t moved
 */
export function planUndo(file: AppliedFile, here: Local, origin: Local): UndoStep {
  const { path, from, before, wasExecutable, now } = file;
  if ((here && 'blocked' in here) || (origin && 'blocked' in origin)) return 'changed';
  const isMoved = from !== null && from !== path;
  if (sameBytes(origin?.content ?? null, before) && (!isMoved || here === null))
    return wasExecutable !== null && origin && origin.executable !== wasExecutable ? 'mode' : 'same';
  const hash = here && blobHash(here.content);
  // The last attempt may have restored the file at its old path, but failed to delete it at the other.
  const isFree = !isMoved || origin === null || sameBytes(origin.content, before);
  return hash === now && isFree ? 'restore' : 'changed';
}
