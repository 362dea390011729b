import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { unlessAborted } from '../../api/http/signals';
import { toolIds } from '../../ids';
import { plainText } from '../../shared/plainText';
import { titleOfMessage } from '../../core/lists/names';
import { StartFailed, Dismissed, NotFollowed, type LeftStart } from '../start';
import { sandboxPhase } from '../../core/lists/status';
import { sandboxLine } from './changeSandbox';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { pauseLines } from './startSandbox';
import { isOnServer, serverChoice, serverQuestion } from './startOnServer';
import { connectionLine, defineTool, type ToolContext, type Question } from './tool';

type Input = z.infer<typeof inputs.startConversation>;

/** Starts a conversation and waits until it can be opened. Until then, its start is shown in Conversations. */
export const startConversationTool = defineTool({
  input: inputs.startConversation,
  doing: () => l10n.t('Starting a conversation (this can take a few minutes)'),
  question,
  run: async (input, context, signal) => {
    const { client, model, starts } = context;
    const { message, title, sandboxId, folder } = input;
    if (folder !== undefined && !isOnServer(context)) throw new ToolError(noFolders);
    const agent = isOnServer(context) ? await serverChoice(input, context, signal) : undefined;
    const start = starts.begin({
      client,
      choice: {
        repository: input.repository,
        branch: input.branch,
        provider: input.gitProvider,
        place: sandboxId === undefined ? { kind: 'default' } : { kind: 'existing', sandboxId },
        model: input.model,
        title,
        ...(agent && { agent }),
      },
      label: title ?? titleOfMessage(message),
      message,
    });
    const ended = start.ended.finally(() => void model.refresh('conversations', 'sandboxes'));
    try {
      const id = await unlessAborted(model.pending.during(ended), signal);
      return `The conversation was started, and its agent is working:\n${JSON.stringify({
        id: plainText(id, 512),
        ...(agent ? { folder: plainText(agent.folder, 1_000) } : { page: client.conversationPageUrl?.(id) }),
      })}\nThe user can follow it ${agent ? 'in the Conversations view' : 'on that page'}. ${toolIds.listConversations} returns its state.`;
    } catch (error) {
      if (signal.aborted) throw new ToolError(leftWords(start.giveUp()));
      if (error instanceof NotFollowed) throw new ToolError(notFollowed);
      if (error instanceof Dismissed) throw new ToolError(dismissed);
      if (!(error instanceof StartFailed)) throw error;
      throw new ToolError(
        `Couldn’t start the conversation: “${plainText(error.message, 300)}” The message is still in the Conversations view, where the user can try again. ${
          sandboxId === undefined
            ? 'Call again only if the user wants it.'
            : `Call ${toolIds.listSandboxes} to see the available sandboxes, or call without sandboxId.`
        }`,
      );
    }
  },
});

function question(input: Input, context: ToolContext): Question | undefined {
  if (isOnServer(context)) return serverQuestion(input, context);
  if (input.folder !== undefined) return undefined;
  const { message, repository, branch, sandboxId, model, title } = input;
  const sandbox = sandboxId === undefined ? undefined : context.model.sandboxes.get(sandboxId);
  return {
    title: l10n.t('Start a conversation with an agent?'),
    lines: [
      ...(title === undefined ? [] : [l10n.t('Title: {0}', title)]),
      repository === undefined
        ? l10n.t('Repository: none')
        : branch === undefined
          ? l10n.t('Repository: {0}, default branch', repository)
          : l10n.t('Repository: {0}, branch {1}', repository, branch),
      sandboxId === undefined ? l10n.t('Sandbox: new (service default)') : sandboxLine(sandboxId, context),
      ...(sandbox && sandboxPhase(sandbox) === 'paused'
        ? [l10n.t('The sandbox is paused and will be resumed first.')]
        : []),
      ...(sandbox && sandboxPhase(sandbox) === 'running'
        ? []
        : pauseLines(context, sandbox ? 'resume' : 'start')),
      ...(model === undefined ? [] : [l10n.t('Model: {0}', model)]),
      connectionLine(context),
      l10n.t('Message to the agent:'),
    ],
    quoted: message,
  };
}

const noFolders =
  'Agents of this service work in sandboxes, not in folders. Nothing was started. Call again without folder.';

const notFollowed = `The session key was cleared or replaced while the conversation was starting. It is still starting on the service. Don’t start it again: ask the user to run the command “Agent Workspace: Set Session Key…”, then call ${toolIds.listConversations}.`;

const dismissed = `The user dismissed the start in the Conversations view. The service may still create the conversation. Don’t start it again. Call ${toolIds.listConversations} to see whether it’s there.`;

/** What became of a start after its call was canceled. */
function leftWords(outcome: LeftStart): string {
  switch (outcome) {
    case 'goesOn':
      return `The call was canceled. The conversation is still starting on the service, and the Conversations view shows its progress. Don’t start it again. Call ${toolIds.listConversations} to see when it’s ready.`;
    case 'ended':
      return 'The call was canceled before the request was sent, so no conversation was started. A sandbox may still be resuming.';
    case 'unknown':
      return `The call was canceled while the request was being sent. The conversation may have started. Call ${toolIds.listConversations} before you start it again.`;
  }
}
