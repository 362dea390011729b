import * as l10n from '@vscode/l10n';
import { joined } from '../../../shared/joined';
import { askPick, type Answer } from '../../../editor/inputs';
import { plainText } from '../../../shared/plainText';
import type { ConversationChoice } from '../model/choice';
import { gitProviders, type GitProvider } from '../../../shared/gitProviders';
import type { RepositoryProposal } from '../../../core/gitRemote';
import { repositoryFrom, type RemoteRepository } from '../../../core/remoteAddress';
import type { ApiClient } from '../../../api/service/client';
import { askPart, type ChoiceItem } from './askPart';
import { repositoryName } from '../../../shared/repositoryName';

type RepositoryItem = ChoiceItem<'repository' | 'branch' | 'provider'>;
type BranchItem = ChoiceItem<'branch'>;

const repositoryItem = (
  repository: string,
  branch: string | undefined,
  provider: GitProvider | undefined,
  description = '',
): RepositoryItem => ({ label: plainText(repository, 120), description, repository, branch, provider });

/** Asks for the repository: one that is open here, one that the service lists, or any other by its name. */
export async function askRepository(
  choice: ConversationChoice,
  proposals: readonly RepositoryProposal[],
  client: ApiClient,
): Promise<Answer<unknown>> {
  const items = proposals.map(({ repository, branch, provider, remote }) => {
    const words = joined(remote, branch, provider && providerWords(provider));
    return repositoryItem(repository, branch, provider, plainText(words, 200));
  });
  const none: RepositoryItem = {
    label: l10n.t('No repository'),
    repository: undefined,
    branch: undefined,
    provider: undefined,
  };
  const { repository: previous } = choice;
  const isTyped = previous !== undefined && items.every(({ repository }) => repository !== previous);
  const typedBefore = isTyped ? [repositoryItem(previous, choice.branch, choice.provider)] : [];
  const answer = await askPick<RepositoryItem>({
    title: l10n.t('Start an agent conversation'),
    canGoBack: true,
    placeholder: l10n.t('Select a repository or enter owner/name'),
    items: [...items, ...typedBefore, none],
    update: async (show, signal) => {
      const known = new Set([...items, ...typedBefore].map(({ repository }) => repository));
      const listed = await serviceRepositories(client, signal);
      const more = listed
        .filter(({ repository }) => !known.has(repository))
        .map(({ repository, provider }) =>
          repositoryItem(repository, undefined, provider, provider && providerWords(provider)),
        );
      if (more.length > 0) show([...items, ...typedBefore, none, ...more]);
    },
    isCurrent: ({ repository }) => repository === choice.repository,
    fromText: (text) => {
      const typed = repositoryFrom(text);
      // The text filters the list, so an item with any other label would be hidden.
      return (
        typed && {
          label: text,
          ...typed,
          provider: typed.provider ?? choice.provider,
          branch: typed.branch,
        }
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
export function askBranch(
  choice: ConversationChoice,
  proposals: readonly RepositoryProposal[],
  client: ApiClient,
): Promise<Answer<unknown>> {
  const proposal = proposals.find(({ repository }) => repository === choice.repository);
  const known = [proposal?.branch, choice.branch, ...(proposal?.branches ?? [])];
  const names = new Set(known.filter((name) => name !== undefined));
  const items = (branches: Iterable<string>): BranchItem[] => [
    ...Array.from(branches, (branch) => ({
      label: plainText(branch, 120),
      ...(branch === proposal?.branch && { description: l10n.t('checked out') }),
      branch,
    })),
    { label: l10n.t('Default branch'), branch: undefined },
  ];
  return askPart(choice, 'branch', {
    title: l10n.t('Start an agent conversation: branch of {0}', plainText(choice.repository ?? '', 120)),
    placeholder: l10n.t('Select a branch or enter its name'),
    items: items(names),
    update: async (show, signal) => {
      const listed = await serviceBranches(client, choice, signal);
      if (listed.length > 0) show(items(new Set([...names, ...listed])));
    },
    fromText: (text) => (/\s/.test(text) ? undefined : { label: text, branch: text }),
  });
}

type Client = Pick<ApiClient, 'getSettings' | 'repositories'>;

/**
 * The repositories at the git providers that the service has tokens for; none if the service can’t list them. They only
 * save typing, so what can’t be read is left out.
 */
async function serviceRepositories(client: Client, signal: AbortSignal): Promise<RemoteRepository[]> {
  const { repositories } = client;
  if (!repositories) return [];
  const settings = await client.getSettings(signal).catch(() => undefined);
  const providers = Object.keys(settings?.provider_tokens_set ?? {});
  const lists = await Promise.all(
    providers.map((provider) => repositories.searchRepositories(provider, signal).catch(() => [])),
  );
  return lists
    .flat()
    .filter(({ full_name }) => repositoryName.test(full_name))
    .map(({ full_name, git_provider }) => ({
      repository: full_name,
      provider: gitProviders.find((known) => known === git_provider),
    }));
}

/** The branches of a repository; none if the service can't list them. */
async function serviceBranches(
  client: Client,
  { repository, provider }: { repository?: string | undefined; provider?: GitProvider | undefined },
  signal: AbortSignal,
): Promise<string[]> {
  const { repositories } = client;
  if (!repositories || repository === undefined || provider === undefined) return [];
  return repositories.searchBranches(provider, repository, signal).catch(() => []);
}

/** Asks for the git provider of the repository. */
export function askProvider(choice: ConversationChoice): Promise<Answer<unknown>> {
  return askPart(choice, 'provider', {
    title: l10n.t('Start an agent conversation'),
    placeholder: l10n.t('Select the git provider of the repository'),
    items: [...gitProviders, undefined].map((provider) => ({ label: providerWords(provider), provider })),
  });
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
    case 'bitbucket_data_center':
      return 'Bitbucket Data Center';
    case 'azure_devops':
      return 'Azure DevOps';
    case 'forgejo':
      return 'Forgejo';
    case undefined:
      return l10n.t('Detected by the service');
  }
}
