import * as l10n from '@vscode/l10n';
import * as vscode from 'vscode';
import type { ApiClient } from '../../../api/client';
import { askPick, askText, back, type Answer } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import type { RepositoryProposal } from '../../../state/gitRemote';
import type { ServiceModel } from '../../../state/serviceModel';
import { askModel } from './askModel';
import { askPlace, placeWords } from './askPlace';
import { askBranch, askProvider, askRepository, providerWords } from './askRepository';
import type { ConversationChoice } from './choice';

export interface ConversationQuestion {
  client: ApiClient;
  model: ServiceModel;
  proposals: readonly RepositoryProposal[];
  /** What to begin with. */
  choice: ConversationChoice;
}

interface Item extends vscode.QuickPickItem {
  /** Asks for one part of the choice; absent on the item that starts. */
  ask?: () => Promise<Answer<unknown>>;
}

/**
 * Shows everything that a conversation starts with, each with its present value; the first item starts, the others ask
 * for another value and come back. Undefined when the user left.
 */
export async function askConversation(
  question: ConversationQuestion,
): Promise<ConversationChoice | undefined> {
  const choice = { ...question.choice };
  for (;;) {
    const picked = await askPick<Item>({
      title: l10n.t('Start a conversation'),
      placeholder: l10n.t('Press Enter to start, or choose what to change'),
      items: items(question, choice),
    });
    if (typeof picked !== 'object') return undefined;
    if (!picked.ask) return choice;
    const answer = await picked.ask();
    if (answer === undefined) return undefined;
  }
}

function items({ client, model, proposals }: ConversationQuestion, choice: ConversationChoice): Item[] {
  const icon = (name: string) => new vscode.ThemeIcon(name);
  const start: Item = {
    label: l10n.t('Start Conversation'),
    description: l10n.t('with what is chosen below'),
    iconPath: icon('play'),
  };
  const repository: Item = {
    label: l10n.t('Repository'),
    description: choice.repository ?? l10n.t('none'),
    iconPath: icon('repo'),
    ask: () => askRepository(choice, proposals),
  };
  const ofRepository: Item[] = [
    {
      label: l10n.t('Branch'),
      description: branchWords(choice, proposals),
      iconPath: icon('git-branch'),
      ask: () => askBranch(choice, proposals),
    },
    {
      label: l10n.t('Git provider'),
      description: providerWords(choice.provider),
      iconPath: icon('cloud'),
      ask: () => askProvider(choice),
    },
  ];
  return [
    start,
    repository,
    ...(choice.repository === undefined ? [] : ofRepository),
    {
      label: l10n.t('Sandbox'),
      description: placeWords(choice.place, model),
      iconPath: icon('vm'),
      ask: () => askPlace(choice, model),
    },
    {
      label: l10n.t('Model'),
      description: choice.model ?? l10n.t('as in the service’s settings'),
      iconPath: icon('sparkle'),
      ask: () => askModel(choice, client),
    },
    {
      label: l10n.t('Title'),
      description: choice.title ?? l10n.t('the service makes one up'),
      iconPath: icon('tag'),
      ask: () => askTitle(choice),
    },
  ];
}

function branchWords(
  { repository, branch }: ConversationChoice,
  proposals: readonly RepositoryProposal[],
): string {
  if (branch === undefined) return l10n.t('the repository’s default branch');
  const proposal = proposals.find((one) => one.repository === repository);
  return proposal && !proposal.pushed && proposal.branch === branch
    ? l10n.t('{0}, not seen at the remote yet: push it first', plainText(branch, 80))
    : plainText(branch, 80);
}

async function askTitle(choice: ConversationChoice): Promise<Answer<string>> {
  const answer = await askText({
    title: l10n.t('Start a conversation: title'),
    canGoBack: true,
    prompt: l10n.t('Title of the conversation. Empty: the service makes one up.'),
    placeholder: l10n.t('For example: Login test fails'),
    value: choice.title ?? '',
  });
  if (answer !== undefined && answer !== back) choice.title = answer.trim() || undefined;
  return answer;
}
