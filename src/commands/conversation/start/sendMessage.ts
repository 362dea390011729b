import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import { openRepositories } from '../../../platform/git';
import { confirmed } from '../../../platform/inputs';
import type { MessageEditor } from '../../../platform/messageEditor';
import type { MessageContext } from '../../../platform/messageFile';
import { viewIds } from '../../../ids';
import { openAddress } from '../../../platform/openAddress';
import { showError, withProgress } from '../../../platform/progress';
import { asSentence } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { proposeRepositories, type RepositoryProposal } from '../../../state/conversations/gitRemote';
import { instructionIn, messageLabel } from '../../../state/conversations/selectionMessage';
import { StartFailed } from '../../../state/conversations/startConversation';
import { mayHaveStarted, NotFollowed, type BegunStart } from '../../../state/conversations/startTasks';
import { stepWords } from '../../../state/conversations/startWords';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseHere } from '../chooseHere';
import { askConversation } from './askConversation';
import { requestOf, type ConversationChoice } from './choice';

type Needs = Pick<CommandDependencies, 'session' | 'model' | 'reveal' | 'message' | 'starts'>;

/** Start Conversation, in the editor of the message: asks for the options, starts, and reports the outcome. */
export function sendMessage(needs: Needs): Handler {
  const { session, model, message } = needs;
  // Until the service accepts the message, sending again would only repeat it.
  let sending: symbol | undefined;
  // After a failed start, its options are offered again.
  let former: { context: string; choice: ConversationChoice } | undefined;
  return async () => {
    if (sending) return;
    const own = Symbol();
    sending = own;
    const sent = () => {
      if (sending === own) sending = undefined;
    };
    try {
      await message.keep();
      if (!(await hasInstruction(message))) return;
      const proposals = await proposalsFor(message.context);
      let context = '';
      const answer = await chooseHere(session, (present) => {
        context = JSON.stringify([present.baseUrl, message.context]);
        const choice = former?.context === context ? former.choice : firstChoice(message.context, proposals);
        return askConversation({ client: present, model, proposals, choice });
      });
      if (!answer) return;
      const { client, chosen: choice } = answer;
      former = { context, choice };
      await startChosen(needs, client, choice, () => {
        former = undefined;
        sent();
      });
    } finally {
      sent();
    }
  };
}

/** Whether the message says what to do with the code in it, or the user wants to start without that. */
async function hasInstruction({ text, selections }: MessageEditor): Promise<boolean> {
  if (text === '' || instructionIn(text, selections) !== '') return true;
  return confirmed(
    l10n.t('Start without instructions?'),
    l10n.t('The message contains only the selected code. Tell the agent what to do with it.'),
    l10n.t('Start Anyway'),
  );
}

async function proposalsFor({ about }: MessageContext): Promise<RepositoryProposal[]> {
  return proposeRepositories(
    await openRepositories(about === undefined ? undefined : vscode.Uri.parse(about)),
  );
}

function firstChoice(
  { sandboxId }: MessageContext,
  [proposal]: readonly RepositoryProposal[],
): ConversationChoice {
  return {
    repository: proposal?.repository,
    branch: proposal?.branch,
    provider: proposal?.provider,
    place: sandboxId === undefined ? { kind: 'default' } : { kind: 'existing', sandboxId },
    model: undefined,
    title: undefined,
  };
}

async function startChosen(
  { model, reveal, message, starts }: Needs,
  client: ApiClient,
  choice: ConversationChoice,
  accepted: () => void,
): Promise<void> {
  const text = message.text;
  try {
    const id = await withProgress(l10n.t('Starting conversation'), (report, signal) => {
      const start = starts.begin({
        client,
        request: requestOf(text, choice),
        place: choice.place,
        label: choice.title ?? messageLabel(text, message.selections),
        message: text,
        report: (step) => report(stepWords(step)),
        accepted: () => {
          accepted();
          // If the text has changed since, it's another message.
          if (message.text === text) void message.discard();
        },
      });
      const ended = start.ended.finally(() => void model.refresh('conversations', 'sandboxes'));
      return Promise.race([model.pending.during(ended), leftBy(signal, () => start.giveUp())]);
    });
    await model.refresh('conversations', 'sandboxes');
    // The editor may take its time to find a row while the list changes.
    await Promise.all([reveal({ kind: 'conversation', id }), offerToOpen(client, id)]);
  } catch (error) {
    // Show what the service has now before telling the user.
    if (mayHaveStarted(error)) await model.refresh('conversations', 'sandboxes');
    await tell(error);
  }
}

/** The user stopped waiting. */
class Left extends Error {
  constructor(readonly outcome: ReturnType<BegunStart['giveUp']>) {
    super();
  }
}

/** Rejects with `Left` when the signal is aborted. */
function leftBy(signal: AbortSignal, giveUp: BegunStart['giveUp']): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener('abort', () => reject(new Left(giveUp())), { once: true });
  });
}

async function tell(error: unknown): Promise<void> {
  const outcome = error instanceof Left ? error.outcome : undefined;
  if (outcome === 'unknown' || mayHaveStarted(error)) {
    await tellUnknown();
  } else if (outcome !== undefined) {
    void vscode.window.showInformationMessage(leftWords(outcome));
  } else if (error instanceof NotFollowed) {
    void vscode.window.showWarningMessage(
      l10n.t(
        'The session key was cleared or replaced. The conversation is still starting on the service. Follow it in Conversations after you set a key.',
      ),
    );
  } else if (error instanceof StartFailed) {
    void vscode.window.showErrorMessage(
      l10n.t(
        'Couldn’t start the conversation: {0} Your message is still in its row in Conversations.',
        asSentence(plainText(error.message, 300)),
      ),
    );
  } else {
    await showError(l10n.t('Couldn’t start the conversation. Your message is still here.'), error);
  }
}

/** Tells the user where to look after a start with an unknown outcome. */
async function tellUnknown(): Promise<void> {
  const show = l10n.t('Show Conversations');
  const picked = await vscode.window.showWarningMessage(
    l10n.t(
      'The conversation may have started. Check Conversations before trying again. Your message is still here.',
    ),
    show,
  );
  if (picked === show) await vscode.commands.executeCommand(`${viewIds.conversations}.focus`);
}

function leftWords(outcome: 'goesOn' | 'ended'): string {
  return outcome === 'goesOn'
    ? l10n.t('The conversation is still starting on the service. Follow it in Conversations.')
    : l10n.t('No conversation was started. Your message is still here. A sandbox may still be starting.');
}

async function offerToOpen(client: ApiClient, id: string): Promise<void> {
  const open = l10n.t('Open in Browser');
  const picked = await vscode.window.showInformationMessage(l10n.t('Conversation started.'), open);
  if (picked === open) {
    await openAddress(new URL(client.conversationPageUrl(id)));
  }
}
