import { ApiError } from '../../api/http/errors';
import { bareId } from '../../api/http/ids';
import type { ApiClient } from '../../api/service/client';
import type { Conversation } from '../../api/service/schemas/conversation';
import { readPages } from '../lists/pages';

/** What goes with a conversation that is deleted. */
export interface Deletion {
  conversation: Conversation;
  /** The conversations that its agent started, and theirs: they go with it. */
  below: Conversation[];
  /** The others in its sandbox. */
  beside: Conversation[];
  /** No other conversation is in its sandbox. False if that isn’t certain. */
  isAlone: boolean;
  /** Whether others in the sandbox survive. Where they don’t, only a conversation that is alone may be deleted. */
  sparesOthers: boolean;
  /** At an agent server by itself, where nothing is deleted but the conversation and maybe its folder. */
  hasNoSandbox: boolean;
}

type Client = Pick<ApiClient, 'listConversations' | 'deleteConversation' | 'getConversation' | 'generation'>;

/** Reads all conversations to find what goes with one (live-conversations: “Deleting”). Throws ApiError. */
export async function planDeletion(
  client: Client,
  conversation: Conversation,
  signal?: AbortSignal,
): Promise<Deletion> {
  const generation = client.generation?.();
  if (generation === 'agentServer')
    return { conversation, below: [], beside: [], isAlone: true, sparesOthers: true, hasNoSandbox: true };
  const { items, complete } = await readPages((query) =>
    client.listConversations({ ...query, includeSubConversations: true }, signal),
  );
  const itself = bareId(conversation.id);
  const others = items.filter(({ id }) => bareId(id) !== itself);
  const below = descendants(itself, others);
  const sandbox = (items.find(({ id }) => bareId(id) === itself) ?? conversation).sandbox_id;
  const inside = others.filter(({ sandbox_id }) => sandbox_id === sandbox);
  return {
    conversation,
    below,
    beside: inside.filter((one) => !below.includes(one)),
    isAlone: complete && Boolean(sandbox) && inside.length === 0,
    sparesOthers: generation === 'current',
    hasNoSandbox: false,
  };
}

function descendants(id: string, others: readonly Conversation[]): Conversation[] {
  const family = new Set([id]);
  const found: Conversation[] = [];
  for (let known = 0; known !== family.size;) {
    known = family.size;
    for (const one of others) {
      const parent = one.parent_conversation_id;
      if (!parent || !family.has(bareId(parent)) || family.has(bareId(one.id))) continue;
      family.add(bareId(one.id));
      found.push(one);
    }
  }
  return found;
}

/**
 * Deletes a conversation, if what goes with it is still as people were told. Resolves to whether it was; throws ApiError.
 */
export async function deleteAsPlanned(
  client: Client,
  plan: Deletion,
  signal?: AbortSignal,
): Promise<boolean> {
  const now = await planDeletion(client, plan.conversation, signal);
  if (whatGoes(now) !== whatGoes(plan)) return false;
  const { id } = plan.conversation;
  try {
    await client.deleteConversation(id, now.isAlone, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.outcomeUnknown) throw error;
    if (await client.getConversation(id, signal)) throw error;
  }
  return true;
}

const whatGoes = ({ below, beside, isAlone, sparesOthers }: Deletion) =>
  JSON.stringify([
    below.map(({ id }) => id).sort(),
    beside.map(({ id }) => id).sort(),
    isAlone,
    sparesOthers,
  ]);
