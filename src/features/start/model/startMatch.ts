import { bareId } from '../../../api/http/ids';
import type { Conversation } from '../../../api/service/schemas/conversation';
import type { StartStep } from './startConversation';

/**
 * Finds the conversations that starts in progress create: the service lists them a moment before the start is done. At
 * that time, only the sandbox and the time of the request are known of a start.
 *
 * @param ended ids of conversations whose starts are done, as returned by `bareId`
 * @returns ids of conversations
 */
export function conversationsOf(
  starts: readonly { step: StartStep; failure?: string | undefined }[],
  conversations: readonly Conversation[],
  ended: ReadonlySet<string>,
): ReadonlySet<string> {
  const claimed = new Set<string>();
  for (const { step, failure } of starts) {
    if (step.kind !== 'task' || failure !== undefined) continue;
    const { sandboxId, begunAt } = step;
    if (sandboxId === undefined || begunAt === undefined) continue;
    const [own] = conversations
      .filter(
        ({ id, sandbox_id, created_at, parent_conversation_id }) =>
          sandbox_id === sandboxId &&
          !parent_conversation_id &&
          !ended.has(bareId(id)) &&
          !claimed.has(id) &&
          createdAt(created_at) >= begunAt,
      )
      .sort((one, other) => createdAt(one.created_at) - createdAt(other.created_at));
    if (own) claimed.add(own.id);
  }
  return claimed;
}

const createdAt = (iso: string | null | undefined) => Date.parse(iso ?? '') || 0;
