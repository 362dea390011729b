import type { Conversation } from '../../api/service/schemas/conversation';
import { repositoryName } from '../../shared/repositoryName';
import { type GitProvider, gitProviders } from './gitRemote';

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

/** Whether the addresses of a conversation's pull requests are known. */
export function hasPullRequestPage(conversation: About): boolean {
  return pullRequests(conversation).length > 0;
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
 * A conversation's pull requests, each with its page; empty if the provider or repository isn't known.
 *
 * @param host the provider's host, unless it's the public one
 */
export function pullRequests(conversation: About, host?: string | null): PullRequest[] {
  const provider = providerOf(conversation);
  const repository = conversation.selected_repository ?? '';
  if (!provider || !repositoryName.test(repository)) return [];
  const { publicHost, pages } = providers[provider];
  const name = bareHost(host) ?? publicHost;
  const path = repository.split('/').map(encodeURIComponent).join('/');
  return numbersOf(conversation.pr_number).map((number) => ({
    number,
    url: `https://${name}/${path}/${pages}/${number}`,
  }));
}

const providers: Record<GitProvider, { publicHost: string; pages: string }> = {
  github: { publicHost: 'github.com', pages: 'pull' },
  gitlab: { publicHost: 'gitlab.com', pages: '-/merge_requests' },
  bitbucket: { publicHost: 'bitbucket.org', pages: 'pull-requests' },
};

/** Host and port from what people enter as a host or address; undefined if it's neither. */
function bareHost(host: string | null | undefined): string | undefined {
  const name = (host ?? '')
    .trim()
    .replace(/^https?:\/\//i, '')
    .replace(/\/+$/, '');
  return /^[\w.-]+(:\d{1,5})?$/.test(name) ? name : undefined;
}

function numbersOf(numbers: About['pr_number']): number[] {
  return (numbers ?? []).filter((number) => Number.isSafeInteger(number) && number > 0);
}
