import type { Limit } from '../../shared/transcript';
import { unlessAborted } from '../../api/http/signals';
import { Refusal } from '../basics/refusal';
import type { ChangeSet, ChangeSource } from './model';
import type { ConversationModel } from '../transcript/model';
import { onceRead } from '../transcript/onceRead';

/** The changes of a repository, and where they come from. */
export interface ReadChanges {
  source: ChangeSource;
  changes: ChangeSet;
}

/** All changes of a conversation; `limit` says why they come from its events only. */
export interface AllChanges {
  repositories: ReadChanges[];
  limit: Limit | undefined;
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
  const sources = await unlessAborted(model.changes.repositories(signal), signal).catch((error: unknown) => {
    // With the sandbox within reach, the reason is another, and events would hide it.
    if (error instanceof Refusal && isApart(model.head.limit)) return undefined;
    throw error;
  });
  if (sources) return { repositories: await listAll(sources, signal), limit: undefined };
  const source = await onceRead(model, signal, () => model.changes.fromEvents(signal));
  return source && { repositories: await listAll([source], signal), limit: model.head.limit };
}

/** Likewise, from the sandbox only, which is resumed if it’s paused. */
export async function resumeAndRead(
  model: ConversationModel,
  signal: AbortSignal,
  whileWaking: () => void,
): Promise<AllChanges> {
  const sources = await unlessAborted(model.changes.repositories(signal, whileWaking), signal);
  return { repositories: await listAll(sources, signal), limit: undefined };
}

const isApart = (limit: Limit) => limit !== 'none' && limit !== 'busy';

/** One after the other: sandboxes answer few requests at a time. */
async function listAll(sources: readonly ChangeSource[], signal: AbortSignal): Promise<ReadChanges[]> {
  const read: ReadChanges[] = [];
  for (const source of sources) {
    const changes = await source.list(signal);
    if (changes.files.length > 0) read.push({ source, changes });
  }
  return read;
}
