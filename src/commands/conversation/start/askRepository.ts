import * as l10n from '@vscode/l10n';
import type * as vscode from 'vscode';
import { askPick, type Answer } from '../../../platform/inputs';
import { plainText } from '../../../shared/plainText';
import {
  gitProviders,
  repositoryFrom,
  type GitProvider,
  type RepositoryProposal,
} from '../../../state/conversations/gitRemote';
import type { ApiClient } from '../../../api/service/client';
import type { ConversationChoice } from './choice';
import { serviceBranches, serviceRepositories } from './serviceRepositories';

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

/** Asks for the repository: one that is open here, one that the service lists, or any other by its name. */
export async function askRepository(
  choice: ConversationChoice,
  proposals: readonly RepositoryProposal[],
  client: ApiClient,
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
  const none: RepositoryItem = {
    label: l10n.t('No repository'),
    repository: undefined,
    branch: undefined,
    provider: undefined,
  };
  const typedBefore = [choice]
    .filter(({ repository }) => [...items, none].every((item) => item.repository !== repository))
    .map(({ repository, branch, provider }) => ({
      label: plainText(repository ?? '', 120),
      repository,
      branch,
      provider,
    }));
  const answer = await askPick<RepositoryItem>({
    title: l10n.t('Start an agent conversation: repository'),
    canGoBack: true,
    placeholder: l10n.t('Select a repository or enter owner/name'),
    items: [...items, ...typedBefore, none],
    update: async (show, signal) => {
      const known = new Set([...items, ...typedBefore].map(({ repository }) => repository));
      const listed = await serviceRepositories(client, signal);
      const more = listed
        .filter(({ repository }) => !known.has(repository))
        .map(({ repository, provider }): RepositoryItem => ({
          label: plainText(repository, 120),
          description: provider === undefined ? '' : providerWords(provider),
          repository,
          branch: undefined,
          provider,
        }));
      if (more.length > 0) show([...items, ...typedBefore, ...more, none]);
    },
    isCurrent: ({ repository }) => repository === choice.repository,
    fromText: (text) => {
      const typed = repositoryFrom(text);
      // The text filters the list, so an item with any other label would be hidden.
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

/** Asks for the branch: one that git or the service knows on the remote, or any other by its name. */
export async function askBranch(
  choice: ConversationChoice,
  proposals: readonly RepositoryProposal[],
  client: ApiClient,
): Promise<Answer<BranchItem>> {
  const proposal = proposals.find(({ repository }) => repository === choice.repository);
  const names = new Set([
    ...(proposal?.branch === undefined ? [] : [proposal.branch]),
    ...(choice.branch === undefined ? [] : [choice.branch]),
    ...(proposal?.branches ?? []),
  ]);
  const byDefault: BranchItem = {
    label: l10n.t('Default branch'),
    branch: undefined,
  };
  const items = (branches: Iterable<string>): BranchItem[] => [
    ...[...branches].map((branch): BranchItem => ({
      label: plainText(branch, 120),
      ...(branch === proposal?.branch && { description: l10n.t('checked out') }),
      branch,
    })),
    byDefault,
  ];
  const answer = await askPick<BranchItem>({
    title: l10n.t('Start an agent conversation: branch of {0}', plainText(choice.repository ?? '', 120)),
    canGoBack: true,
    placeholder: l10n.t('Select a branch or enter its name'),
    items: items(names),
    update: async (show, signal) => {
      const listed = await serviceBranches(client, choice, signal);
      if (listed.length > 0) show(items(new Set([...names, ...listed])));
    },
    isCurrent: ({ branch }) => branch === choice.branch,
    fromText: (text) => (/\s/.test(text) ? undefined : { label: text, branch: text }),
  });
  if (typeof answer === 'object') choice.branch = answer.branch;
  return answer;
}

/** Asks for the git provider of the repository. */
export async function askProvider(choice: ConversationChoice): Promise<Answer<ProviderItem>> {
  const answer = await askPick<ProviderItem>({
    title: l10n.t('Start an agent conversation: git provider'),
    canGoBack: true,
    placeholder: l10n.t('Select the git provider of the repository'),
    items: [...gitProviders, undefined].map((provider) => ({ label: providerWords(provider), provider })),
    isCurrent: ({ provider }) => provider === choice.provider,
  });
  if (typeof answer === 'object') choice.provider = answer.provider;
  return answer;
}

/** A provider in words; undefined if the service is to detect it. */
export function providerWords(provider: GitProvider | undefined): string {
  switch (provider) {
    case 'github':
      return 'GitHub';
    case 'gitlab':
      return 'GitLab';
    case 'bitbucket':
      return 'Bitbucket';
    case undefined:
      return l10n.t('Detected by the service');
  }
}
