import { isSelectionOf } from '../../../core/text/lines';
import type { OpenText, Operation } from './operations';
import { localContent, type PlannedChange } from './plan';
import { sameBytes } from './same';
import type { ApplyTarget } from './planning';

/** The outcome for one file. */
export type FileOutcome =
  /** It is as planned, or as far as the user selected. */
  | 'done'
  /** The user left it out. */
  | 'skipped'
  /** The editor or a program wrote something else, such as formatted code. */
  | 'differs'
  /** Left alone: the editor couldn’t change it. */
  | 'failed'
  /** Left alone: it was changed after it was compared. */
  | 'changed'
  /** Only some of its operations were carried out, so the file may be gone. */
  | 'partial'
  /** Left alone: it's open in the editor, which can't keep its line ends or encoding. */
  | 'open'
  /** It is as planned, but its mode can’t be set here. */
  | 'withoutMode';

/** A change, and how the editor makes it. */
export interface PreparedChange {
  change: PlannedChange;
  operations: Operation[];
  open: OpenText | undefined;
  /** Why it’s left alone: it’s open, or was changed after the plan. */
  left?: 'open' | 'changed';
}

/** The outcome for a file if the editor did all that the user selected. */
export async function outcomeOf(
  { change, operations, open }: PreparedChange,
  read: ApplyTarget['read'],
): Promise<FileOutcome> {
  const { path, from, before, after } = change;
  const now = await read(path);
  const isMoved = from !== null && from !== path;
  const origin = isMoved ? await read(from) : now;
  const content = localContent(now);
  if (sameBytes(content, after) && (!isMoved || origin === null)) return 'done';
  if (from !== null && !now && !origin) return 'partial';
  if (from === path ? sameBytes(content, before) : !now) return 'skipped';
  const edited = operations.find((operation) => operation.kind === 'edit');
  if (!edited || !content || !open) return 'differs';
  const text = await open.decode(content);
  const isExact = sameBytes(await open.encode(text), content);
  return isExact && isSelectionOf(edited.lines, edited.hunks, text) ? 'done' : 'differs';
}

/** The outcome for a file if the editor did only some of it, or nothing: what the user selected isn’t known then. */
export async function outcomeOfFailed(
  prepared: PreparedChange,
  read: ApplyTarget['read'],
): Promise<FileOutcome> {
  const { change, operations } = prepared;
  const { path, from, after } = change;
  if (operations.length === 0) return 'failed';
  const found = await outcomeOf(prepared, read);
  if (found === 'skipped') return 'failed';
  const isEdited = operations.some(({ kind }) => kind === 'edit');
  // Someone else has written this in the meantime.
  if (found === 'differs') return from === null || (isEdited && from === path) ? 'changed' : 'partial';
  const isMovedOnly = isEdited && from !== path && !sameBytes(localContent(await read(path)), after);
  return isMovedOnly ? 'partial' : found;
}
