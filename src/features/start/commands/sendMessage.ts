import { randomUUID } from 'node:crypto';
import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import { proposeFolders, proposeRepositories, type RepositoryProposal } from '../../../core/gitRemote';
import { stateGroupOf } from '../../../core/lists/stateGroups';
import { sandboxPhase } from '../../../core/lists/status';
import { clientOf, type SessionStore } from '../../../core/session/session';
import { instructionIn, messageLabel } from '../../../core/text/selectionMessage';
import { openRepositories } from '../../../editor/git';
import type { Handler } from '../../../editor/handler';
import { agreedTo } from '../../../editor/inputs';
import { isMessage, type MessageEditor } from '../../../editor/messageEditor';
import { commandIds, type CommandId } from '../../../ids';
import { joined } from '../../../shared/joined';
import type { MessageContext } from '../../../shared/keptMessage';
import { plainText } from '../../../shared/plainText';
import { noChanges } from '../../changes';
import { chooseHere } from '../../targets/editor';
import { type Attempt, attemptChoice } from '../model/attempts';
import { choiceSchema, laterPolicy, type ConversationChoice } from '../model/choice';
import type { FirstMessages } from '../model/firstMessages';
import type { RememberedChoices } from '../model/rememberedChoices';
import type { BegunStart } from '../model/startTasks';
import { askAgentStart } from './askAgentStart';
import type { AttemptsDraft } from './askAttempts';
import { askConversation } from './askConversation';
import { followAttempts } from './attemptsOutcome';
import { ownChanges, pack } from './ownChanges';
import { startMessage } from './start';
import { followStart, type OutcomeNeeds } from './startOutcome';

type Needs = OutcomeNeeds & {
  session: SessionStore;
  message: MessageEditor;
  choices: RememberedChoices;
  firstMessages: FirstMessages;
  openSettingsForm: (section?: 'model' | 'mcp' | 'providers', task?: 'import' | 'export') => Promise<void>;
  run: (id: CommandId, args: unknown[]) => Promise<void>;
};

/** Asking again while the options are on screen would only ask twice. */
let isAsking = false;

/** Start Conversation, in the editor of the message: asks for the options, and starts in a tab that replaces it. */
export function sendMessage(needs: Needs): Handler {
  return async () => {
    const [begun] = await askOnce(needs);
    if (begun) await followStart(needs, begun);
  };
}

/**
 * Start Several Attempts…: from the editor of the message, starts several conversations with it; from elsewhere, opens
 * that editor first.
 */
export function startSeveral(needs: Needs): Handler {
  return async (...args) => {
    const editor = vscode.window.activeTextEditor?.document.uri;
    if (!editor || !isMessage(editor)) {
      await startMessage(needs)(...args);
      return;
    }
    const begun = await askOnce(needs, { variants: [] });
    if (begun.length > 0) await followAttempts(needs, begun);
  };
}

async function askOnce(needs: Needs, attempts?: AttemptsDraft): Promise<readonly BegunStart[]> {
  if (isAsking) return [];
  isAsking = true;
  try {
    return (await ask(needs, attempts)) ?? [];
  } finally {
    isAsking = false;
  }
}

/** Asks for everything, and begins; undefined if the user left, or knows why it isn’t possible. */
async function ask(needs: Needs, attempts?: AttemptsDraft): Promise<readonly BegunStart[] | undefined> {
  const { session, model, message, starts, deliveries, patches, choices, firstMessages, openSettingsForm } =
    needs;
  await message.keep();
  if (!(await hasInstruction(message))) return undefined;
  const { context, text, selections } = message;
  const proposals = await proposalsFor(context);
  const [proposal] = proposals;
  const isWithChanges = context.changes !== undefined;
  const changes = isWithChanges ? await ownChanges(proposal, context.selected) : undefined;
  if (isWithChanges && !changes) return undefined;
  const answer = await chooseHere(session, (here) => {
    const first = firstChoice(needs, here.baseUrl, proposal);
    const told = starts.limits.of(here.baseUrl);
    if (here.agents) {
      const { folder, choice } = context;
      // What was selected for this message before counts more.
      const about = choice === undefined ? context.about : undefined;
      const atWork = model.conversations.state.items.filter((one) => stateGroupOf(one) === 'working');
      const working = atWork.map((one) => one.folder);
      const setUpModel = () =>
        needs.run(commandIds.modelSetUp, [l10n.t('Set up a model for the agent before it starts')]);
      const others = { attempts, working, told, setUpModel };
      return askAgentStart(here, first, { isWithChanges, folder, about, ...others });
    }
    return askConversation({
      client: here,
      model,
      proposals,
      choice: { ...first, ...(changes && settled(changes.proposal)) },
      changes,
      attempts,
      told,
      remembered: (about) => remembered(needs, here.baseUrl, about),
      setUpModel: () => openSettingsForm('model'),
    });
  });
  if (!answer) return undefined;
  const { client, chosen } = answer;
  choices.keep(client.baseUrl, chosen);
  firstMessages.keep(text, chosen.agent?.folder ?? chosen.repository ?? '');
  const packed = changes && (await pack(changes));
  if (changes && !packed) return undefined;
  const label = chosen.title ?? messageLabel(text, selections);
  const begin = async (choice: ConversationChoice, attempt?: Attempt) => {
    const policy = laterPolicy(choice);
    const isMessageLater = packed !== undefined || policy !== undefined;
    const parcel = { ...noChanges, ...packed?.parcel, id: randomUUID() };
    if (packed) await patches.write(parcel.id, packed.content);
    const begun = starts.begin({ client, choice, label, message: text, isMessageLater, attempt });
    if (isMessageLater) {
      const about = { service: client.baseUrl, startId: begun.id, isAccepted: true, conversationId: null };
      deliveries.keep({ ...parcel, ...about, policy, label, message: text });
    }
    return begun;
  };
  const group = randomUUID();
  const begun = attempts
    ? await Promise.all(
        attempts.variants.map((variant) =>
          begin(attemptChoice(chosen, variant), { group, label: variant.label }),
        ),
      )
    : [await begin(chosen)];
  // The start has it now. If the text has changed since, it's another message.
  if (message.text === text) await message.discard();
  return begun;
}

/**
 * What the options of a start would show first: repository, branch, and model. Empty on agent servers, where the folder
 * depends on the server’s answer.
 */
export async function offeredFirst(
  needs: Pick<Needs, 'session' | 'message' | 'choices' | 'model'>,
): Promise<string> {
  const client = clientOf(needs.session.current);
  if (!client || client.agents) return '';
  const [proposal] = await proposalsFor(needs.message.context);
  const first = firstChoice(needs, client.baseUrl, proposal);
  return joined(...[first.repository, first.branch, first.model].map((one) => plainText(one ?? '', 80)));
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
  // The agent must find the branch on the remote.
  const first = proposeFolders(open).find(({ root }) => root === changes);
  return first ? [first.pushed ? first : { ...first, branch: undefined }] : [];
}

/** What a proposal says about a choice. */
const settled = ({ repository, branch, provider }: RepositoryProposal) => ({ repository, branch, provider });

/** What is offered first: what was selected for this message before, or else the last time for the repository. */
function firstChoice(
  { message, choices, model }: Pick<Needs, 'message' | 'choices' | 'model'>,
  service: string,
  proposal: RepositoryProposal | undefined,
): ConversationChoice {
  const { sandboxId, choice } = message.context;
  const previous = choiceSchema.safeParse(choice).data;
  if (previous) return previous;
  const first: ConversationChoice = {
    ...(proposal && settled(proposal)),
    place: sandboxId === undefined ? { kind: 'default' } : { kind: 'existing', sandboxId },
  };
  return remembered({ choices, model }, service, first);
}

/** A choice, with what was last selected for its repository. */
function remembered(
  { choices, model }: Pick<Needs, 'choices' | 'model'>,
  service: string,
  choice: ConversationChoice,
): ConversationChoice {
  return choices.offered(service, choice, (id) => {
    const sandbox = model.sandboxes.get(id);
    return sandbox !== undefined && ['running', 'paused'].includes(sandboxPhase(sandbox));
  });
}
