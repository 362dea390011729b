import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { openRepositories } from '../../../platform/git';
import { agreedTo } from '../../../platform/inputs';
import type { MessageEditor } from '../../../platform/messageEditor';
import type { MessageContext } from '../../../shared/keptMessage';
import { choiceSchema, type ConversationChoice } from '../../../state/conversations/choice';
import {
  proposeFolders,
  proposeRepositories,
  type RepositoryProposal,
} from '../../../state/conversations/gitRemote';
import { instructionIn, messageLabel } from '../../../state/conversations/selectionMessage';
import { sandboxPhase } from '../../../state/lists/status';
import type { BegunStart } from '../../../state/conversations/startTasks';
import type { CommandDependencies, Handler } from '../../dependencies';
import { chooseHere } from '../chooseHere';
import { askAgentStart } from './askAgentStart';
import { askConversation } from './askConversation';
import { changesOf, pack } from './ownChanges';
import { followStart, type OutcomeNeeds } from './startOutcome';

type Needs = OutcomeNeeds & Pick<CommandDependencies, 'session' | 'message' | 'choices' | 'openSettingsForm'>;

/** Start Conversation, in the editor of the message: asks for the options, and starts in a tab that replaces it. */
export function sendMessage(needs: Needs): Handler {
  // Asking again while the options are on screen would only ask twice.
  let isAsking = false;
  return async () => {
    if (isAsking) return;
    isAsking = true;
    let begun: BegunStart | undefined;
    try {
      begun = await ask(needs);
    } finally {
      isAsking = false;
    }
    if (begun) await followStart(needs, begun);
  };
}

/** Asks for everything, and begins; undefined if the user left, or knows why it isn’t possible. */
async function ask(needs: Needs) {
  const { session, model, message, starts, deliveries, patches, choices, openSettingsForm } = needs;
  await message.keep();
  if (!(await hasInstruction(message))) return undefined;
  const { context, text, selections } = message;
  const proposals = await proposalsFor(context);
  const [proposal] = proposals;
  const isWithChanges = context.changes !== undefined;
  const changes = isWithChanges ? await changesOf(proposal, context.selected) : undefined;
  if (isWithChanges && !changes) return undefined;
  const answer = await chooseHere(session, (present) => {
    const first = firstChoice(needs, present.baseUrl, proposal);
    if (present.generation?.() === 'agentServer') {
      const { folder } = context;
      return askAgentStart(present, first, { isWithChanges, folder });
    }
    return askConversation({
      client: present,
      model,
      proposals,
      choice: { ...first, ...(changes && settled(changes.proposal)) },
      changes,
      setUpModel: () => openSettingsForm('model'),
    });
  });
  if (!answer) return undefined;
  const { client, chosen } = answer;
  choices.keep(client.baseUrl, chosen);
  const packed = changes && (await pack(changes));
  if (changes && !packed) return undefined;
  if (packed) await patches.write(packed.parcel.id, packed.content);
  const label = chosen.title ?? messageLabel(text, selections);
  const isMessageLater = packed !== undefined;
  const begun = starts.begin({ client, choice: chosen, label, message: text, isMessageLater });
  if (packed) {
    const about = { service: client.baseUrl, startId: begun.id, isAccepted: true, conversationId: null };
    deliveries.keep({ ...packed.parcel, ...about, label, message: text });
  }
  // The start has it now. If the text has changed since, it's another message.
  if (message.text === text) await message.discard();
  return begun;
}

/** Whether the message says what to do with the code in it, or the user wants to start without that. */
async function hasInstruction({ text, selections }: MessageEditor): Promise<boolean> {
  if (text === '' || instructionIn(text, selections) !== '') return true;
  return agreedTo(
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

/** What a proposal says about a choice. */
const settled = ({ repository, branch, provider }: RepositoryProposal) => ({ repository, branch, provider });

/** What is offered first: what was selected for this message before, else the last time on the repository. */
function firstChoice(
  { message, choices, model }: Needs,
  service: string,
  proposal: RepositoryProposal | undefined,
): ConversationChoice {
  const { sandboxId, choice } = message.context;
  const former = choiceSchema.safeParse(choice).data;
  if (former) return former;
  const first: ConversationChoice = {
    ...(proposal && settled(proposal)),
    place: sandboxId === undefined ? { kind: 'default' } : { kind: 'existing', sandboxId },
  };
  return choices.offered(service, first, (id) => {
    const sandbox = model.sandboxes.get(id);
    return sandbox !== undefined && ['running', 'paused'].includes(sandboxPhase(sandbox));
  });
}
