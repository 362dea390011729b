import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/client';
import { ApiError } from '../../../api/errors';
import { openRepositories } from '../../../platform/git';
import type { MessageContext } from '../../../platform/messageFile';
import { showError, withProgress } from '../../../platform/progress';
import { asSentence } from '../../../shared/joined';
import { plainText } from '../../../shared/plainText';
import { proposeRepositories, type RepositoryProposal } from '../../../state/gitRemote';
import { StartFailed } from '../../../state/startConversation';
import type { BegunStart } from '../../../state/startTasks';
import { stepWords } from '../../../state/startWords';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseHere } from '../chooseHere';
import { askConversation } from './askConversation';
import { requestOf, type ConversationChoice } from './choice';

type Needs = Pick<CommandDependencies, 'session' | 'model' | 'reveal' | 'message' | 'starts'>;

/** Start Conversation, in the editor of the message: shows what it starts with, starts, and follows the start. */
export function sendMessage(needs: Needs): Handler {
  const { session, model, message } = needs;
  // One at a time: until the service has taken a message, the next could only be the same again.
  let sending: symbol | undefined;
  // A start that failed is tried again with what was chosen for it.
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
    const id = await withProgress(l10n.t('Starting the conversation'), (report, signal) => {
      const start = starts.begin({
        client,
        request: requestOf(text, choice),
        place: choice.place,
        label: choice.title ?? text.split('\n', 1).join(),
        message: text,
        report: (step) => report(stepWords(step)),
        accepted: () => {
          accepted();
          // What was typed meanwhile is another message.
          if (message.text === text) void message.discard();
        },
      });
      const ended = start.ended.finally(() => void model.refresh('conversations', 'sandboxes'));
      return Promise.race([model.pending.during(ended), leftBy(signal, () => start.giveUp())]);
    });
    await model.refresh('conversations', 'sandboxes');
    await reveal({ kind: 'conversation', id });
    await offerToOpen(client, id);
  } catch (error) {
    await tell(error);
  }
}

/** The user no longer waits. */
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
  if (error instanceof Left) {
    void vscode.window.showInformationMessage(leftWords(error.outcome));
  } else if (error instanceof StartFailed) {
    void vscode.window.showErrorMessage(
      l10n.t(
        'The service could not start the conversation: {0} Your message is kept: see its row in Conversations.',
        asSentence(plainText(error.message, 300)),
      ),
    );
  } else {
    const unknown = error instanceof ApiError && error.outcomeUnknown;
    await showError(
      unknown
        ? l10n.t('It is not known whether the conversation was started. Your message is kept.')
        : l10n.t('The conversation could not be started. Your message is kept.'),
      error,
    );
  }
}

function leftWords(outcome: Left['outcome']): string {
  switch (outcome) {
    case 'goesOn':
      return l10n.t(
        'No longer waiting. The start goes on at the service; its row in Conversations follows it.',
      );
    case 'ended':
      return l10n.t(
        'No conversation was started; your message is still in its editor. A sandbox that was being started or resumed goes on.',
      );
    case 'unknown':
      return l10n.t(
        'It is not known whether the service has begun the conversation: look at Conversations before you start it again. Your message is still in its editor.',
      );
  }
}

async function offerToOpen(client: ApiClient, id: string): Promise<void> {
  const open = l10n.t('Open in Browser');
  const picked = await vscode.window.showInformationMessage(l10n.t('The conversation has started.'), open);
  if (picked === open) {
    await vscode.env.openExternal(vscode.Uri.parse(client.conversationPageUrl(id), true));
  }
}
