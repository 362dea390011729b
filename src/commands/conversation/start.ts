import * as l10n from '@vscode/l10n';
import { setTimeout as wait } from 'node:timers/promises';
import * as vscode from 'vscode';
import type { ApiClient } from '../../api/client';
import type { ConversationRequest } from '../../api/schemas/conversation';
import { showError, withProgress } from '../../platform/progress';
import { plainText } from '../../shared/plainText';
import { refOf } from '../../state/ref';
import { clientOf } from '../../state/session';
import { StartFailed, startConversation, type StartStep } from '../../state/startConversation';
import type { CommandDependencies, Handler } from '../dependencies';
import { askConversation, type ConversationChoice } from './askConversation';

type Needs = Pick<CommandDependencies, 'session' | 'model' | 'reveal'>;

/** Start Conversation…: asks, starts, follows the service's steps and ends at the conversation's row. */
export function start(needs: Needs): Handler {
  return async (argument) => {
    const client = clientOf(needs.session.current);
    if (!client) return;
    const ref = refOf(argument);
    const choice = await askConversation(client, needs.model, ref?.kind === 'sandbox' ? ref.id : undefined);
    if (choice) await startChosen(needs, client, choice);
  };
}

async function startChosen(
  { model, reveal }: Needs,
  client: ApiClient,
  choice: ConversationChoice,
): Promise<void> {
  const progress = { stopped: false };
  try {
    const id = await withProgress(l10n.t('Starting the conversation'), (report, signal) => {
      signal.addEventListener('abort', () => (progress.stopped = true), { once: true });
      const started = startConversation({
        client,
        request: requestOf(choice),
        resumeFirst: choice.sandbox?.resume ? choice.sandbox.sandbox : undefined,
        report: (step) => report(stepWords(step)),
        signal,
        wait: (ms, abort) => wait(ms, undefined, { signal: abort }),
      });
      return model.pending.during(started);
    });
    await model.refresh('conversations', 'sandboxes');
    await reveal({ kind: 'conversation', id });
    const open = l10n.t('Open in Browser');
    const picked = await vscode.window.showInformationMessage(l10n.t('The conversation has started.'), open);
    if (picked === open) {
      await vscode.env.openExternal(vscode.Uri.parse(client.conversationPageUrl(id), true));
    }
  } catch (error) {
    void model.refresh('conversations', 'sandboxes');
    if (progress.stopped) {
      void vscode.window.showInformationMessage(
        l10n.t('No longer waiting. What the service has begun goes on there and appears in the views.'),
      );
    } else if (error instanceof StartFailed) {
      void vscode.window.showErrorMessage(
        l10n.t('The service could not start the conversation: {0}', plainText(error.message, 300)),
      );
    } else {
      await showError(l10n.t('The conversation could not be started.'), error);
    }
  }
}

function requestOf({
  message,
  repository,
  branch,
  provider,
  sandbox,
  model,
}: ConversationChoice): ConversationRequest {
  return {
    ...(message !== '' && {
      initial_message: { role: 'user', content: [{ type: 'text', text: message }] },
    }),
    ...(repository !== undefined && { selected_repository: repository }),
    ...(repository !== undefined && branch !== undefined && { selected_branch: branch }),
    ...(repository !== undefined && provider !== undefined && { git_provider: provider }),
    ...(sandbox !== undefined && { sandbox_id: sandbox.sandbox.id }),
    ...(model !== undefined && { llm_model: model }),
  };
}

function stepWords(step: StartStep): string {
  switch (step.kind) {
    case 'resuming':
      return l10n.t('Resuming the sandbox…');
    case 'waitingForSandbox':
      return l10n.t('Waiting until the sandbox runs…');
    case 'creating':
      return l10n.t('Sending the request…');
    case 'task':
      return step.detail === undefined ? taskWords(step.status) : plainText(step.detail, 120);
  }
}

function taskWords(status: string): string {
  switch (status) {
    case 'WORKING':
      return l10n.t('The service has begun…');
    case 'WAITING_FOR_SANDBOX':
      return l10n.t('Waiting for a sandbox…');
    case 'PREPARING_REPOSITORY':
      return l10n.t('Preparing the repository…');
    case 'RUNNING_SETUP_SCRIPT':
      return l10n.t('Running the setup script…');
    case 'SETTING_UP_GIT_HOOKS':
      return l10n.t('Setting up git hooks…');
    case 'STARTING_CONVERSATION':
      return l10n.t('Starting the conversation…');
    default:
      return plainText(status, 60);
  }
}
