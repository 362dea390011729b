import type { OpenRepository } from '../shared/openRepository';
import { parseUrl } from '../shared/url';

/** Git providers that a conversation can name (`git_provider`). */
export const gitProviders = ['github', 'gitlab', 'bitbucket'] as const;
export type GitProvider = (typeof gitProviders)[number];

/** A repository as the service wants it: `owner/name`, and the provider where the host tells it. */
export interface RemoteRepository {
  /** `owner/name`; GitLab's groups may nest. */
  repository: string;
  provider: GitProvider | undefined;
}

/**
 * Reads a remote's address in any of git's forms: `https://host:8443/owner/name.git`, `ssh://git@host:22/owner/name` and
 * `git@host:owner/name.git`. Undefined for local paths and for addresses without an owner.
 */
export function parseRemote(address: string): RemoteRepository | undefined {
  const scp = /^(?:[^@/\s]+@)?([^:/\s]+):(?!\/\/)([^\s]+)$/.exec(address);
  const url = scp ? undefined : /^(?:https?|ssh|git):\/\//.test(address) ? parseUrl(address) : undefined;
  // A one-letter host is a Windows drive.
  const host = scp?.[1] !== undefined && scp[1].length > 1 ? scp[1] : url?.hostname;
  if (host === undefined) return undefined;
  const provider = providerOf(host);
  const path = (scp?.[2] ?? url?.pathname ?? '').replace(/^\/+|\/+$/g, '').replace(/\.git$/, '');
  // A Bitbucket of one's own puts this before the project.
  const repository = provider === 'bitbucket' ? path.replace(/^scm\//, '') : path;
  return isRepository(repository) ? { repository, provider } : undefined;
}

/** True for `owner/name`, groups within groups included. */
export function isRepository(text: string): boolean {
  return /^[^\s/]+(?:\/[^\s/]+)+$/.test(text);
}

/** What people type or paste for a repository: its `owner/name`, or its address. */
export function repositoryFrom(text: string): RemoteRepository | undefined {
  return parseRemote(text) ?? (isRepository(text) ? { repository: text, provider: undefined } : undefined);
}

/** The provider that a host belongs to, told by its name as companies name their own: `gitlab.example.com`. */
function providerOf(host: string): GitProvider | undefined {
  return gitProviders.find((provider) => host.toLowerCase().split('.').includes(provider));
}

/** A repository to begin a conversation about. */
export interface RepositoryProposal extends RemoteRepository {
  remote: string;
  branch: string | undefined;
  /** False when this remote is not known to have `branch`. */
  pushed: boolean;
  /** Branches that are known to be there. */
  branches: readonly string[];
}

/**
 * The repositories to propose, the likeliest first: of each open repository the remote that the branch follows, then
 * `origin`, then the others.
 */
export function proposeRepositories(repositories: readonly OpenRepository[]): RepositoryProposal[] {
  const proposals: RepositoryProposal[] = [];
  for (const { remotes, branch, upstream, remoteBranches } of repositories) {
    const rank = ({ name }: { name: string }) => (name === upstream?.remote ? 0 : name === 'origin' ? 1 : 2);
    for (const { name, url } of remotes.toSorted((a, b) => rank(a) - rank(b))) {
      const parsed = parseRemote(url);
      if (!parsed || proposals.some(({ repository }) => repository === parsed.repository)) continue;
      const branches = remoteBranches.filter(({ remote }) => remote === name).map((known) => known.branch);
      // A local branch may follow one of another name.
      const there = upstream?.remote === name ? upstream.branch : branch;
      const pushed = upstream?.remote === name || branches.includes(there ?? '');
      proposals.push({ ...parsed, remote: name, branch: there, pushed, branches });
    }
  }
  return proposals;
}
