import type { Limit } from '../../../shared/transcript';
import { unlessAborted } from '../../../api/http/signals';
import { Refusal } from '../../../core/basics/refusal';
import type { ReadChanges } from '../../sandboxChanges';
import { type ConversationModel, onceRead } from '../../live';

/** The changes of a conversation. */
export interface AllChanges {
  /** Repositories with changes. */
  repositories: ReadChanges[];
  /** Why the changes come from the conversation’s events only. */
  limit: Limit | undefined;
  /** Whether this is everything, as far as git in the sandbox can tell. */
  isWhole: boolean;
  /** What couldn’t be read in the sandbox: files, and folders of repositories. */
  unread: readonly string[];
  /** If nothing has changed: the branches with new commits that aren’t checked out. */
  branches: readonly string[];
}

/**
 * Reads the changes of a conversation: from its sandbox, or from its events if that can’t be reached. Throws ApiError, and
 * a Refusal with what to do.
 *
 * @returns undefined if the signal ends the wait
 */
export async function readChanges(
  model: ConversationModel,
  signal: AbortSignal,
): Promise<AllChanges | undefined> {
  const reading = model.changes.repositories(signal).then((read) => fromSandbox(model, read, signal));
  const all = await unlessAborted(reading, signal).catch((error: unknown) => {
    // If the sandbox can be reached, the failure has another reason, which events would hide.
    if (signal.aborted || (error instanceof Refusal && isApart(model.head.limit))) return undefined;
    throw error;
  });
  if (all) return all;
  const source = await onceRead(model, signal, () => model.changes.fromEvents(signal));
  if (!source || signal.aborted) return undefined;
  const changes = await source.list(signal);
  const repositories = changes.files.length > 0 ? [{ source, changes }] : [];
  return { repositories, limit: model.head.limit, isWhole: false, unread: [], branches: [] };
}

/** Reads all changes from the sandbox only, which is resumed if it’s paused. */
export async function resumeAndRead(
  model: ConversationModel,
  signal: AbortSignal,
  whileWaking: () => void,
): Promise<AllChanges> {
  const reading = model.changes.repositories(signal, whileWaking);
  return unlessAborted(
    reading.then((read) => fromSandbox(model, read, signal)),
    signal,
  );
}

/** Whether changes may be missing of which nothing is known, not even the branch that they’re on. */
export const mayBeMissing = ({ isWhole, branches }: Pick<AllChanges, 'isWhole' | 'branches'>): boolean =>
  !isWhole && branches.length === 0;

const isApart = (limit: Limit) => limit !== 'none' && limit !== 'busy';

async function fromSandbox(
  { changes: git }: ConversationModel,
  read: readonly ReadChanges[],
  signal: AbortSignal,
): Promise<AllChanges> {
  const repositories = read.filter(({ changes }) => changes.files.length > 0);
  const isRead = read.every(({ changes: { complete, files, repository } }) => {
    // Without a base, what was committed doesn’t show.
    const isUnproven = files.length === 0 && repository.basis === 'unsure';
    return complete && !isUnproven;
  });
  const branches = isRead && repositories.length === 0 ? await git.branches(signal) : [];
  return {
    ...{ repositories, branches },
    limit: undefined,
    isWhole: isRead && branches.length === 0,
    unread: [...new Set(read.flatMap(({ changes }) => changes.unread ?? []))],
  };
}
