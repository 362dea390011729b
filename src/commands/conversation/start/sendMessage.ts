import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/service/client';
import { openRepositories } from '../../../platform/git';
import { confirmed } from '../../../platform/inputs';
import type { MessageEditor } from '../../../platform/messageEditor';
import type { MessageContext } from '../../../shared/keptMessage';
import { openAddress } from '../../../platform/openAddress';
import { requestOf, type ConversationChoice } from '../../../state/conversations/choice';
import {
  proposeFolders,
  proposeRepositories,
  type RepositoryProposal,
} from '../../../state/conversations/gitRemote';
import { instructionIn, messageLabel } from '../../../state/conversations/selectionMessage';
import { mayHaveStarted } from '../../../state/conversations/startTasks';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseHere } from '../chooseHere';
import { askConversation } from './askConversation';
import { type DeliveryNeeds, sendWithChanges, tellNoRepository } from './sendWithChanges';
import { startWithProgress, tellFailedStart } from './startOutcome';

type Needs = Pick<CommandDependencies, 'session' | 'model' | 'reveal' | 'message' | 'starts'> & DeliveryNeeds;

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
      const isWithChanges = message.context.changes !== undefined;
      const proposals = await proposalsFor(message.context);
      if (isWithChanges && proposals.length === 0) {
        tellNoRepository();
        return;
      }
      let context = '';
      const answer = await chooseHere(session, (present) => {
        context = JSON.stringify([present.baseUrl, message.context]);
        const choice = former?.context === context ? former.choice : firstChoice(message.context, proposals);
        return askConversation({ client: present, model, proposals, choice, isSettled: isWithChanges });
      });
      if (!answer) return;
      const { client, chosen: choice } = answer;
      former = { context, choice };
      const accepted = () => {
        former = undefined;
        sent();
      };
      const [proposal] = proposals;
      if (isWithChanges && proposal) await sendWithChanges(needs, client, { choice, proposal, accepted });
      else await startChosen(needs, client, choice, accepted);
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

async function proposalsFor({ about, changes }: MessageContext): Promise<RepositoryProposal[]> {
  const open = await openRepositories(about === undefined ? undefined : vscode.Uri.parse(about));
  if (changes === undefined) return proposeRepositories(open);
  // The agent has to find the branch at the remote.
  const first = proposeFolders(open).find(({ root }) => root === changes);
  return first ? [first.pushed ? first : { ...first, branch: undefined }] : [];
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
  needs: Needs,
  client: ApiClient,
  choice: ConversationChoice,
  accepted: () => void,
): Promise<void> {
  const { model, reveal } = needs;
  const { text, selections } = needs.message;
  try {
    const id = await startWithProgress(needs, {
      client,
      request: requestOf(text, choice),
      place: choice.place,
      label: choice.title ?? messageLabel(text, selections),
      message: text,
      accepted,
    });
    await model.refresh('conversations', 'sandboxes');
    // The editor may take its time to find a row while the list changes.
    await Promise.all([reveal({ kind: 'conversation', id }), offerToOpen(client, id)]);
  } catch (error) {
    // Show what the service has now before telling the user.
    if (mayHaveStarted(error)) await model.refresh('conversations', 'sandboxes');
    await tellFailedStart(error);
  }
}

async function offerToOpen(client: ApiClient, id: string): Promise<void> {
  const open = l10n.t('Open in Browser');
  const picked = await vscode.window.showInformationMessage(l10n.t('Conversation started.'), open);
  if (picked === open) {
    await openAddress(new URL(client.conversationPageUrl(id)));
  }
}
