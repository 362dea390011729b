import type { Conversation } from '../../api/service/schemas/conversation';
import { toolIds } from '../../ids';
import { plainText } from '../../shared/plainText';
import type { ConversationModel } from '../live';
import { connectionChanged, ToolError } from './errors';
import type { ToolContext } from './tool';

/** A conversation of the connected service, read afresh, with its model. Throws ToolError and ApiError. */
export async function conversationOf(
  id: string,
  { client, conversations }: Pick<ToolContext, 'client' | 'conversations'>,
  signal: AbortSignal,
): Promise<{ conversation: Conversation; model: ConversationModel }> {
  const conversation = await client.getConversation(id, signal);
  const models = await conversations();
  // The same id on another service is a different conversation.
  if (models.service !== client.baseUrl) throw new ToolError(connectionChanged);
  const model = conversation && models.model(conversation.id);
  if (conversation && model) return { conversation, model };
  throw new ToolError(
    `The service has no conversation with the id “${plainText(id, 100)}”, so nothing was done. Call ${toolIds.listConversations} to get a valid id.`,
  );
}

/** Why the agent can’t continue, and that no tool can change that. */
export const waitsForUserError = (what: string) =>
  `The agent is waiting for the user’s approval${what}. No tool can approve or reject: ask the user to review it in the editor, with the command “Agent Workspace: Review Actions…”.`;
