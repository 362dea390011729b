import { needed } from '../../../api/service/client';
import { Refusal } from '../../../core/basics/refusal';
import type { Following } from './following';
import type { TranscriptPorts } from './ports';
import { cannotReach, words } from '../../transcript';

/** How often to check a resuming sandbox, and when to give up, in milliseconds. */
const lookMs = 3_000;
const patienceMs = 180_000;

/**
 * Resumes a paused sandbox, and waits until its agent server is there. Throws a Refusal if that takes too long or the
 * user doesn’t allow connecting to it, and ApiError.
 * @param place where to look: `locate` resolves to whether the agent server is there, and `limit` is why not
 */
export async function wakeSandbox(
  { client, after, now }: Pick<TranscriptPorts, 'client' | 'after' | 'now'>,
  sandboxId: string,
  place: Pick<Following, 'locate' | 'limit'>,
  signal: AbortSignal,
): Promise<void> {
  const began = now();
  await needed(client.sandboxes).resumeSandbox(sandboxId, signal);
  while (!(await place.locate())) {
    const { limit } = place;
    // The user has decided, so don't ask again.
    if (limit === 'notAccepted') throw new Refusal(cannotReach.notAccepted());
    if (now() - began > patienceMs || signal.aborted) {
      const isStarting = limit === 'asleep' || limit === 'stored';
      throw new Refusal(isStarting ? words.tooSlow() : cannotReach[limit]());
    }
    await new Promise<void>((resolve) => after(lookMs, resolve));
  }
}
