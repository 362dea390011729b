import type { Conversation } from '../api/service/schemas/conversation';
import { type GitProvider, gitProviders } from '../shared/gitProviders';
import { repositoryName } from '../shared/repositoryName';
import { isAmbiguous, parseUrl } from '../shared/url';

type About = Pick<Conversation, 'pr_number' | 'git_provider' | 'selected_repository'>;

/** The most pull requests to show in a row. */
const most = 3;

/** The numbers of a conversation's pull requests, as people write them: `#12`; undefined for none. */
export function pullRequestWords({ pr_number }: Pick<About, 'pr_number'>): string | undefined {
  const numbers = numbersOf(pr_number);
  if (numbers.length === 0) return undefined;
  const shown = numbers.slice(0, most).map((number) => `#${number}`);
  return `${shown.join(' ')}${numbers.length > most ? '…' : ''}`;
}

/** Whether a conversation has pull requests whose address may be known. */
export function hasPullRequestPage(conversation: About): boolean {
  const { pr_number, selected_repository } = conversation;
  const isNamed = repositoryName.test(selected_repository ?? '');
  return providerOf(conversation) !== undefined && isNamed && numbersOf(pr_number).length > 0;
}

/** A conversation's pull request and its page. */
export interface PullRequest {
  readonly number: number;
  readonly url: string;
}

/** The provider of a conversation; undefined if its pages aren't known. */
export function providerOf({ git_provider }: Pick<About, 'git_provider'>): GitProvider | undefined {
  return gitProviders.find((provider) => provider === git_provider?.toLowerCase());
}

/**
 * A conversation's pull requests, each with its page; empty if the provider, its host or the repository isn't known. A
 * page on the public host would be a stranger's for a repository on another one.
 *
 * @param host the provider's host or address as the service has it; nothing for the public one
 */
export function pullRequests(conversation: About, host?: string | null): PullRequest[] {
  const provider = providerOf(conversation);
  if (!provider || !hasPullRequestPage(conversation)) return [];
  const names = (conversation.selected_repository ?? '').split('/');
  const { publicHost, page } = providers[provider];
  const base = (host ?? '').trim() === '' ? publicHost && `https://${publicHost}` : webBase(host ?? '');
  // Browsers would leave out these names, with the one before.
  const isOdd = names.some((name) => name === '.' || name === '..');
  const path = isOdd ? undefined : page(names.map(encodeURIComponent));
  if (base === undefined || path === undefined) return [];
  const [root, rest] = provider === 'azure_devops' ? withoutOrganization(base, path) : [base, path];
  return numbersOf(conversation.pr_number).map((number) => ({ number, url: `${root}/${rest}/${number}` }));
}

/** The address of Azure DevOps is often entered with the organization; its earlier ones begin with it. */
function withoutOrganization(base: string, path: string): [base: string, path: string] {
  const [first = ''] = path.split('/');
  const [address, own] = [base.toLowerCase(), first.toLowerCase()];
  if (address.endsWith(`/${own}.visualstudio.com`)) return [base, path.slice(first.length + 1)];
  return [address.endsWith(`/${own}`) ? base.slice(0, -first.length - 1) : base, path];
}

/** The path of a repository's pull requests; undefined for names that the provider can't have. */
type Page = (names: readonly string[]) => string | undefined;

const below =
  (pages: string): Page =>
  (names) =>
    `${names.join('/')}/${pages}`;

const providers: Record<GitProvider, { publicHost: string | undefined; page: Page }> = {
  github: { publicHost: 'github.com', page: below('pull') },
  gitlab: { publicHost: 'gitlab.com', page: below('-/merge_requests') },
  bitbucket: { publicHost: 'bitbucket.org', page: below('pull-requests') },
  bitbucket_data_center: {
    publicHost: undefined,
    page: ([owner = '', name, ...more]) => {
      if (name === undefined || more.length > 0) return undefined;
      const place = /^(?:~|%7E)/i.test(owner)
        ? `users/${owner.replace(/^(?:~|%7E)/i, '')}`
        : `projects/${owner}`;
      return `${place}/repos/${name}/pull-requests`;
    },
  },
  azure_devops: {
    publicHost: 'dev.azure.com',
    page: ([organization, project, name, ...more]) =>
      name === undefined || more.length > 0
        ? undefined
        : `${organization}/${project}/_git/${name}/pullrequest`,
  },
  forgejo: { publicHost: 'codeberg.org', page: below('pulls') },
};

/** Paths of the programming interfaces, which people enter as a provider's address. */
const interfaces = /\/(?:api(?:\/(?:v\d+|graphql))?|rest(?:\/api(?:\/(?:[\d.]+|latest))?)?)$/;

/** Hosts of the programming interfaces, with the paths of some. */
const interfaceHosts = /^api\.(?=github\.com$|[\w-]+\.ghe\.com$|bitbucket\.org$)/;

/** The address of a provider's pages, path included, from what people enter as its host; undefined if it's no address. */
function webBase(text: string): string | undefined {
  const host = text.trim();
  const address = host.includes('://') ? host : `https://${host}`;
  const url = isAmbiguous(address) ? undefined : parseUrl(address);
  if (!url || !/^https?:$/.test(url.protocol) || url.username !== '' || url.password !== '') return undefined;
  if (url.search !== '' || url.hash !== '' || !/^(?:[\w.-]+|\[[\da-f:.]+\])$/i.test(url.hostname))
    return undefined;
  const path = url.pathname.replace(/\/+$/, '').replace(interfaces, '');
  if (!interfaceHosts.test(url.host)) return `${url.protocol}//${url.host}${path}`;
  return `${url.protocol}//${url.host.replace(interfaceHosts, '')}${path.replace(/^\/(?:graphql|2\.0)$/, '')}`;
}

function numbersOf(numbers: About['pr_number']): number[] {
  return (numbers ?? []).filter((number) => Number.isSafeInteger(number) && number > 0);
}
