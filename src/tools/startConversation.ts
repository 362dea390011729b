import * as l10n from '@vscode/l10n';
import type * as z from 'zod/mini';
import { unlessAborted } from '../api/signals';
import { toolIds } from '../ids';
import { plainText } from '../shared/plainText';
import { StartFailed, type StartOptions } from '../state/startConversation';
import type { BegunStart } from '../state/startTasks';
import { sandboxPhase } from '../state/status';
import { sandboxLine } from './changeSandbox';
import { ToolError } from './errors';
import { inputs } from './inputs';
import { oneMoreWords } from './startSandbox';
import { connectionLine, defineTool, type Present, type Question } from './tool';

type Input = z.infer<typeof inputs.startConversation>;

/** Starts a conversation and waits until it can be opened; its start shows in the view Conversations meanwhile. */
export const startConversation = defineTool({
  id: toolIds.startConversation,
  input: inputs.startConversation,
  doing: () => l10n.t('Starting a conversation; this can take some minutes'),
  question,
  run: async (input, { client, model, starts }, signal) => {
    const { message, title, sandboxId } = input;
    const start = starts.begin({
      client,
      request: requestOf(input),
      place: sandboxId === undefined ? { kind: 'default' } : { kind: 'existing', sandboxId },
      label: title ?? message.split('\n', 1).join(),
      message,
    });
    const ended = start.ended.finally(() => void model.refresh('conversations', 'sandboxes'));
    try {
      const id = await unlessAborted(model.pending.during(ended), signal);
      return `The conversation was started, and its agent is at work:\n${JSON.stringify({
        id: plainText(id, 512),
        page: client.conversationPageUrl(id),
      })}\nThe user can follow it on that page; ${toolIds.listConversations} shows its state.`;
    } catch (error) {
      if (signal.aborted) throw new ToolError(leftWords(start.giveUp()));
      if (!(error instanceof StartFailed)) throw error;
      throw new ToolError(
        `The conversation was not started. Reason given: “${plainText(error.message, 300)}” The user finds the message in the view Conversations, and can try again there. ${
          sandboxId === undefined
            ? 'Do not call again before the user wants it.'
            : `Call ${toolIds.listSandboxes} to see which sandboxes there are, or call without sandboxId.`
        }`,
      );
    }
  },
});

function question(input: Input, present: Present): Question {
  const { message, repository, branch, sandboxId, model, title } = input;
  const sandbox = sandboxId === undefined ? undefined : present.model.sandboxes.get(sandboxId);
  return {
    title: l10n.t('Start a conversation with an agent?'),
    lines: [
      ...(title === undefined ? [] : [l10n.t('Title: {0}', title)]),
      repository === undefined
        ? l10n.t('Repository: none')
        : branch === undefined
          ? l10n.t('Repository: {0}, default branch', repository)
          : l10n.t('Repository: {0}, branch {1}', repository, branch),
      sandboxId === undefined
        ? l10n.t('Sandbox: new, as the service starts them')
        : sandboxLine(sandboxId, present),
      ...(sandbox && sandboxPhase(sandbox) === 'paused' ? [l10n.t('It is resumed first.')] : []),
      ...(sandbox && sandboxPhase(sandbox) === 'running' ? [] : oneMoreWords(present.model)),
      ...(model === undefined ? [] : [l10n.t('Model: {0}', model)]),
      connectionLine(present),
      l10n.t('The agent is told:'),
    ],
    quoted: message,
  };
}

function requestOf({
  message,
  repository,
  branch,
  gitProvider,
  model,
  title,
}: Input): StartOptions['request'] {
  return {
    initial_message: { role: 'user', content: [{ type: 'text', text: message }] },
    ...(repository !== undefined && { selected_repository: repository }),
    ...(branch !== undefined && { selected_branch: branch }),
    ...(gitProvider !== undefined && { git_provider: gitProvider }),
    ...(model !== undefined && { llm_model: model }),
    ...(title !== undefined && { title }),
  };
}

/** What a call that was given up leaves behind. */
function leftWords(outcome: ReturnType<BegunStart['giveUp']>): string {
  switch (outcome) {
    case 'goesOn':
      return `No longer waited for. The start goes on at the service, and its row in the view Conversations follows it. Do not start it again; ${toolIds.listConversations} shows when it is there.`;
    case 'ended':
      return 'Cancelled before the conversation was asked for, so there is none. A sandbox that was being resumed goes on.';
    case 'unknown':
      return `Cancelled while it was being asked for: it is not known whether the service has begun it. Call ${toolIds.listConversations} before you start it again.`;
  }
}
