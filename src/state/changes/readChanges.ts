import type { Limit } from '../../shared/transcript';
import { unlessAborted } from '../../api/http/signals';
import { Refusal } from '../basics/refusal';
import type { ReadChanges } from './changeSet';
import type { ConversationModel } from '../transcript/model';
import { onceRead } from '../transcript/onceRead';

/** The repositories of a conversation that have changes; `limit` says why they come from its events only. */
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
  const read = await unlessAborted(model.changes.repositories(signal), signal).catch((error: unknown) => {
    // If the sandbox can be reached, the failure has another reason, which events would hide.
    if (signal.aborted || (error instanceof Refusal && isApart(model.head.limit))) return undefined;
    throw error;
  });
  if (read) return { repositories: changed(read), limit: undefined };
  const source = await onceRead(model, signal, () => model.changes.fromEvents(signal));
  if (!source || signal.aborted) return undefined;
  const changes = await source.list(signal);
  return { repositories: changed([{ source, changes }]), limit: model.head.limit };
}

/** Likewise, from the sandbox only, which is resumed if it’s paused. */
export async function resumeAndRead(
  model: ConversationModel,
  signal: AbortSignal,
  whileWaking: () => void,
): Promise<AllChanges> {
  const read = await unlessAborted(model.changes.repositories(signal, whileWaking), signal);
  return { repositories: changed(read), limit: undefined };
}

const isApart = (limit: Limit) => limit !== 'none' && limit !== 'busy';

const changed = (read: readonly ReadChanges[]) => read.filter(({ changes }) => changes.files.length > 0);
