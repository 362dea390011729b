import * as l10n from '@vscode/l10n';
import { toolIds } from '../../ids';
import { plainText } from '../../shared/plainText';
import { conversationName } from '../../core/lists/names';
import { sandboxPhase } from '../../core/lists/status';
import { onceRead } from '../live';
import { conversationOf, waitsForUserError } from './conversation';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { pauseLines } from './startSandbox';
import { connectionLine, defineTool } from './tool';

/**
 * Sends a message to an agent, which the user reads and agrees to each time. Not while the agent waits for approval: the
 * message would reject what it asks for, and that is for the user to decide.
 */
export const messageConversation = defineTool({
  input: inputs.messageConversation,
  doing: () => l10n.t('Sending a message to an agent'),
  question: ({ conversationId, message }, context) => {
    const conversation = context.conversation(conversationId);
    const status = conversation?.sandbox_status;
    return {
      title: l10n.t('Send a message to an agent?'),
      lines: [
        l10n.t('Conversation: {0}', conversationName(conversation ?? { id: conversationId, title: null })),
        ...(sandboxPhase({ status }) === 'paused'
          ? [l10n.t('The sandbox is paused and will be resumed first.'), ...pauseLines(context, 'resume')]
          : []),
        connectionLine(context),
        l10n.t('Message to the agent:'),
      ],
      quoted: message,
    };
  },
  asksAbout: ({ conversationId }) => conversationId,
  run: async ({ conversationId, message }, context, signal) => {
    const { model } = await conversationOf(conversationId, context, signal);
    const outcome = await onceRead(model, signal, () => {
      if (model.head.execution === 'waiting_for_confirmation')
        throw new ToolError(`Nothing was sent. ${waitsForUserError('')}`);
      return model.send(message);
    });
    const read = `Call ${toolIds.readConversation} to see what the agent does.`;
    switch (outcome?.kind) {
      case undefined:
        throw new ToolError('The call was canceled before the message was sent.');
      case 'done':
        return `The message was sent, and the agent works on its own from here. ${read}`;
      case 'refused':
        throw new ToolError(
          `The message wasn’t sent: ${plainText(outcome.problem, 300)} It’s in the conversation’s editor, where the user can send it. Don’t send it again unless the user wants it.`,
        );
      case 'unknown':
        throw new ToolError(
          `The message may have been sent: ${plainText(outcome.problem, 300)} Don’t send it again. ${read}`,
        );
    }
  },
});
