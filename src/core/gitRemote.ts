import type { OpenRepository } from '../shared/openRepository';
import { parseRemote, type RemoteRepository } from './remoteAddress';

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
  chosen: { readonly repository?: string | undefined; readonly branch?: string | undefined },
  proposals: readonly RepositoryProposal[],
): (RepositoryProposal & { branch: string }) | undefined {
  const proposal = proposals.find(({ repository }) => repository === chosen.repository);
  if (!proposal || proposal.pushed || chosen.branch === undefined) return undefined;
  return proposal.branch === chosen.branch ? { ...proposal, branch: chosen.branch } : undefined;
}
