import type { ConversationModels } from '../state/transcript/models';
import { namedConversation } from './conversation/chooseConversation';
import type { Handler } from './dependencies';

type Needs = Pick<ConversationModels, 'hold'>;

/** Does work on a service that the window may not be connected to; its models are there until the work is done. */
export async function whileHeld(
  conversations: Needs,
  service: string | undefined,
  work: () => Promise<void>,
): Promise<void> {
  if (service === undefined) return work();
  const holding = conversations.hold(service);
  try {
    await holding.reached;
    await work();
  } finally {
    holding.dispose();
  }
}

/** A command that has the models of the service that its argument names. */
export function held(conversations: Needs, handler: Handler): Handler {
  return (...args) =>
    whileHeld(conversations, namedConversation(args[0], undefined)?.service, () => handler(...args));
}
