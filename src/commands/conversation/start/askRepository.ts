import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { askPick, type Answer } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import {
  gitProviders,
  repositoryFrom,
  type GitProvider,
  type RepositoryProposal,
} from '../../../state/gitRemote';
import type { ConversationChoice } from './choice';

interface RepositoryItem extends vscode.QuickPickItem {
  repository: string | undefined;
  branch: string | undefined;
  provider: GitProvider | undefined;
}
interface BranchItem extends vscode.QuickPickItem {
  branch: string | undefined;
}
interface ProviderItem extends vscode.QuickPickItem {
  provider: GitProvider | undefined;
}

/** Asks for the repository: one of those that are open here, or any by its name. */
export async function askRepository(
  choice: ConversationChoice,
  proposals: readonly RepositoryProposal[],
): Promise<Answer<RepositoryItem>> {
  const items = proposals.map(({ repository, branch, provider, remote }): RepositoryItem => ({
    label: plainText(repository, 120),
    description: plainText(
      [remote, branch, provider && providerWords(provider)].filter(Boolean).join(' · '),
      200,
    ),
    repository,
    branch,
    provider,
  }));
  const answer = await askPick<RepositoryItem>({
    title: l10n.t('Start a conversation: repository'),
    canGoBack: true,
    placeholder: l10n.t('Choose the repository, or type owner/name'),
    items: [
      ...items,
      { label: l10n.t('No repository'), repository: undefined, branch: undefined, provider: undefined },
    ],
    fromText: (text) => {
      const typed = repositoryFrom(text);
      // The list is narrowed by what is typed: an item of another name would not be shown.
      return (
        typed && { label: text, ...typed, provider: typed.provider ?? choice.provider, branch: undefined }
      );
    },
  });
  if (typeof answer === 'object' && answer.repository !== choice.repository) {
    const { repository, branch, provider } = answer;
    Object.assign(choice, { repository, branch, provider });
  }
  return answer;
}

/** Asks for the branch: one that git knows at the remote, or any by its name. */
export async function askBranch(
  choice: ConversationChoice,
  proposals: readonly RepositoryProposal[],
): Promise<Answer<BranchItem>> {
  const proposal = proposals.find(({ repository }) => repository === choice.repository);
  const names = new Set([
    ...(proposal?.branch === undefined ? [] : [proposal.branch]),
    ...(proposal?.branches ?? []),
  ]);
  const byDefault: BranchItem = {
    label: l10n.t('Default branch'),
    description: l10n.t('of the repository'),
    branch: undefined,
  };
  const answer = await askPick<BranchItem>({
    title: l10n.t('Start a conversation: branch of {0}', choice.repository ?? ''),
    canGoBack: true,
    placeholder: l10n.t('Choose the branch, or type its name'),
    items: [
      ...[...names].map((branch): BranchItem => ({
        label: plainText(branch, 120),
        ...(branch === proposal?.branch && { description: l10n.t('checked out here') }),
        branch,
      })),
      byDefault,
    ],
    fromText: (text) => (/\s/.test(text) ? undefined : { label: text, branch: text }),
  });
  if (typeof answer === 'object') choice.branch = answer.branch;
  return answer;
}

/** Asks who hosts the repository. */
export async function askProvider(choice: ConversationChoice): Promise<Answer<ProviderItem>> {
  const answer = await askPick<ProviderItem>({
    title: l10n.t('Start a conversation: git provider'),
    canGoBack: true,
    placeholder: l10n.t('Choose who hosts the repository'),
    items: [...gitProviders, undefined].map((provider) => ({ label: providerWords(provider), provider })),
  });
  if (typeof answer === 'object') choice.provider = answer.provider;
  return answer;
}

/** A provider by its own name. */
export function providerWords(provider: GitProvider | undefined): string {
  switch (provider) {
    case 'github':
      return 'GitHub';
    case 'gitlab':
      return 'GitLab';
    case 'bitbucket':
      return 'Bitbucket';
    case undefined:
      return l10n.t('The service finds out');
  }
}
