import type { Handler } from '../../editor/handler';
import type { CommandId } from '../../ids';
import { lazily } from '../../lazily';
import type { ConversationCommand } from './conversationCommands';
import type { CommandDependencies, EarlyDependencies } from './dependencies';
import { serviceCommands } from './serviceCommands';

/** Finds every command of the extension. Those on conversations, and what they need, are loaded with the first of them. */
export function commandHandlers(
  early: EarlyDependencies,
  load: () => Promise<CommandDependencies>,
): (id: CommandId) => Promise<Handler> {
  const ofServices: Partial<Record<CommandId, Handler>> = serviceCommands(early);
  const ofConversations = lazily(async () => {
    const { conversationCommands } = await import('./conversationCommands');
    return conversationCommands(await load());
  });
  return async (id) => ofServices[id] ?? (await ofConversations())[id as ConversationCommand];
}
