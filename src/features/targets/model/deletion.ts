import { ApiError, isUnanswered } from '../../../api/http/errors';
import { bareId } from '../../../api/http/ids';
import type { ApiClient } from '../../../api/service/client';
import { checkConnection } from '../../../api/service/connectionCheck';
import type { Conversation } from '../../../api/service/schemas/conversation';
import { readPages, type Records } from '../../../core/lists/pages';

/** What deleting a conversation affects. */
export interface Deletion {
  conversation: Conversation;
  /** The conversations that its agent started, and theirs: they're deleted too. */
  below: Conversation[];
  /** The others in its sandbox. */
  beside: Conversation[];
  /** Of its sandbox, where it’s known. */
  sandboxId: Conversation['sandbox_id'];
  /** All conversations could be read, so nothing else can go with this one. Otherwise, it may not be deleted. */
  isComplete: boolean;
  /** No other conversation is in its sandbox. False if that isn’t certain. */
  isAlone: boolean;
  /** Whether others in the sandbox survive. Where they don’t, only a conversation that is alone may be deleted. */
  sparesOthers: boolean;
  /** On a standalone agent server, which deletes nothing but the conversation and maybe its folder. */
  hasNoSandbox: boolean;
}

/**
 * `changed`: nothing was deleted, because that would now affect something else. `sandboxMayStay`: the conversation was
 * deleted, but maybe not its sandbox.
 */
type DeletionOutcome = 'deleted' | 'changed' | 'sandboxMayStay';

type Client = Pick<
  ApiClient,
  | 'listConversations'
  | 'deleteConversation'
  | 'getConversation'
  | 'sandboxes'
  | 'sparesOthers'
  | 'getSettings'
>;

/**
 * Reads all conversations to find what deleting one affects (docs/protocol/live-conversations.md, “Deleting”). Throws
 * ApiError.
 */
export async function planDeletion(
  client: Client,
  conversation: Conversation,
  signal?: AbortSignal,
): Promise<Deletion> {
  const [plan] = await planDeletions(client, [conversation], signal);
  if (!plan) throw new Error('A conversation has a plan of its own.');
  return plan;
}

/**
 * Plans several deletions with one reading. Conversations that are deleted with another one have no plan of their own.
 */
export async function planDeletions(
  client: Client,
  conversations: readonly Conversation[],
  signal?: AbortSignal,
): Promise<Deletion[]> {
  if (!client.sandboxes)
    return conversations.map((conversation) => ({
      conversation,
      below: [],
      beside: [],
      sandboxId: undefined,
      isComplete: true,
      isAlone: true,
      sparesOthers: true,
      hasNoSandbox: true,
    }));
  const { items, complete } = await readAll(client, signal);
  const plans = conversations.map((conversation) => planAmong(items, complete, conversation));
  if (plans.some(({ isAlone }) => !isAlone) && !client.sparesOthers) {
    // The service may have been updated since it was last asked.
    const check = await checkConnection(client, signal);
    if ('error' in check) throw check.error;
  }
  const along = new Set(plans.flatMap(({ below }) => below.map(({ id }) => bareId(id))));
  const sparesOthers = client.sparesOthers === true;
  return plans
    .filter(({ conversation }) => !along.has(bareId(conversation.id)))
    .map((plan) => ({ ...plan, sparesOthers }));
}

function planAmong(
  items: readonly Conversation[],
  isRead: boolean,
  conversation: Conversation,
): Omit<Deletion, 'sparesOthers'> {
  const itself = bareId(conversation.id);
  const others = items.filter(({ id }) => bareId(id) !== itself);
  const below = descendants(itself, others);
  const found = items.find(({ id }) => bareId(id) === itself);
  // A list without the conversation itself may lack others, too.
  const complete = isRead && found !== undefined;
  const sandboxId = (found ?? conversation).sandbox_id;
  const inside = others.filter(({ sandbox_id }) => sandbox_id === sandboxId);
  return {
    conversation,
    below,
    beside: inside.filter((one) => !below.includes(one)),
    sandboxId,
    isComplete: complete,
    isAlone: complete && Boolean(sandboxId) && inside.length === 0,
    hasNoSandbox: false,
  };
}

/** Whether nothing but what the plan says can go. */
export const isSafe = ({ isComplete, isAlone, sparesOthers }: Deletion): boolean =>
  isComplete && (isAlone || sparesOthers);

/** The conversations in these sandboxes, whatever the views have loaded; maybe not all. Throws ApiError. */
export async function conversationsIn(
  client: Pick<ApiClient, 'listConversations'>,
  sandboxIds: readonly string[],
  signal?: AbortSignal,
): Promise<Records<Conversation>> {
  const { items, complete } = await readAll(client, signal);
  return { items: items.filter(({ sandbox_id: id }) => id && sandboxIds.includes(id)), complete };
}

/** One of which nobody can read where it belongs may be in any sandbox, and below any other one. */
async function readAll(
  client: Pick<ApiClient, 'listConversations'>,
  signal?: AbortSignal,
): Promise<Records<Conversation>> {
  const { items, complete } = await readPages((query) =>
    client.listConversations({ ...query, includeSubConversations: true }, signal),
  );
  const isPlaced = (one: Conversation) => one.sandbox_id !== '' && one.parent_conversation_id !== '';
  return { items, complete: complete && items.every(isPlaced) };
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

/** Deletes a conversation, unless the deletion would now affect something else. Throws ApiError. */
export async function deleteAsPlanned(
  client: Client,
  plan: Deletion,
  signal?: AbortSignal,
): Promise<DeletionOutcome> {
  const now = await planDeletion(client, plan.conversation, signal);
  if (!now.isComplete || whatGoes(now) !== whatGoes(plan)) return 'changed';
  return deleteNow(client, now, signal);
}

/** One of several that wasn’t deleted: with its error, or without one, as that would now affect something else. */
export interface NotDeleted {
  plan: Deletion;
  error?: unknown;
}

/**
 * Deletes several, one after the other, unless that would now affect something else. One that can’t be deleted keeps no
 * other one from it. Throws ApiError if it can’t be read what they affect, and if the signal is aborted.
 *
 * @param done called after each that was deleted
 */
export async function deleteAllAsPlanned(
  client: Client,
  plans: readonly Deletion[],
  done: (plan: Deletion, outcome: DeletionOutcome) => void,
  signal?: AbortSignal,
): Promise<NotDeleted[]> {
  const conversations = plans.map(({ conversation }) => conversation);
  const now = await planDeletions(client, conversations, signal);
  const all = (some: readonly Deletion[]) => JSON.stringify(some.map(whatGoes));
  if (!now.every(isSafe) || all(now) !== all(plans)) return plans.map((plan) => ({ plan }));
  const left: NotDeleted[] = [];
  for (const plan of now) {
    signal?.throwIfAborted();
    // Without an answer, the others would wait in vain, too.
    const silent = left.find(({ error }) => isUnanswered(error));
    if (silent) {
      left.push({ ...silent, plan });
      continue;
    }
    try {
      // Where others in a sandbox survive, the deletions before can't have changed what this one affects.
      const outcome = plan.sparesOthers
        ? await deleteNow(client, plan, signal)
        : await deleteAsPlanned(client, plan, signal);
      if (outcome === 'changed') left.push({ plan });
      else done(plan, outcome);
    } catch (error) {
      signal?.throwIfAborted();
      left.push({ plan, error });
    }
  }
  return left;
}

async function deleteNow(client: Client, now: Deletion, signal?: AbortSignal): Promise<DeletionOutcome> {
  const { id } = now.conversation;
  try {
    await client.deleteConversation(id, now.isAlone, signal);
  } catch (error) {
    if (!(error instanceof ApiError) || !error.outcomeUnknown) throw error;
    if (await client.getConversation(id, signal)) throw error;
  }
  if (now.sparesOthers || !now.sandboxId) return 'deleted';
  return (await deleteSandbox(client, now.sandboxId, signal)) ? 'deleted' : 'sandboxMayStay';
}

/**
 * Deletes a sandbox that the service may have left: later releases of the first generation do, such as 1.6.0. Returns
 * whether it’s certain to be gone; it isn’t deleted if there is a conversation in it again.
 */
async function deleteSandbox(client: Client, sandboxId: string, signal?: AbortSignal): Promise<boolean> {
  try {
    const { items, complete } = await readAll(client, signal);
    if (!complete || items.some(({ sandbox_id }) => sandbox_id === sandboxId)) return false;
    await client.sandboxes?.deleteSandbox(sandboxId, signal);
    return true;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return error.status === 404;
  }
}

const whatGoes = ({ below, beside, sandboxId, isAlone, sparesOthers }: Deletion) =>
  JSON.stringify([
    below.map(({ id }) => id).sort(),
    beside.map(({ id }) => id).sort(),
    sandboxId,
    isAlone,
    sparesOthers,
  ]);
