import type { OpenRepository } from '../../shared/openRepository';
import { repositoryName } from '../../shared/repositoryName';
import { parseUrl } from '../../shared/url';

/** Git providers that a conversation can name (`git_provider`). */
export const gitProviders = ['github', 'gitlab', 'bitbucket'] as const;
export type GitProvider = (typeof gitProviders)[number];

/** A repository as the service expects it: `owner/name`, and the provider if the host name gives it away. */
export interface RemoteRepository {
  /** `owner/name`; on GitLab, groups can nest. */
  repository: string;
  provider: GitProvider | undefined;
}

/**
 * Reads the address of a remote in any of git's forms: `https://host:8443/owner/name.git`, `ssh://git@host:22/owner/name` and
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
  // Bitbucket Server puts this before the project.
  const repository = provider === 'bitbucket' ? path.replace(/^scm\//, '') : path;
  return repositoryName.test(repository) ? { repository, provider } : undefined;
}

/** Reads what people type or paste for a repository: `owner/name` or an address. */
export function repositoryFrom(text: string): RemoteRepository | undefined {
  const named = repositoryName.test(text) ? { repository: text, provider: undefined } : undefined;
  return parseRemote(text) ?? named;
}

/** The provider of a host, by its name; companies name their own hosts like `gitlab.example.com`. */
function providerOf(host: string): GitProvider | undefined {
  return gitProviders.find((provider) => host.toLowerCase().split('.').includes(provider));
}

/** Whether an open repository has a remote of this address, or of the same `owner/name` in another form of address. */
export function hasRemote({ remotes }: Pick<OpenRepository, 'remotes'>, address: string): boolean {
  const nameOf = (url: string) => (parseRemote(url)?.repository ?? url).toLowerCase();
  return remotes.some(({ url }) => nameOf(url) === nameOf(address));
}

/** A repository to start a conversation about. */
export interface RepositoryProposal extends RemoteRepository {
  /** URI of the open repository's folder. */
  root: string;
  remote: string;
  /** The branch on the remote; undefined for a detached head. */
  branch: string | undefined;
  /** False if `remote` is not known to have `branch`. */
  pushed: boolean;
  /** Branches that the remote is known to have. */
  branches: readonly string[];
}

/**
 * The repositories to propose, the likeliest first: for each open repository, the remote that the branch follows, then
 * `origin`, then the others.
 */
export function proposeRepositories(repositories: readonly OpenRepository[]): RepositoryProposal[] {
  const proposals: RepositoryProposal[] = [];
  for (const { root, remotes, branch, upstream, remoteBranches } of repositories) {
    const rank = ({ name }: { name: string }) => (name === upstream?.remote ? 0 : name === 'origin' ? 1 : 2);
    for (const { name, url } of remotes.toSorted((a, b) => rank(a) - rank(b))) {
      const parsed = parseRemote(url);
      if (!parsed || proposals.some(({ repository }) => repository === parsed.repository)) continue;
      const branches = remoteBranches.filter(({ remote }) => remote === name).map((known) => known.branch);
      // A local branch can follow a remote branch with another name.
      const there = upstream?.remote === name ? upstream.branch : branch;
      const pushed = upstream?.remote === name || branches.includes(there ?? '');
      proposals.push({ ...parsed, root, remote: name, branch: there, pushed, branches });
    }
  }
  return proposals;
}

/** The likeliest proposal for each folder, also where several are of the same repository. */
export function proposeFolders(repositories: readonly OpenRepository[]): RepositoryProposal[] {
  return repositories.flatMap((one) => proposeRepositories([one]).slice(0, 1));
}

/** The proposal that `chosen` comes from, if its remote is not known to have the branch; it has to be pushed first. */
export function unpushedProposal(
  chosen: { readonly repository: string | undefined; readonly branch: string | undefined },
  proposals: readonly RepositoryProposal[],
): (RepositoryProposal & { branch: string }) | undefined {
  const proposal = proposals.find(({ repository }) => repository === chosen.repository);
  if (!proposal || proposal.pushed || chosen.branch === undefined) return undefined;
  return proposal.branch === chosen.branch ? { ...proposal, branch: chosen.branch } : undefined;
}
